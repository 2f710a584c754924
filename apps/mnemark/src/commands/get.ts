import type { ReadReply } from '@mnemark/spec'
import type { Invocation } from '../command.ts'
import { wholeNumber } from '../command-line/option-values.ts'
import { loadSettings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { requireMemory } from '../memory/memory-off.ts'
import { openNotes } from '../memory/open-memory.ts'
import type { Console } from '../output/console.ts'
import { printable } from '../output/isolate.ts'
import { noteWarnings } from '../output/note-warnings.ts'

/** Reads a note or some of its lines. A citation (`memory/a.md#L12-L20`) reads the lines it names. */
export async function get(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const from = wholeNumber(options, 'from', 1)
  const lines = wholeNumber(options, 'lines', 1)
  const settings = await loadSettings(invocation.globalOptions, invocation.currentFolder, invocation.environment)
  requireMemory(settings)
  noteWarnings(console, settings)
  const path = words[0] ?? ''
  const notes = await openNotes(settings)
  const reply = await notes.reader.read({
    path,
    ...defined('from', from),
    ...defined('lines', lines),
    caller: { agentId: settings.agentId },
  })
  console.document(reply)
  if (!console.isJson) print(console, path, reply)
  return reply.status === 'not-found' ? EXIT.nothing : EXIT.done
}

function print(console: Console, path: string, reply: ReadReply): void {
  const text = console.hasColour ? printable(reply.text) : reply.text
  if (text !== '') console.print(text.replace(/\r?\n$/, ''))
  if (reply.status === 'not-found') console.note(`mnemark: there is no note ${printable(path)}`)
  if (reply.note !== undefined) console.note(`mnemark: ${reply.note}`)
  if (reply.nextFrom !== undefined) console.note(`mnemark: more with --from ${reply.nextFrom}`)
}

function defined<Name extends 'from' | 'lines'>(name: Name, value: number | undefined): Partial<Record<Name, number>> {
  // Safe: a record of one known name; TypeScript widens computed keys to string.
  return value === undefined ? {} : ({ [name]: value } as Record<Name, number>)
}
