import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Invocation } from '../../command.ts'
import { requirePlaceToWrite } from '../../command-line/place-to-write.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { readStateArchive, writeStateArchive } from '../../state/state-archive.ts'
import type { StateCounts } from '../../state/state-archive.ts'
import { adoptState, orphanedStates, prepareState } from '../../state/workspace-state.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'

/** Writes the state that cannot be rebuilt from the notes into one file. */
export async function backup(invocation: Invocation): Promise<ExitCode> {
  const file = fileOf(invocation)
  if (existsSync(file)) {
    throw new CommandError('exists', `${file} is there already, and is not overwritten`, { next: 'Name another file.' })
  }
  requirePlaceToWrite(file)
  const state = prepareState(await commandSettings(invocation))
  return report(invocation, { file, state, did: 'written to', counts: await writeStateArchive(state, file) })
}

/** Restores it beside what is there. */
export async function restore(invocation: Invocation): Promise<ExitCode> {
  const file = fileOf(invocation)
  const state = prepareState(await commandSettings(invocation))
  return report(invocation, { file, state, did: 'restored from', counts: await readStateArchive(state, file) })
}

/** Takes over the state of a workspace whose folder was moved here. */
export async function adopt(invocation: Invocation): Promise<ExitCode> {
  const { console, currentFolder, words } = invocation
  const settings = await commandSettings(invocation)
  const from = resolve(currentFolder, words[0] ?? '')
  if (existsSync(from)) {
    throw new CommandError('still-there', `${from} is still there: what is kept of it stays with it`, {
      next: 'Name the place the folder had before.',
    })
  }
  if (!adoptState(settings, from)) {
    const known = orphanedStates(settings)
    throw new CommandError('unknown-workspace', `nothing is kept of a workspace at ${from}`, {
      exitCode: EXIT.nothing,
      next: known.length === 0 ? 'Nothing is kept of any folder that is gone.' : `Folders that are gone: ${known.join(', ')}.`,
    })
  }
  const workspace = realpathSync(settings.workspace)
  console.document({ from, workspace })
  console.print(`kept versions, the trash and forgotten notes of ${shown(from)} belong to ${shown(workspace)} now`)
  return EXIT.done
}

interface Report {
  readonly file: string
  readonly state: string
  readonly did: string
  readonly counts: StateCounts
}

function report({ console }: Invocation, { file, state, did, counts }: Report): ExitCode {
  const { versions, trash, forgotten } = counts
  console.document({ file, state, ...counts })
  console.print(
    `${versions} kept versions, ${trash} files of the trash and ${forgotten} lists of forgotten notes ${did} ${shown(file)}`,
  )
  return EXIT.done
}

function fileOf({ words, currentFolder }: Invocation): string {
  return resolve(currentFolder, words[0] ?? '')
}

function shown(path: string): string {
  return isolate(printableName(path))
}
