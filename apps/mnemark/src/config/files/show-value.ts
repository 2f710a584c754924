const SHOWN_CHARACTERS = 60
/** Long, without a space or a slash, letters and digits mixed: more likely a key that was put in the wrong place than a word. */
const LIKE_A_SECRET = /^(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w.+=-]{20,}$/

export function looksSecret(text: string): boolean {
  return LIKE_A_SECRET.test(text)
}

/** A configuration value for a message: short, without secrets, and never the content of an object. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  if (looksSecret(value)) return 'a text that looks like a secret'
  return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value)
}
