import { isObject } from './schema/is-object.ts'
import type { UntrustedConfig } from './load-settings.ts'
import { looksSecret, show } from './files/show-value.ts'
import { nameOf } from './trust/trust-record.ts'
import type { TrustedKey } from './trust/trusted-keys.ts'

/** Names of keys shown in a sentence; `mnemark trust` shows all. */
const SHOWN_KEYS = 6

/** Names the keys that do not count, and how to trust them: for warnings and replies. */
export function untrustedMessage({ file, keys }: UntrustedConfig, workspace: string): string {
  const names = keys.map(nameOf)
  const rest = names.length - SHOWN_KEYS
  const shown = names.slice(0, SHOWN_KEYS).map(printableName).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  return `${file} is not trusted on this machine, so these keys do not count: ${shown}. mnemark trust ${quoted(workspace)} shows what they do, and allows them.`
}

/** Says for each key what it would do, and with which host or program; never shows a secret. */
export function describeWishes(keys: readonly TrustedKey[]): readonly string[] {
  return keys.map((key) => `${wishOf(key)}  (${printableName(nameOf(key))})`)
}

type Wish = readonly [ending: RegExp, describe: (value: string) => string]

/** Matched against the end of the key's path; the first match wins. */
const WISHES: readonly Wish[] = [
  [/memory\.backend$/, (value) => `let another program answer searches: ${value}`],
  [/qmd\.command$/, (value) => `run the program ${value}`],
  [/qmd\./, (value) => `set how that program is run: ${value}`],
  [/(?:^|\.)module$/, (value) => `run the code of ${value}`],
  [/extensionPath$/, (value) => `load native code: ${value}`],
  [/local\.model(?:Path|CacheDir)$/, (value) => `load or fetch a model file: ${value}`],
  [/^models\.rerank\.provider$/, (value) => `have passages judged by ${value}`],
  [/^models\.generate\.provider$/, (value) => `have texts written by ${value}`],
  [/(?:^|\.)provider$/, (value) => `have notes embedded by ${value}`],
  [/fallback$/, (value) => `send notes to others while that one fails: ${value}`],
  [/consent$/, () => 'send notes to a service without asking'],
  [/baseUrl$/, (value) => `send requests, with notes and keys, to ${value}`],
  [/apiKey/, (value) => `use a key: ${value}`],
  [/headers\./, (value) => `send a header with each request: ${value}`],
  [/^secrets\./, (value) => `read secrets from ${value}`],
  [/extraPaths$/, (value) => `read and search files outside this folder: ${value}`],
  [/workspace$/, (value) => `use another folder as the workspace: ${value}`],
  [/store\.path$/, (value) => `write the index to ${value}`],
  [/scope/, () => 'decide which callers may search and read'],
  [/^serve\.(?:host|port|allowed\w+)$/, (value) => `be reached over the network: ${value}`],
  [/^serve\.token$/, () => 'set the token that clients of the server need'],
  [/^serve\.mask$/, () => 'show passwords and keys that stand in notes'],
]

function wishOf(key: TrustedKey): string {
  const name = nameOf(key)
  const wish = WISHES.find(([ending]) => ending.test(name))
  const value = shown(key.value, /apiKey|headers\.|token|secret/i.test(name))
  return wish === undefined ? `set ${printableName(name)} to ${value}` : wish[1](value)
}

/** A value for people, objects and lists included, without anything that may be a secret. A variable is shown by its name. */
function shown(value: unknown, isSecret: boolean): string {
  if (Array.isArray(value)) return value.map((each) => shown(each, isSecret)).join(', ')
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${name} ${shown(member, isSecret || /key|header|token/i.test(name))}`,
    )
    return members.join(', ')
  }
  if (typeof value !== 'string') return show(value)
  if (/^\$?\$?\{?[A-Z_][A-Z0-9_]*\}?$/.test(value) && value.startsWith('$')) return `the variable ${value}`
  if (isSecret || looksSecret(value)) return 'a text that is not shown'
  return show(withoutControls(value.replace(/^(\w+:\/\/)[^/@\s]*@/, '$1…@')))
}

function printableName(name: string): string {
  return withoutControls(name)
}

/** Somebody else's file must not move the cursor or hide text. */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')
}

function quoted(folder: string): string {
  return /^[\w./~@%+=:,-]+$/.test(folder) ? folder : `"${withoutControls(folder).replace(/(["\\$`])/g, '\\$1')}"`
}
