const MARK = '[redacted]'

/** Shorter values are not secrets but would blank out half of a message. */
const MIN_SECRET_LENGTH = 4

/** Every form in which a secret may come back: as it is, as a header's credential, URL-encoded, in base64, JSON-escaped. */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    base64,
    base64.replace(/={1,2}$/, ''),
    JSON.stringify(secret).slice(1, -1),
  ]
}

/** The text with every secret, in any of its usual encodings, replaced by a mark. Secrets under four characters are left alone. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(formsOf)
  // The longest first, so that a secret that contains another is not left in pieces.
  forms.sort((left, right) => right.length - left.length)
  return forms.reduce((redacted, form) => redacted.replaceAll(form, MARK), text)
}

/** Two windows side by side are looked for, so any common run of twice this length is found. */
const WINDOW = 8
/** Scripts beyond ASCII say more in fewer characters. */
const DENSE_WINDOW = 3
const isDense = (window: string): boolean => /^\P{ASCII}+$/u.test(window)

/** As JSON and Python print other scripts: `\u4f1a`. */
const unescaped = (text: string): string =>
  text.replace(/\\u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

function windowsOf(text: string, size: number): ReadonlySet<string> {
  const starts = Array.from({ length: Math.max(0, text.length - size + 1) }, (_, start) => start)
  return new Set(starts.map((start) => text.slice(start, start + size)))
}

function holdsAny(input: string, windows: ReadonlySet<string>, size: number): boolean {
  if (windows.size === 0) return false
  for (let start = 0; start + size <= input.length; start += size) if (windows.has(input.slice(start, start + size))) return true
  return false
}

/**
 * True where a service's words repeat a part of an input: a whole short one, or a run of at least 15 characters (5 beyond ASCII) of
 * any. Errs on the side of true: a message is worth less than a leaked note.
 */
export function repeatsInput(words: string, inputs: readonly string[]): boolean {
  const text = unescaped(words)
  const windows = windowsOf(text, WINDOW)
  const dense = new Set([...windowsOf(text, DENSE_WINDOW)].filter(isDense))
  return inputs.some((input) => {
    const trimmed = input.trim()
    const isShort = trimmed.length >= MIN_SECRET_LENGTH && trimmed.length < 2 * WINDOW
    return (isShort && text.includes(trimmed)) || holdsAny(trimmed, windows, WINDOW) || holdsAny(trimmed, dense, DENSE_WINDOW)
  })
}
