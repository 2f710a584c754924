import type { KeyTree } from './schema.ts'

export type KeyPath = readonly string[]

/** A key of a configuration file that means nothing where it stands, with the keys known there. */
export interface UnknownKey {
  readonly path: KeyPath
  readonly siblings: readonly string[]
}

/** Keys of `config` that `tree` does not know; what stands below one is not looked at. */
export function findUnknownKeys(config: unknown, tree: KeyTree): readonly UnknownKey[] {
  const unknown: UnknownKey[] = []
  const walk = (value: unknown, node: KeyTree, path: KeyPath): void => {
    if (node.kind === 'object' && typeof value === 'object' && value !== null) {
      const siblings = [...node.keys.keys()]
      for (const name of Object.keys(value)) if (!node.keys.has(name)) unknown.push({ path: [...path, name], siblings })
    }
    for (const child of childrenOf(value, node)) walk(child.value, child.node, [...path, child.name])
  }
  walk(config, tree, [])
  return unknown
}

/**
 * Known keys of `config` that no path of `honoured` covers, each as the shortest path that holds nothing honoured. List indexes and
 * the names of a record are `*` in `honoured`.
 */
export function findUnhonouredKeys(config: unknown, tree: KeyTree, honoured: ReadonlySet<string>): readonly string[] {
  const found: string[] = []
  const walk = (value: unknown, node: KeyTree, path: KeyPath, pattern: KeyPath): void => {
    const key = pattern.join('.')
    if (honoured.has(key)) return
    if (![...honoured].some((candidate) => candidate.startsWith(`${key}.`))) found.push(path.join('.'))
    else
      for (const child of childrenOf(value, node))
        walk(child.value, child.node, [...path, child.name], [...pattern, child.pattern])
  }
  for (const child of childrenOf(config, tree)) walk(child.value, child.node, [child.name], [child.pattern])
  return found
}

interface Child {
  readonly name: string
  readonly pattern: string
  readonly value: unknown
  readonly node: KeyTree
}

function childrenOf(value: unknown, node: KeyTree): readonly Child[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  switch (node.kind) {
    case 'value':
      return []
    case 'list':
      return entries.map(([name, member]) => ({ name, pattern: '*', value: member, node: node.item }))
    case 'record':
      return entries.map(([name, member]) => ({ name, pattern: '*', value: member, node: node.value }))
    case 'object':
      return entries.flatMap(([name, member]) => {
        const child = node.keys.get(name)
        return child === undefined ? [] : [{ name, pattern: name, value: member, node: child }]
      })
  }
}
