import { parseDocument } from '@mnemark/core/document'
import type { FactAuthor, PlacedFact } from './fact.ts'
import { readFacts, type ReadFactsOptions, readFactsOf } from './read-facts.ts'

export interface SignOptions extends ReadFactsOptions {
  /** The text of the note before. A fact of it that is written again by the change, as it was, stays unsigned. */
  readonly before: string
  /** The lines, from 1, that were added or changed. */
  readonly startLine: number
  readonly endLine: number
  readonly author: Exclude<FactAuthor, 'person'>
}

/**
 * Adds `(by: agent)` or `(by: model)` to every fact of the added lines that says of itself to be a person's; to no other line.
 * Null where a fact cannot be signed, because something on its line, such as a comment, is not closed.
 */
export function signFacts(text: string, options: SignOptions): string | null {
  const own = unsigned(text, options)
  if (own.facts.length === 0) return text
  const { starts, ends, kinds } = own.outline
  let signed = text
  for (const { startLine, endLine } of own.facts.toReversed()) {
    let last = startLine - 1
    while (last + 1 < endLine && kinds[last + 1] === 'text') last += 1
    const start = starts[last] ?? 0
    const end = ends[last] ?? text.length
    signed = text.slice(0, start) + withAuthor(text.slice(start, end), options.author) + signed.slice(end)
  }
  return unsigned(signed, options).facts.length === 0 ? signed : null
}

const BLOCK_ID = /^\^[A-Za-z0-9-]{4,64}$/

/** At the end of the line, before the id of its block. */
function withAuthor(line: string, author: string): string {
  const said = line.trimEnd()
  const lastWord = Math.max(said.lastIndexOf(' '), said.lastIndexOf('\t'))
  const end = lastWord >= 0 && BLOCK_ID.test(said.slice(lastWord + 1)) ? said.slice(0, lastWord).trimEnd().length : said.length
  return `${line.slice(0, end)} (by: ${author})${line.slice(end)}`
}

function unsigned(
  text: string,
  options: SignOptions,
): { readonly facts: readonly PlacedFact[]; readonly outline: ReturnType<typeof parseDocument>['outline'] } {
  const parsed = parseDocument({ source: 'memory', path: options.path }, { text }, { dateOrder: options.dateOrder })
  const facts = readFactsOf(text, parsed, options).facts
  const isAdded = ({ startLine, endLine }: PlacedFact): boolean => startLine <= options.endLine && endLine >= options.startLine
  const added = facts.filter(isAdded)
  if (added.every(({ author }) => author !== 'person')) return { facts: [], outline: parsed.outline }
  const known = countsOf(readFacts(options.before, options).facts)
  for (const fact of facts) if (!isAdded(fact)) takeOne(known, keyOf(fact))
  return { facts: added.filter((fact) => fact.author === 'person' && !takeOne(known, keyOf(fact))), outline: parsed.outline }
}

function countsOf(facts: readonly PlacedFact[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const fact of facts) counts.set(keyOf(fact), (counts.get(keyOf(fact)) ?? 0) + 1)
  return counts
}

/** Whether there was one left. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0
  counts.set(key, left - 1)
  return left > 0
}

function keyOf({ id, state, author }: PlacedFact): string {
  return [id, state ?? '', author].join(' ')
}
