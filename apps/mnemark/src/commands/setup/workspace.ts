import { resolve } from 'node:path'
import type { Invocation } from '../../command.ts'
import { editConfigFile, replaceFile, setAt, unsetAt } from '../../config/read/edit-config-file.ts'
import { isFolder } from '../../config/files/find-workspace.ts'
import { namesFile, readNamedWorkspaces, unknownName } from '../../config/read/named-workspaces.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'

const ACTIONS: Readonly<Record<string, (invocation: Invocation, words: readonly string[]) => Promise<ExitCode>>> = {
  add,
  remove,
  list,
}

/** Manages names for folders of notes, so that `-w NAME` searches them from anywhere. */
export async function workspace(invocation: Invocation): Promise<ExitCode> {
  const [name = '', ...words] = invocation.words
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action === undefined) throw usage('workspace add|remove|list')
  return action(invocation, words)
}

async function add({ console, currentFolder }: Invocation, words: readonly string[]): Promise<ExitCode> {
  const [typed, directory, more] = words
  if (typed === undefined || directory === undefined || more !== undefined) throw usage('workspace add NAME DIR')
  const name = nameFrom(typed)
  const folder = resolve(currentFolder, directory)
  if (!isFolder(folder)) {
    throw new CommandError('no-folder', `${folder} is not a folder`, {
      next: 'Check the path, or make the folder with mnemark init.',
    })
  }
  const known = (await readNamedWorkspaces()).get(name)
  if (known !== undefined && known !== folder) {
    throw new CommandError('name-taken', `${JSON.stringify(name)} is ${known} already`, {
      next: `Choose another name, or take this one away first: mnemark workspace remove ${name}.`,
    })
  }
  if (known === undefined) {
    const { text } = await editConfigFile(namesFile(), (root) => setAt(root, ['workspaces', name], folder))
    replaceFile(namesFile(), text)
  }
  console.document({ name, folder, status: known === undefined ? 'added' : 'exists', file: namesFile() })
  console.print(
    `${isolate(name)} is ${shown(folder)}${known === undefined ? '' : ' already'}; as in: mnemark search -w ${name} QUERY`,
  )
  return EXIT.done
}

async function remove({ console }: Invocation, words: readonly string[]): Promise<ExitCode> {
  const [typed, more] = words
  if (typed === undefined || more !== undefined) throw usage('workspace remove NAME')
  const name = typed.normalize('NFC')
  const named = await readNamedWorkspaces()
  const folder = named.get(name)
  if (folder === undefined) throw unknownName(name, [...named.keys()])
  const { text } = await editConfigFile(namesFile(), (root) => unsetAt(root, ['workspaces', name]))
  replaceFile(namesFile(), text)
  console.document({ name, folder, status: 'removed', file: namesFile() })
  console.print(`${isolate(name)} names no workspace any more; ${shown(folder)} and its index stay as they are`)
  return EXIT.done
}

/** Prints a name, a tab and a folder on each line, for `cut` and shells. */
async function list({ console }: Invocation, words: readonly string[]): Promise<ExitCode> {
  if (words.length > 0) throw usage('workspace list')
  const workspaces = [...(await readNamedWorkspaces())].map(([name, folder]) => ({ name, folder, exists: isFolder(folder) }))
  console.document({ file: namesFile(), workspaces })
  for (const { name, folder, exists } of workspaces) {
    console.print(console.isTerminal ? `${isolate(name)}\t${shown(folder)}` : `${name}\t${folder}`)
    if (!exists) console.note(`mnemark: ${shown(folder)}, named ${name}, is not a folder any more`)
  }
  if (workspaces.length === 0) console.note('mnemark: no workspace has a name yet: mnemark workspace add NAME DIR')
  return workspaces.length === 0 ? EXIT.nothing : EXIT.done
}

/**
 * A name is typed in a shell, stored as a key and must differ from a folder: so no blank or slash, and no dot at the beginning.
 */
function nameFrom(typed: string): string {
  const name = typed.normalize('NFC')
  if (/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_-]{0,63}$/u.test(name) && name !== '__proto__' && name !== 'all') return name
  throw new CommandError(
    'bad-use',
    `${JSON.stringify(typed)} cannot name a workspace: letters of any script, digits, "-" and "_", at most 64, and not "all"`,
    { next: 'Choose another name, as in: mnemark workspace add notes ~/notes.' },
  )
}

function shown(path: string): string {
  return isolate(printableName(path))
}

function usage(expected: string): CommandError {
  return new CommandError('bad-use', `expected: mnemark ${expected}`, { next: 'mnemark workspace --help shows examples.' })
}
