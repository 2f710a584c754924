import { looksSecret } from './show-value.ts'

/** Of settings, `key` alone says where a value is written, and tokens are counted. */
const SECRET_KEY = /(?:token|(?:.key|secret|password|passphrase|credential|authorization|cookie)s?)$/i
/** What stands below is hidden whatever it is called: headers, and the variables an OpenClaw file sets. */
const SECRET_PARTS: readonly string[] = ['headers', 'env']
const MASK = '(hidden)'

/** A copy for people: values of keys that hold secrets, headers and variables, what looks like a key, and logins in addresses are hidden. `${NAME}` stays. */
export function maskSecrets(value: unknown, key = '', isHidden = false): unknown {
  const hides = isHidden || SECRET_PARTS.includes(key.toLowerCase()) || SECRET_KEY.test(key)
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, '', hides))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskSecrets(member, name, hides)]))
  }
  if (typeof value !== 'string') return hides ? MASK : value
  if (/^\$\{\w+\}$/.test(value)) return value
  return hides || looksSecret(value) ? MASK : maskAddress(value)
}

/** Logins in addresses, and what follows their question mark, such as a signature. */
function maskAddress(text: string): string {
  if (!/^\w+:\/\//.test(text)) return text
  return text.replace(/^(\w+:\/\/)[^/@\s]*@/, `$1${MASK}@`).replace(/\?.*$/s, `?${MASK}`)
}
