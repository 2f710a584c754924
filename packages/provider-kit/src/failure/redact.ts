const MARK = '[redacted]'

/** Shorter values are ignored: hiding them would blank out half of a message. */
const MIN_SECRET_LENGTH = 4

/** All forms in which a secret may come back: plain, as a header's credential, URL-encoded, in base64 of both alphabets, JSON-escaped. */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    base64,
    base64.replace(/={1,2}$/, ''),
    Buffer.from(secret).toString('base64url'),
    JSON.stringify(secret).slice(1, -1),
  ]
}

/** Replaces every secret, in any of its usual encodings, by a mark. Secrets under four characters are left alone. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(formsOf)
  // The longest first, so that a secret that contains another is replaced whole.
  forms.sort((left, right) => right.length - left.length)
  return forms.reduce((redacted, form) => redacted.replaceAll(form, MARK), text)
}

/** Two adjacent windows are searched for, so that any common run of twice this length is found. */
const WINDOW = 8
/** Shorter for scripts beyond ASCII, which say more in fewer characters. */
const DENSE_WINDOW = 3
const isDense = (window: string): boolean => /^\P{ASCII}+$/u.test(window)

/** Undoes escapes as JSON and Python print them: `\u4f1a`. */
const unescaped = (text: string): string =>
  text.replace(/\\u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

/** Undoes percent-encoding of bytes, such as `%D8%A7`. */
const unquoted = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())

/** Every run of letters long enough, read as base64. Most words come out as rubbish that no input holds. */
const unpacked = (text: string): string =>
  (text.match(/[\w+/-]{20,}/g) ?? []).map((run) => Buffer.from(run, 'base64').toString()).join(' ')

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
 * True if a service's message repeats a part of an input: the whole of a short one, or a run of at least 15 characters (5 beyond
 * ASCII) of any, also escaped, percent-encoded or in base64. When in doubt it is true: losing a message is better than leaking a note.
 */
export function repeatsInput(words: string, inputs: readonly string[]): boolean {
  const plain = unescaped(words)
  const text = [plain, unquoted(plain), unpacked(plain)].join('\n')
  const windows = windowsOf(text, WINDOW)
  const dense = new Set([...windowsOf(text, DENSE_WINDOW)].filter(isDense))
  return inputs.some((input) => {
    const trimmed = input.trim()
    const isShort = trimmed.length >= MIN_SECRET_LENGTH && trimmed.length < 2 * WINDOW
    return (isShort && text.includes(trimmed)) || holdsAny(trimmed, windows, WINDOW) || holdsAny(trimmed, dense, DENSE_WINDOW)
  })
}
