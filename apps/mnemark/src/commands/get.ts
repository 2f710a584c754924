import type { CallerContext, DocumentReader, ReadReply } from '@mnemark/spec'
import type { Invocation } from '../command.ts'
import { wholeNumber } from '../command-line/option-values.ts'
import type { Settings } from '../config/load-settings.ts'
import { withoutUndefined } from '../config/without-undefined.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { requireMemory } from '../memory/memory-off.ts'
import { openNotes } from '../memory/open-memory.ts'
import type { Console } from '../output/console.ts'
import { printable, printableName } from '../output/isolate.ts'
import { commandSettings } from './command-settings.ts'

/** Reads a note or some of its lines. A citation (`memory/a.md#L12-L20`) reads the lines it names. */
export async function get(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const from = wholeNumber(options, 'from', 1)
  const lines = wholeNumber(options, 'lines', 1)
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const path = words[0] ?? ''
  const reader = await openReader(settings)
  const caller = { agentId: settings.agentId }
  const read = await reader.read({ path, ...withoutUndefined({ from, lines, quoteHash: options.get('quote') }), caller })
  const reply = options.has('mask') ? await masked(read, reader, caller) : read
  console.document(reply)
  if (!console.isJson) print(console, path, reply)
  return reply.status === 'not-found' || reply.moved === 'gone' ? EXIT.nothing : EXIT.done
}

async function openReader(settings: Settings): Promise<DocumentReader> {
  if (settings.qmd === null) return (await openNotes(settings)).reader
  const { findQmdPlace, openQmdReader } = await import('../qmd/qmd-place.ts')
  const agent = { ...settings, qmd: settings.qmd }
  return openQmdReader(agent, findQmdPlace(agent))
}

function print(console: Console, path: string, reply: ReadReply): void {
  const text = console.hasColour ? printable(reply.text) : reply.text
  if (text !== '') console.verbatim(text.replace(/\r?\n$/, ''))
  if (reply.status === 'not-found' && reply.moved === undefined) console.note(`mnemark: there is no note ${printableName(path)}`)
  if (reply.moved !== undefined) {
    const place = reply.text === '' ? '' : ` (${printableName(reply.path)}#L${reply.startLine}-L${reply.endLine})`
    console.note(`mnemark: ${MOVED[reply.moved]}${place}`)
  }
  if (reply.note !== undefined && reply.moved !== 'gone') console.note(`mnemark: ${reply.note}`)
  if (reply.nextFrom !== undefined) console.note(`mnemark: more with --from ${reply.nextFrom}`)
}

async function masked(reply: ReadReply, reader: DocumentReader, caller: CallerContext): Promise<ReadReply> {
  const { maskText, secretsAround } = await import('@mnemark/masking')
  const { linesOf } = await import('@mnemark/tools/host')
  return { ...reply, text: await maskText(reply.text, await secretsAround(reply, linesOf(reader, { caller }))) }
}

const MOVED: Readonly<Record<NonNullable<ReadReply['moved']>, string>> = {
  same: 'the quoted text stands where it was cited',
  moved: 'the quoted text has moved',
  changed: 'the quoted text was changed; what is left of it is',
  gone: 'the quoted text is in no note any more',
}
