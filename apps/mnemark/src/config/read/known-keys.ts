import { isObject } from '../schema/is-object.ts'
import { formOf } from '../schema/key-tree.ts'
import type { KeyTree } from '../schema/key-tree.ts'

export type KeyPath = readonly string[]

/** An unknown key of a configuration file, with the keys known at its place. */
export interface UnknownKey {
  readonly path: KeyPath
  readonly siblings: readonly string[]
}

/** Keys of `config` that `tree` does not know; nothing below such a key is checked. */
export function findUnknownKeys(config: unknown, tree: KeyTree): readonly UnknownKey[] {
  const unknown: UnknownKey[] = []
  const walk = (value: unknown, node: KeyTree, path: KeyPath): void => {
    if (node.kind === 'object' && isObject(value)) {
      const siblings = [...node.keys].flatMap(([name, { info }]) => (info?.isForeign === true ? [] : [name]))
      for (const name of Object.keys(value)) if (!node.keys.has(name)) unknown.push({ path: [...path, name], siblings })
    }
    for (const child of childrenOf(value, node)) walk(child.value, child.node, [...path, child.name])
  }
  walk(config, tree, [])
  return unknown
}

/** Known keys of `config` without effect, each as the shortest path below which no key has any. */
export function findUnhonouredKeys(config: unknown, tree: KeyTree): readonly string[] {
  const found: string[] = []
  const walk = (value: unknown, node: KeyTree, path: KeyPath): void => {
    if (node.info?.isUnused === true || node.info?.isForeign === true) found.push(path.join('.'))
    else for (const child of childrenOf(value, node)) walk(child.value, child.node, [...path, child.name])
  }
  for (const child of childrenOf(config, tree)) walk(child.value, child.node, [child.name])
  return found
}

interface Child {
  readonly name: string
  readonly value: unknown
  readonly node: KeyTree
}

function childrenOf(value: unknown, node: KeyTree): readonly Child[] {
  if (!isObject(value)) return []
  const children = Object.entries(value)
  switch (node.kind) {
    case 'value':
    case 'either':
      return []
    case 'list':
      return children.map(([name, member]) => ({ name, value: member, node: formOf(node.item, member) }))
    case 'record':
      return children.map(([name, member]) => ({ name, value: member, node: formOf(node.value, member) }))
    case 'object':
      return children.flatMap(([name, member]) => {
        const child = node.keys.get(name)
        return child === undefined ? [] : [{ name, value: member, node: formOf(child, member) }]
      })
  }
}
