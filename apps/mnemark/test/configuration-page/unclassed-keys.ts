import type { KeyTree } from '../../src/config/schema/key-tree.ts'

/** Keys of which the schema does not say who may set them, by themselves or by an object they stand in. */
export function unclassedKeys(tree: KeyTree, path: readonly string[] = []): readonly string[] {
  if (tree.trust !== undefined) return []
  switch (tree.kind) {
    case 'object':
      return [...tree.keys].flatMap(([name, child]) => unclassedKeys(child, [...path, name]))
    case 'record':
      return unclassedKeys(tree.value, [...path, '*'])
    case 'list':
      return unclassedKeys(tree.item, [...path, '*'])
    case 'either':
    case 'value':
      return [path.join('.')]
  }
}
