import { isObject } from './is-object.ts'
import { type KeyInfo, type KeyTrust, keyInfo, keyTrust } from './schema-values.ts'
import { withoutUndefined } from '../without-undefined.ts'

/** The keys of a schema, with their allowed values, description, and required trust. */
export type KeyTree = KeyNode & { readonly allowed: string; readonly info?: KeyInfo; readonly trust?: KeyTrust }

type KeyNode =
  | { readonly kind: 'object'; readonly keys: ReadonlyMap<string, KeyTree> }
  | { readonly kind: 'record'; readonly value: KeyTree }
  | { readonly kind: 'list'; readonly item: KeyTree }
  /** One of several forms; the value decides which. */
  | { readonly kind: 'either'; readonly forms: readonly KeyTree[] }
  | { readonly kind: 'value' }

export function keysOf(schema: object): KeyTree {
  if ('wrapped' in schema && isObject(schema.wrapped)) return keysOf(schema.wrapped)
  const info = keyInfo(schema)
  const trust = keyTrust(schema)
  return {
    ...nodeOf(schema),
    allowed: allowedBy(schema),
    ...withoutUndefined({ info, trust }),
  }
}

function nodeOf(schema: object): KeyNode {
  if ('entries' in schema && isObject(schema.entries)) {
    return { kind: 'object', keys: new Map(Object.entries(schema.entries).map(([key, member]) => [key, keysOf(member)])) }
  }
  if ('item' in schema && isObject(schema.item)) return { kind: 'list', item: keysOf(schema.item) }
  if ('value' in schema && isObject(schema.value)) return { kind: 'record', value: keysOf(schema.value) }
  if ('options' in schema && Array.isArray(schema.options) && schema.options.every(isObject)) {
    const forms = schema.options.map(keysOf)
    if (forms.some(({ kind }) => kind !== 'value')) return { kind: 'either', forms }
  }
  return { kind: 'value' }
}

function allowedBy(schema: object): string {
  return 'message' in schema && typeof schema.message === 'string' ? schema.message : ''
}

/** Picks the form of an `either` that fits `value`, and adds the key's description; returns any other tree unchanged. */
export function formOf(tree: KeyTree, value: unknown): KeyTree {
  if (tree.kind !== 'either') return tree
  const form = tree.forms.map((each) => formOf(each, value)).find(({ kind }) => fits(kind, value))
  const info = tree.info ?? form?.info
  const trust = tree.trust ?? form?.trust
  return {
    ...(form ?? { kind: 'value' }),
    allowed: tree.allowed,
    ...withoutUndefined({ info, trust }),
  }
}

function fits(kind: KeyTree['kind'], value: unknown): boolean {
  if (Array.isArray(value)) return kind === 'list'
  return isObject(value) ? kind === 'object' || kind === 'record' : kind === 'value'
}
