import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Invocation } from '../../command.ts'
import { CONFIG_FILE } from '../../config/files/config-file.ts'
import { findWorkspace, isFolder } from '../../config/files/find-workspace.ts'
import { loadSettings } from '../../config/load-settings.ts'
import type { Settings } from '../../config/load-settings.ts'
import { keepAgreement } from '../../config/ask-for-trust.ts'
import { describeWishes } from '../../config/describe-untrusted.ts'
import { dropTrust, readTrustList, realFolder, trustListFile } from '../../config/trust/trust-list.ts'
import { nameOf } from '../../config/trust/trust-record.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'

/** Trusts the configuration file of a workspace on this machine. */
export async function trust(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  if (options.has('list')) return list(invocation)
  const folder = folderOf(invocation)
  const { untrusted } = await settingsOf(folder, invocation)
  if (untrusted === null) {
    const state = isTrusted(folder) ? 'trusted' : 'nothing-to-trust'
    console.document({ workspace: folder, state, keys: [] })
    console.print(`${shown(folder)}: ${state === 'trusted' ? 'trusted already' : 'nothing in its configuration needs trust'}`)
    return EXIT.done
  }
  const wishes = describeWishes(untrusted.keys)
  console.print(`${shown(untrusted.file)} wants to\n${wishes.map((wish) => `  - ${wish}`).join('\n')}`)
  if (!options.has('yes') && !(await isAgreed(invocation))) {
    console.note('mnemark: nothing was trusted')
    return EXIT.nothing
  }
  keepAgreement([...untrusted.agreed, ...untrusted.keys], folder)
  console.document({ workspace: folder, state: 'trusted', keys: untrusted.keys.map(nameOf), wishes })
  console.print(`trusted on this machine, until one of them changes; mnemark untrust ${shown(folder)} takes it back`)
  return EXIT.done
}

/** Withdraws trust: the file's programs, hosts, keys and paths outside the folder no longer count. */
export async function untrust(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const folder = folderOf(invocation, { mayBeGone: true })
  const wasTrusted = isTrusted(folder)
  dropTrust(folder)
  console.document({ workspace: folder, state: wasTrusted ? 'untrusted' : 'was-not-trusted' })
  console.print(`${shown(folder)}: ${wasTrusted ? 'not trusted any more' : 'was not trusted'}`)
  return wasTrusted ? EXIT.done : EXIT.nothing
}

async function isAgreed({ console }: Invocation): Promise<boolean> {
  if (!console.canAsk) {
    throw new CommandError('not-asked', 'nobody is at a terminal to be asked', {
      next: 'Read what the file wants, then run the command again with --yes.',
    })
  }
  const answer = await console.ask('Trust it on this machine? [y/N] ')
  return answer !== null && /^y(?:es)?$/i.test(answer)
}

async function list(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const workspaces = []
  for (const { workspace, keys, trustedAt } of readTrustList().values()) {
    if (trustedAt !== null)
      workspaces.push({ workspace, state: await stateOf(workspace, invocation), keys: Object.keys(keys), trustedAt })
  }
  console.document({ file: trustListFile(), workspaces })
  for (const { workspace, state, keys } of workspaces)
    console.print(`${state.padEnd(8)} ${shown(workspace)}  ${keys.length} keys`)
  if (workspaces.length === 0) console.note('mnemark: no workspace was trusted on this machine')
  return workspaces.length === 0 ? EXIT.nothing : EXIT.done
}

async function stateOf(folder: string, invocation: Invocation): Promise<'trusted' | 'changed' | 'missing' | 'broken'> {
  if (!existsSync(join(folder, CONFIG_FILE))) return 'missing'
  try {
    return (await settingsOf(folder, invocation)).untrusted === null ? 'trusted' : 'changed'
  } catch {
    return 'broken'
  }
}

/** Settings with the file in the folder, whatever else is configured. */
function settingsOf(folder: string, { globalOptions, currentFolder, environment }: Invocation): Promise<Settings> {
  if (!existsSync(join(folder, CONFIG_FILE))) {
    throw new CommandError('no-file', `${folder} has no ${CONFIG_FILE}`, {
      next: 'Name a folder that has one; without one there is nothing to trust.',
    })
  }
  const { config: _, ...options } = globalOptions
  return loadSettings({ ...options, workspace: folder }, currentFolder, environment)
}

function isTrusted(folder: string): boolean {
  return (readTrustList().get(realFolder(folder))?.trustedAt ?? null) !== null
}

function folderOf({ words, globalOptions, currentFolder }: Invocation, { mayBeGone = false } = {}): string {
  const named = words[0] ?? globalOptions.workspace
  const folder = named === undefined ? (findWorkspace(currentFolder) ?? currentFolder) : resolve(currentFolder, named)
  if (!mayBeGone && !isFolder(folder)) {
    throw new CommandError('no-folder', `${folder} is not a folder`, { next: 'Check the path.' })
  }
  return realFolder(folder)
}

function shown(path: string): string {
  return isolate(printableName(path))
}
