import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isObject } from '../schema/is-object.ts'
import { formOf } from '../schema/key-tree.ts'
import type { KeyTree } from '../schema/key-tree.ts'
import type { KeyTrust } from '../schema/schema-values.ts'

/** A key of a configuration that counts only where the configuration is trusted, with its value as parsed. */
export interface TrustedKey {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Keys of `config` that need trust: programs, hosts, keys, money, and paths that leave `folder`, the file's workspace. */
export function findTrustedKeys(config: unknown, tree: KeyTree, folder: string): readonly TrustedKey[] {
  const found: TrustedKey[] = []
  const walk = (value: unknown, node: KeyTree, at: { readonly path: readonly string[]; readonly trust?: KeyTrust }): void => {
    const { path } = at
    const trust = node.trust ?? at.trust
    const children = childrenOf(value, node)
    if (children !== null) {
      const below = trust === undefined ? {} : { trust }
      for (const { name, member, child } of children) walk(member, formOf(child, member), { path: [...path, name], ...below })
    } else if (trust !== undefined && needsTrust(value, trust, folder)) found.push({ path, value })
  }
  walk(config, tree, { path: [] })
  return found
}

/**
 * The config without those keys, and without lists and objects that thereby become empty: an empty one may have a meaning too.
 */
export function withoutKeys(config: unknown, keys: readonly TrustedKey[]): unknown {
  const dropped = new Set(keys.map(({ path }) => path.join('\n')))
  const copy = (value: unknown, path: readonly string[]): unknown => {
    if (!isObject(value)) return value
    const members = Object.entries(value).flatMap(([name, member]) => {
      const at = [...path, name]
      const kept = dropped.has(at.join('\n')) ? undefined : copy(member, at)
      return kept === undefined ? [] : [[name, kept] as const]
    })
    if (members.length === 0 && Object.keys(value).length > 0) return undefined
    return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
  }
  return copy(config, []) ?? {}
}

interface Child {
  readonly name: string
  readonly member: unknown
  readonly child: KeyTree
}

/**
 * Null for a value that is judged as a whole: not an object, or a list of plain values. Unknown keys have no effect and are
 * skipped.
 */
function childrenOf(value: unknown, node: KeyTree): readonly Child[] | null {
  if (!isObject(value)) return null
  const members = Object.entries(value)
  switch (node.kind) {
    case 'object':
      return members.flatMap(([name, member]) => {
        const child = node.keys.get(name)
        return child === undefined ? [] : [{ name, member, child }]
      })
    case 'record':
      return members.map(([name, member]) => ({ name, member, child: node.value }))
    case 'list':
      return node.item.kind === 'object' ? members.map(([name, member]) => ({ name, member, child: node.item })) : null
    case 'value':
    case 'either':
      return null
  }
}

function needsTrust(value: unknown, trust: KeyTrust, folder: string): boolean {
  if (trust.class === 'finding') return false
  if (trust.class === 'inside') return ![value].flat().every((path) => typeof path === 'string' && isInside(path, folder))
  return !(trust.harmless?.some((harmless) => harmless === value) ?? false)
}

/** True if a path in a file of `folder` stays inside it: no variable, no `~`, no `..`, no link on the way. */
function isInside(path: string, folder: string): boolean {
  if (/\$\{|^~|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return false
  const absolute = resolve(folder, path)
  if (absolute !== folder && !absolute.startsWith(folder + sep)) return false
  try {
    const [place, real] = [realPlace(absolute), realpathSync(folder)]
    return place === real || place.startsWith(real + sep)
  } catch {
    return false
  }
}

/** The real path, or for a missing file that of its nearest existing folder. A dangling link throws. */
function realPlace(absolute: string): string {
  if (existsSync(absolute)) return realpathSync(absolute)
  if (lstatSync(absolute, { throwIfNoEntry: false }) !== undefined) throw new Error('a link that leads nowhere')
  return join(realPlace(dirname(absolute)), basename(absolute))
}
