import { WorkspaceError } from '@mnemark/spec'
import type { EditReport, Workspace } from '@mnemark/workspace'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { requireMemory } from '../memory/memory-off.ts'
import { openNotes } from '../memory/open-memory.ts'
import { isolate, printableName } from '../output/isolate.ts'
import { commandSettings } from './command-settings.ts'

/** Replaces a text of a note by another and says where it stands. The next search finds it. */
export async function edit(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const path = words[0] ?? ''
  const replace = { old: required('replace', options.get('replace')), new: required('with', options.get('with')) }
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const written = await editNote(await openNotes(settings), path, replace)
  console.document(written)
  if (written.status === 'not-found') {
    console.note(`mnemark: there is no note ${printableName(path)}`)
    return EXIT.nothing
  }
  const place = isolate(printableName(`${written.path}#L${written.startLine}-L${written.endLine}`))
  console.print(`${written.status} ${place}`)
  return EXIT.done
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new CommandError('bad-use', `--${name} is missing`, { next: 'mnemark edit PATH --replace OLD --with NEW' })
}

async function editNote(
  notes: Workspace,
  path: string,
  replace: { readonly old: string; readonly new: string },
): Promise<EditReport> {
  try {
    return await notes.edit(path, { replace })
  } catch (error) {
    if (!WorkspaceError.isInstance(error) || error.code !== 'conflict') throw error
    throw new CommandError('conflict', error.message, {
      exitCode: EXIT.nothing,
      next: `mnemark get ${printableName(path)} shows the note as it is now.`,
    })
  }
}
