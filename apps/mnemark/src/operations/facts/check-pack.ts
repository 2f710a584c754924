import type { CheckedCitation, CitedText } from '@mnemark/bank'
import type { CallerContext, CallOptions, DocumentReader, DocumentSource } from '@mnemark/spec'
import { linesOf } from '@mnemark/tools/answers'
import type { Settings } from '../../config/load-settings.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { isLongTerm, longTermDenied, mayReadLongTerm } from '../../memory/open/long-term.ts'

/** A fact of an earlier answer, or a place with the hash of its text. */
export interface CitationToCheck extends CitedText {
  /** The text as the answer told it; told again beside what stands there now. */
  readonly content?: string | undefined
}

/** The answer as all surfaces give it. */
export interface CheckedPack {
  readonly citations: readonly (CheckedCitation & { readonly content?: string })[]
}

export interface CheckingPack extends CallOptions {
  /** Without forgotten notes. */
  readonly source: DocumentSource
  readonly reader: DocumentReader
  readonly settings: Pick<Settings, 'namingScopes'>
  readonly caller: CallerContext
  /** Hides secrets. */
  readonly isMasking: boolean
}

/** Asks again for each citation, in notes that the caller may see. Throws CommandError `denied` for one that the caller may not. */
export async function checkPack(citations: readonly CitationToCheck[], checking: CheckingPack): Promise<CheckedPack> {
  const { source, reader, settings, caller, isMasking, signal } = checking
  const mayReadAll = mayReadLongTerm(settings, caller)
  if (!mayReadAll && citations.some((cited) => isLongTerm(cited.source))) throw longTermDenied()
  const { checkCitations } = await import('@mnemark/bank')
  const notes = mayReadAll ? source : withoutLongTermNotes(source)
  const checked = await checkCitations(citations, { notes, signal })
  const shown = checked.map(async (one, at) => ({
    ...one,
    ...withoutUndefined({ content: citations[at]?.content }),
    ...(one.now && isMasking && { now: await masked(one.now, linesOf(reader, { caller, signal })) }),
  }))
  return { citations: await Promise.all(shown) }
}

function withoutLongTermNotes(source: DocumentSource): DocumentSource {
  const { stat } = source
  return {
    ...source,
    list: (options) => seen(source.list(options)),
    ...(stat && { stat: (ids, options) => seen(stat(ids, options)) }),
  }
}

async function* seen<Item extends { readonly path: string }>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) if (!isLongTerm(item.path)) yield item
}

type Now = NonNullable<CheckedCitation['now']>

async function masked(now: Now, readLines: ReturnType<typeof linesOf>): Promise<Now> {
  const { maskText, secretsAround } = await import('@mnemark/masking')
  const [, path = '', line = '1'] = /^(.+)#L(\d+)-L\d+$/su.exec(now.source) ?? []
  const secrets = await secretsAround({ path, startLine: Number(line), text: now.text }, readLines)
  return { ...now, text: await maskText(now.text, secrets) }
}
