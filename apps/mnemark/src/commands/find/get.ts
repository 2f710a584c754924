import { WorkspaceError } from '@mnemark/spec'
import type { CallerContext, DocumentReader, ReadReply } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { wholeNumber } from '../../command-line/option-values.ts'
import type { Settings } from '../../config/load-settings.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openNotes } from '../../memory/open/open-memory.ts'
import { printable, printableName } from '../../terminal/isolate.ts'
import { nearText } from '../../printing/near-text.ts'
import { printPaged } from '../../printing/print-paged.ts'
import { commandSettings } from '../command-settings.ts'
import { nearNotes } from '../../memory/open/near-notes.ts'
import { linesOf } from '@mnemark/tools/answers'

/** Reads a note or some of its lines. A citation (`memory/a.md#L12-L20`) reads the lines it names. */
export async function get(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const from = wholeNumber(options, 'from', 1)
  const lines = wholeNumber(options, 'lines', 1)
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const path = words[0] ?? ''
  if (path.startsWith('session:')) return (await import('../sessions/get-lines.ts')).getLines(path, { from, lines }, invocation)
  const reader = await openReader(settings)
  const caller = { agentId: settings.agentId }
  const request = { path, ...withoutUndefined({ from, lines, quoteHash: options.get('quote') }), caller }
  const read = await reader.read(request).catch((error: unknown) => refuse(error, path, settings))
  const reply = options.has('mask') ? await masked(read, reader, caller) : read
  const near = reply.status === 'not-found' && reply.moved === undefined ? await nearTo(path, settings) : []
  console.document({ ...reply, ...(near.length === 0 ? {} : { near }) })
  if (!console.isJson) await print(invocation, path, { ...reply, near })
  return reply.status === 'not-found' || reply.moved === 'gone' ? EXIT.nothing : EXIT.done
}

async function openReader(settings: Settings): Promise<DocumentReader> {
  if (settings.qmd === null) return (await openNotes(settings)).reader
  const { findQmdPlace, openQmdReader } = await import('../../qmd/qmd-place.ts')
  const agent = { ...settings, qmd: settings.qmd }
  return openQmdReader(agent, findQmdPlace(agent))
}

async function nearTo(path: string, settings: Settings): Promise<readonly string[]> {
  return nearNotes(await openNotes(settings), path)
}

/** A name without its folder is not a path of a note, nor is a path with a misspelt folder; similar paths are suggested. */
async function refuse(error: unknown, path: string, settings: Settings): Promise<never> {
  if (!WorkspaceError.isInstance(error) || error.code !== 'refused') throw error
  const near = await nearTo(path, settings)
  if (near.length === 0) throw error
  throw new CommandError('refused', `${printableName(path)} is not the path of a note.${nearText(near)}`, {
    next: `mnemark get ${JSON.stringify(near[0])} reads the first of them.`,
  })
}

async function print(
  invocation: Invocation,
  path: string,
  reply: ReadReply & { readonly near: readonly string[] },
): Promise<void> {
  const { console } = invocation
  const text = console.hasColour ? printable(reply.text) : reply.text
  if (text !== '') await printPaged(text.replace(/\r?\n$/, ''), invocation)
  if (reply.status === 'not-found' && reply.moved === undefined)
    console.note(`mnemark: there is no note ${printableName(path)}.${nearText(reply.near)}`)
  if (reply.moved !== undefined) {
    const place = reply.text === '' ? '' : ` (${printableName(reply.path)}#L${reply.startLine}-L${reply.endLine})`
    console.note(`mnemark: ${MOVED[reply.moved]}${place}`)
  }
  if (reply.note !== undefined && reply.moved !== 'gone') console.note(`mnemark: ${reply.note}`)
  if (reply.nextFrom !== undefined) console.note(`mnemark: more with --from ${reply.nextFrom}`)
}

async function masked(reply: ReadReply, reader: DocumentReader, caller: CallerContext): Promise<ReadReply> {
  const { maskText, secretsAround } = await import('@mnemark/masking')
  return { ...reply, text: await maskText(reply.text, await secretsAround(reply, linesOf(reader, { caller }))) }
}

const MOVED: Readonly<Record<NonNullable<ReadReply['moved']>, string>> = {
  same: 'the quoted text stands where it was cited',
  moved: 'the quoted text has moved',
  changed: 'the quoted text was changed; what is left of it is',
  gone: 'the quoted text is in no note any more',
}
