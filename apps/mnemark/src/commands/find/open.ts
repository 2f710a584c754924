import type { Invocation } from '../../command.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { openInEditor } from '../../editor/open-in-editor.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openNotes } from '../../memory/open/open-memory.ts'
import { printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'

/** Opens a note in the user's editor, at the line of a place or citation. */
export async function open(invocation: Invocation): Promise<ExitCode> {
  const { words, console, environment } = invocation
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const wanted = words[0] ?? ''
  const place = await (await openNotes(settings)).place(wanted)
  if (place === null) {
    console.document({ path: wanted, status: 'not-found' })
    console.note(`mnemark: there is no note ${printableName(wanted)}`)
    return EXIT.nothing
  }
  const { path, file, line } = place
  const editor = await openInEditor({ file, ...withoutUndefined({ line }), environment, isJson: console.isJson })
  console.document({ path, status: 'opened', file, ...withoutUndefined({ line }), editor })
  return EXIT.done
}
