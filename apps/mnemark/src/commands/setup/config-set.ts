import { join, resolve } from 'node:path'
import type { JsonObjectNode } from '@croct/json5-parser'
import { ConfigError } from '@mnemark/spec'
import json5 from 'json5'
import type { Invocation } from '../../command.ts'
import { CONFIG_FILE } from '../../config/files/config-file.ts'
import { editConfigFile, replaceFile, setAt, unsetAt } from '../../config/read/edit-config-file.ts'
import { isFile } from '../../config/files/find-workspace.ts'
import { findConfig, loadSettings } from '../../config/load-settings.ts'
import { knownKeys } from '../../config/schema/schema.ts'
import { applyTrust } from '../../config/trust/apply-trust.ts'
import { keepAgreement } from '../../config/ask-for-trust.ts'
import { trustRecordOf } from '../../config/trust/trust-list.ts'
import { findTrustedKeys } from '../../config/trust/trusted-keys.ts'
import { userFolders } from '../../config/files/user-folders.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError, toMaskedFailure } from '../../failure.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'

/** Keys written without the first two parts, as messages do. */
const SHORT = ['memorySearch', 'userTimezone', 'dateOrder', 'compaction']

type Edit = (root: JsonObjectNode, path: readonly string[]) => void

/** Sets one key and keeps the rest of the file, comments too. A typed value counts as trusted on this machine. */
export async function setKey(invocation: Invocation): Promise<ExitCode> {
  const [, key, text, more] = invocation.words
  if (key === undefined || text === undefined || more !== undefined) throw usage('config set KEY VALUE')
  const [value, ...others] = valuesOf(text)
  try {
    return await change(invocation, key, (root, path) => setAt(root, path, value))
  } catch (error) {
    if (!ConfigError.isInstance(error) || others.length === 0) throw error
    // A text such as 12345 may be meant literally, as a key for example. If that is wrong too, the error of the first reading is
    // shown.
    return change(invocation, key, (root, path) => setAt(root, path, others[0])).catch(() => {
      throw error
    })
  }
}

export async function unsetKey(invocation: Invocation): Promise<ExitCode> {
  const [, key, more] = invocation.words
  if (key === undefined || more !== undefined) throw usage('config unset KEY')
  return change(invocation, key, (root, path) => {
    if (!unsetAt(root, path)) {
      throw new CommandError('not-set', `${path.join('.')} is not set`, {
        next: 'mnemark config show prints what is.',
        exitCode: EXIT.nothing,
      })
    }
  })
}

async function change(invocation: Invocation, key: string, edit: Edit): Promise<ExitCode> {
  const { console } = invocation
  const path = pathOf(key)
  const { file, workspace } = await placeOf(invocation)
  const isNew = !isFile(file)
  const { old, changed, text } = await editConfigFile(file, (root) => edit(root, path))
  const agreed = workspace === null ? [] : applyTrust(old.config, workspace).agreed
  replaceFile(file, text)
  if (workspace !== null) {
    const counts = (name: string): boolean => name === path.join('.') || name.startsWith(`${path.join('.')}.`)
    const names = new Set(agreed.map((each) => each.path.join('.')))
    const keys = findTrustedKeys(changed.config, knownKeys(), workspace).filter(
      (each) => counts(each.path.join('.')) || names.has(each.path.join('.')),
    )
    // Changing a key that needs no trust does not trust a file that came with the folder.
    if (isNew || keys.length > 0 || trustRecordOf(workspace) !== null) keepAgreement(keys, workspace)
  }
  console.document({ file, key: path.join('.') })
  console.print(`${isolate(printableName(path.join('.')))} changed in ${isolate(printableName(file))}`)
  await noteContradiction(invocation)
  return EXIT.done
}

/** Keys are set one by one, so what contradicts the others is written all the same, and named until the next one is set. */
async function noteContradiction({ console, globalOptions, currentFolder, environment }: Invocation): Promise<void> {
  try {
    await loadSettings(globalOptions, currentFolder, environment)
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    console.note(`mnemark: ${(await toMaskedFailure(error)).message}`)
  }
}

/**
 * The file in force, or the one that would be. `workspace` is set if it is a workspace's own, which counts as far as it is
 * trusted.
 */
async function placeOf(invocation: Invocation): Promise<{ readonly file: string; readonly workspace: string | null }> {
  const { globalOptions, currentFolder, environment, options } = invocation
  const users = join(userFolders().config, CONFIG_FILE)
  if (globalOptions.config !== undefined) return { file: resolve(currentFolder, globalOptions.config), workspace: null }
  if (options.has('user')) return { file: users, workspace: null }
  const { configFile, workspace } = await findConfig(globalOptions, currentFolder, environment)
  const file = configFile ?? join(workspace, CONFIG_FILE)
  return { file, workspace: file === users ? null : workspace }
}

function pathOf(key: string): readonly string[] {
  const path = key.split('.')
  if (path.some((name) => name === '' || name === '__proto__')) {
    throw new CommandError('bad-use', `${JSON.stringify(key)} is no key`, {
      next: 'Write it with dots, as in memorySearch.query.maxResults.',
    })
  }
  return SHORT.includes(path[0] ?? '') ? ['agents', 'defaults', ...path] : path
}

/** The values a typed text may mean, likeliest first: JSON5, else the text itself. */
function valuesOf(text: string): readonly unknown[] {
  try {
    const value: unknown = json5.parse(text)
    return typeof value === 'string' ? [value] : [value, text]
  } catch {
    return [text]
  }
}

function usage(expected: string): CommandError {
  return new CommandError('bad-use', `expected: mnemark ${expected}`, { next: 'mnemark config --help shows examples.' })
}
