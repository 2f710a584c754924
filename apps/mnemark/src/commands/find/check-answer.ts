import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { findIndexPlace } from '../../memory/index/index-place.ts'
import { forgottenNotes, openNotes } from '../../memory/open/open-memory.ts'
import { requireScopes } from '../../memory/open/owner-caller.ts'
import { checkPack, type CheckedPack } from '../../operations/facts/check-pack.ts'
import { withoutForgotten } from '../../state/forgotten-notes.ts'
import type { Console } from '../../terminal/console.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { readCitations } from './read-citations.ts'
import { withChatOfKey } from './search.ts'

const STATUS_WIDTH = 'changed'.length
const STDIN = '-'

/** Says for each citation of an earlier answer where its text stands now. No index is needed. */
export async function checkAnswer(invocation: Invocation, file: string): Promise<ExitCode> {
  const { options, console } = invocation
  const citations = readCitations(await readAnswer(file, invocation))
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const caller = { ...(await withChatOfKey(readCaller(options))), agentId: settings.agentId }
  requireScopes(settings, caller)
  const { source, reader } = await openNotes(settings)
  const forgotten = forgottenNotes(settings, { file: findIndexPlace(settings)?.file ?? null, isReadOnly: true })
  const known = withoutForgotten(source, forgotten)
  const checked = await checkPack(citations, { source: known, reader, settings, caller, isMasking: options.has('mask') })
  console.document(checked)
  if (!console.isJson) printChecked(console, checked)
  return checked.citations.every(({ status }) => status === 'same' || status === 'moved') ? EXIT.done : EXIT.nothing
}

async function readAnswer(file: string, { currentFolder }: Invocation): Promise<string> {
  if (file === STDIN) return text(process.stdin)
  try {
    return await readFile(resolve(currentFolder, file), 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new CommandError('bad-use', `${printableName(file)} cannot be read: ${reason}`, {
      next: 'Give the file that recall --json printed, or - for standard input.',
    })
  }
}

/** Text is shown where it changed, beside what the answer told. */
function printChecked(console: Console, { citations }: CheckedPack): void {
  for (const { status, source, now, content } of citations) {
    const place = isolate(printableName(source))
    const other = now === undefined || now.source === source ? '' : ` → ${isolate(printableName(now.source))}`
    console.print(`${status.padEnd(STATUS_WIDTH)}  ${place}${other}`)
    if (status === 'changed' || status === 'gone') {
      if (content !== undefined) printText(console, 'told', content)
      if (now !== undefined) printText(console, 'now', now.text)
    }
  }
}

function printText(console: Console, label: string, said: string): void {
  for (const line of said.split('\n')) console.print(`${' '.repeat(STATUS_WIDTH)}  ${label}: ${isolate(printable(line))}`)
}
