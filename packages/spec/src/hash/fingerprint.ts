import { sha256 } from '#sha256'

/** JSON with object keys in code-unit order, so that equal values give equal text. Throws TypeError for values beyond JSON. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`fingerprint: ${value} is not a JSON number`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  throw new TypeError(`fingerprint: a ${typeof value} is not JSON`)
}

/** SHA-256 over canonical JSON, 64 hexadecimal digits. Key order and `undefined` members do not change it. */
export function fingerprint(value: unknown): string {
  return sha256(canonicalJson(value))
}
