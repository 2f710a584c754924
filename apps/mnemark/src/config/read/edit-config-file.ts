import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { JsonArrayNode, JsonObjectNode, JsonParser } from '@croct/json5-parser'
import { ConfigError } from '@mnemark/spec'
import { CommandError } from '../../failure.ts'
import { isFile } from '../files/find-workspace.ts'
import { readConfig } from './read-config.ts'
import type { ReadConfig } from './read-config.ts'

const EMPTY = '{}\n'

/** A configuration file before and after a change. Nothing is written here: `replaceFile` does that. */
export interface EditedConfig {
  readonly old: ReadConfig
  readonly changed: ReadConfig
  readonly text: string
}

/**
 * Changes a configuration file, or an empty one, and keeps everything else in it, comments too. Throws if the result would be
 * invalid.
 */
export async function editConfigFile(file: string, edit: (root: JsonObjectNode) => void): Promise<EditedConfig> {
  const before = isFile(file) ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : EMPTY
  const old = await readConfig(before, file)
  const root = JsonParser.parse(before)
  if (!(root instanceof JsonObjectNode)) throw new ConfigError('invalid-value', `${file} does not hold an object`)
  edit(root)
  const text = root.toString()
  const changed = await readConfig(text, file)
  const mistake = changed.warnings.find((warning) => !old.warnings.includes(warning))
  if (mistake !== undefined) throw new CommandError('bad-use', mistake, { next: 'docs/configuration.md lists every key.' })
  return { old, changed, text }
}

/** Returns false if the key was not set. */
export function unsetAt(root: JsonObjectNode, path: readonly string[]): boolean {
  const parent = nodeAt(root, path.slice(0, -1))
  const name = path.at(-1) ?? ''
  if (!(parent instanceof JsonObjectNode) || !parent.has(name)) return false
  if (!canLose(parent, name)) parent.reformat(ON_LINES)
  parent.delete(name)
  return true
}

const ON_LINES = { object: { indentationSize: 2, leadingIndentation: true, trailingIndentation: true, entryIndentation: true } }

/** The parser writes what is no JSON5 after a loss where nothing stands between a brace or a comma and the key. */
function canLose(parent: JsonObjectNode, name: string): boolean {
  const copy = parent.clone()
  copy.delete(name)
  try {
    return JSON.stringify(JsonParser.parse(copy.toString()).toJSON()) === JSON.stringify(copy.toJSON())
  } catch {
    return false
  }
}

function nodeAt(root: JsonObjectNode, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, name) => {
    if (node instanceof JsonObjectNode) return node.has(name) ? node.get(name) : undefined
    return node instanceof JsonArrayNode ? node.elements[Number(name)] : undefined
  }, root)
}

export function setAt(root: JsonObjectNode, path: readonly string[], value: unknown): void {
  let parent = root
  for (const [at, name] of path.entries()) {
    const known = at === path.length - 1 ? undefined : nodeAt(parent, [name])
    if (known instanceof JsonObjectNode) parent = known
    else if (known !== undefined) {
      throw new ConfigError('invalid-value', `${path.slice(0, at + 1).join('.')} is no object, so nothing can be set below it`)
    } else {
      // The rest of the path as objects, with the value in the last. Safe: all of it is JSON.
      parent.set(name, path.slice(at + 1).reduceRight((inner, each) => ({ [each]: inner }), value) as never)
      return
    }
  }
}

/** Replaces the file in one step and keeps its mode; a new file is readable by its owner only, since it may hold keys. */
export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const target = isFile(file) ? realpathSync(file) : file
  const mode = isFile(file) ? statSync(file).mode & 0o777 : 0o600
  const temporary = `${target}.${process.pid}`
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    chmodSync(temporary, mode)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
