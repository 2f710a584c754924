import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { warnOfSecrets } from '@mnemark/masking'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openNotes } from '../../memory/open/open-memory.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'

/** Writes a note at the end of a file and reports where it is. The next search finds it. */
export async function append(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const text = words.join(' ')
  if (text.trim() === '') throw new CommandError('bad-use', 'there is no text to append', { next: 'Give the text in quotes.' })
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const notes = await openNotes(settings)
  const written = await warnOfSecrets(await notes.append(text, { to: options.get('to') ?? 'daily' }), text)
  console.document(written)
  const place = isolate(printableName(`${written.path}#L${written.startLine}-L${written.endLine}`))
  console.print(`${written.status} ${place}`)
  if (written.warning !== undefined) console.note(`mnemark: ${printableName(written.warning)}`)
  return EXIT.done
}
