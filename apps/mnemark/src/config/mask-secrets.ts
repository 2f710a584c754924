import { isRandom, MASK, maskMessage } from '@mnemark/masking'
import { isObject } from './schema/is-object.ts'
import { formOf } from './schema/key-tree.ts'
import type { KeyTree } from './schema/key-tree.ts'
import { looksSecret } from './files/show-value.ts'

/**
 * Known keys that hold secrets, in whatever form. A key named just `key` says where a value is written, and `tokens` are counts.
 */
const SECRET_KEY = /(?:token|.key|secret|password|passphrase|credential|authorization|cookie)$/i
/** Below these keys, names are the user's own: headers, variables, bodies of requests. */
const FREE_PARTS: readonly string[] = ['headers', 'env', 'inputType']
/** Parts of an address that many services share. */
const HARMLESS_SEGMENT =
  /^(?:v\d{1,2}(?:beta\d?|alpha)?|api|openai|engines?|llama\.cpp|compatible-mode|compatibility|inference|models?|embeddings?|paas)?$/

/** A file as written, for people: known keys are shown, with what looks like a secret hidden in their values. Unknown ones may hold anything. */
export function maskWritten(value: unknown, tree: KeyTree): unknown {
  if (tree.info?.isForeign === true) return hidden(value)
  const node = formOf(tree, value)
  if (!isObject(value)) return node.kind === 'value' ? maskValue(value) : hidden(value)
  if (Array.isArray(value)) return value.map((item) => (node.kind === 'list' ? maskWritten(item, node.item) : hidden(item)))
  return copyOf(value, (name, member) => {
    if (isHidden(name, member)) return hidden(member)
    if (node.kind === 'object') return maskMember(member, node.keys.get(name))
    return node.kind === 'record' && node.value.kind !== 'value' ? maskWritten(member, node.value) : hidden(member)
  })
}

/** Settings as we understood them: their names are ours, but for parts that hold the user's own. */
export function maskSettings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSettings)
  if (!isObject(value)) return maskValue(value)
  return copyOf(value, (name, member) => (isHidden(name, member) ? hidden(member) : maskSettings(member)))
}

function maskMember(member: unknown, tree: KeyTree | undefined): unknown {
  return tree === undefined ? hidden(member) : maskWritten(member, tree)
}

function isHidden(name: string, member: unknown): boolean {
  return SECRET_KEY.test(name) || (isObject(member) && FREE_PARTS.includes(name))
}

function copyOf(value: object, mask: (name: string, member: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mask(name, member)]))
}

/** Names stay, so that people see what is set; `${NAME}` stays, and what is nothing. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden)
  if (isObject(value)) return copyOf(value, (_, member) => hidden(member))
  return value === null || value === undefined || isVariable(value) ? value : MASK
}

function maskValue(value: unknown): unknown {
  if (typeof value !== 'string' || isVariable(value)) return value
  // Names of models and files are as long as keys, but made of words.
  if (looksSecret(value) && isRandom(value)) return MASK
  return /^\w+:\/\//.test(value) ? maskAddress(value) : maskMessage(value)
}

function isVariable(value: unknown): boolean {
  return typeof value === 'string' && /^\$\{\w+\}$/.test(value)
}

/** The host is shown; logins, whatever follows the question mark, and parts of the path that may be a key are not. */
function maskAddress(text: string): string {
  const [start = '', host = '', path = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)([^?#]*)(.*)$/s.exec(text)?.slice(1) ?? []
  const shownHost = host.includes('@') ? `${MASK}@${host.slice(host.lastIndexOf('@') + 1)}` : host
  const shownPath = path.split('/').map((part) => (HARMLESS_SEGMENT.test(part) || isVariable(part) ? part : MASK))
  return start + shownHost + shownPath.join('/') + (rest === '' ? '' : `${rest.slice(0, 1)}${MASK}`)
}
