/** Where a masked text differs from the original: `length` characters at `at` (of the original) became `by`. */
export interface Masking {
  readonly at: number
  readonly length: number
  readonly by: string
}

/** What stands in the place of a secret. */
export const MASK = '(hidden)'
const LEAST_SECRET = 4

/** Keys and tokens that services give out, by their shape. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/gi,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeoprs]-|xapp-|dop_v1_|shpat_|sq0[a-z]{3}-|AGE-SECRET-KEY-)[\w-]{16,}/g,
  /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\b\d{8,10}:[\w-]{35}\b/g,
  /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g,
  /\b(?:Bearer|Basic)\s+[\w+/=.~-]{16,}/g,
]
const URL_CREDENTIALS = /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/:@]{0,100}:([^\s/@]{1,200})@/dgi
/** A private key as bare digits; digests of files are as long and say so. */
const BARE_HEX = /(?<![\w/-])(?:0x)?[\da-f]{64}(?![\w-])/gi
/** Characters on either side of it that may say so. */
const LABEL_REACH = 200
const IS_DIGEST = /sha-?\d|digest|checksum|hash|commit|integrity/i

const PASSWORD = String.raw`pass(?:word|wd|phrase|code)|pwd|passwort|kennwort|contraseña|mot de passe|senha|parola|şifre|sandi|hasło|wachtwoord|пароль|كلمة (?:السر|المرور)|الرقم السري|סיסמה|密码|密碼|口令|パスワード|비밀번호|암호|mật khẩu|पासवर्ड|รหัสผ่าน`
const KEY = String.raw`(?:api|access|secret|private|auth|signing|encryption|service|client)[ _-]?(?:key|token|secret)|token|secret|credentials?`
const LABEL_END = String.raw`[\p{L}\p{N}_-]{0,20}["'\x60*_)]{0,4}[ \t]*(?:[:=：]|=>|->|\bis\b)[ \t"'\x60*_]{0,6}`
const AFTER_PASSWORD = new RegExp(String.raw`(?:${PASSWORD})${LABEL_END}([^\s"'\x60|,;<>*]{4,200})`, 'dgiu')
const QUOTED_PASSWORD = new RegExp(String.raw`(?:${PASSWORD})${LABEL_END}["'\x60]([^"'\x60\n]{4,100})["'\x60]`, 'dgiu')
const AFTER_KEY = new RegExp(String.raw`(?:${KEY})${LABEL_END}([^\s"'\x60|,;<>*]{8,400})`, 'dgiu')
const PASSWORD_CELL = new RegExp(String.raw`${PASSWORD}|\bPIN\b`, 'iu')
const KEY_CELL = new RegExp(KEY, 'iu')

/** The secrets that stand in a text, one of several lines by its lines, for masking the same ones in excerpts that show less of what is around them. */
export function findSecrets(text: string): readonly string[] {
  const lines = secretRanges(text).flatMap(([start, end]) => text.slice(start, end).split('\n'))
  return [...new Set(lines.map((line) => line.trim()))].filter((secret) => secret.length >= LEAST_SECRET)
}

/**
 * What to hide of a text: keys and tokens by their shape, what stands after a word for password or key, passwords in addresses, cells of
 * tables under or beside such a word, and `known` secrets, also where the text is an excerpt that begins or ends inside one. In order, apart.
 */
export function maskingsOf(text: string, known: readonly string[] = []): readonly Masking[] {
  const ranges = [...secretRanges(text), ...known.flatMap((secret) => rangesOf(text, secret)), ...cutRanges(text, known)]
  return joined(ranges).map(([start, end]) => ({ at: start, length: end - start, by: MASK }))
}

/** The text with everything hidden that `maskingsOf` finds. */
export function maskText(text: string, known: readonly string[] = []): string {
  return applyMaskings(text, maskingsOf(text, known))
}

export function applyMaskings(text: string, maskings: readonly Masking[]): string {
  let masked = ''
  let done = 0
  for (const { at, length, by } of maskings) {
    masked += text.slice(done, at) + by
    done = at + length
  }
  return masked + text.slice(done)
}

/** Where a position of the original is in the masked text; inside what is hidden, its nearer edge. */
export function maskedPosition(position: number, maskings: readonly Masking[]): number {
  let shift = 0
  for (const { at, length, by } of maskings) {
    if (position <= at) break
    if (position < at + length) return at + shift + Math.min(position - at, by.length)
    shift += by.length - length
  }
  return position + shift
}

type Range = readonly [start: number, end: number]

function secretRanges(text: string): readonly Range[] {
  const shapes = [...SHAPES, URL_CREDENTIALS].flatMap((shape) => matches(text, shape))
  const hex = matches(text, BARE_HEX).filter(([start]) => !IS_DIGEST.test(lineAround(text, start)))
  const labelled = [
    ...matches(text, QUOTED_PASSWORD),
    ...matches(text, AFTER_KEY).filter(([start, end]) => isMixed(text.slice(start, end))),
    ...matches(text, AFTER_PASSWORD).filter(([start, end]) => isMixed(text.slice(start, end)) || isAlone(text, end)),
  ]
  return [...shapes, ...hex, ...labelled, ...tableCells(text)].filter(([start, end]) => !isPlaceholder(text.slice(start, end)))
}

/** What a pattern marks as its group, else all it fits. */
function matches(text: string, pattern: RegExp): readonly Range[] {
  return [...text.matchAll(pattern)].map((match) => match.indices?.[1] ?? [match.index, match.index + match[0].length])
}

function rangesOf(text: string, part: string): readonly Range[] {
  const ranges: Range[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) ranges.push([at, at + part.length])
  return ranges
}

/** What an excerpt shows of secrets it was cut through. */
function cutRanges(text: string, secrets: readonly string[]): readonly Range[] {
  if (secrets.length === 0) return []
  const start = text.startsWith('…') ? 1 : 0
  const end = text.search(/…?(?:\nSource: [^\n]*)?$/u)
  return secrets.flatMap((secret): Range[] => {
    const lengths = Array.from({ length: Math.max(0, secret.length - LEAST_SECRET) }, (_, less) => secret.length - 1 - less)
    const tail = lengths.find((length) => text.startsWith(secret.slice(-length), start))
    const head = lengths.find((length) => end >= length && text.startsWith(secret.slice(0, length), end - length))
    return [
      ...(tail === undefined ? [] : [[start, start + tail] as const]),
      ...(head === undefined ? [] : [[end - head, end] as const]),
    ]
  })
}

function lineAround(text: string, at: number): string {
  const start = Math.max(0, at - LABEL_REACH)
  const near = text.slice(start, at + LABEL_REACH)
  const end = near.indexOf('\n', at - start)
  return near.slice(near.lastIndexOf('\n', at - start) + 1, end < 0 ? near.length : end)
}

/** More than letters, or letters of both cases inside: no word of a sentence. */
function isMixed(value: string): boolean {
  return /[\d!@#$%^&+=~]/u.test(value.replace(/[.!?…]+$/u, '')) || /\p{Ll}\p{Lu}/u.test(value)
}

/** The end of a line, cell or sentence follows: a value, not the first word of a remark. */
function isAlone(text: string, end: number): boolean {
  return /^["'`*_)]{0,4}\s*(?:$|[\n|,;<])/u.test(text.slice(end, end + 8))
}

function isPlaceholder(value: string): boolean {
  return /^(?:\$\{?\w+\}?|<[^>]*>|\*+|•+|…|\.{3}|x{3,}|\(hidden\)|none|null|true|false|redacted|\[redacted\])$/iu.test(
    value.trim(),
  )
}

interface Cell {
  readonly start: number
  readonly text: string
}

/** Cells of a Markdown table in a column, or a row, whose first cell is a word for a secret. */
function tableCells(text: string): readonly Range[] {
  return text.includes('|') ? tablesOf(text).flatMap(secretCells) : []
}

/** Runs of lines with bars, as rows of cells. */
function tablesOf(text: string): readonly (readonly (readonly Cell[])[])[] {
  const tables: (readonly Cell[])[][] = []
  let isInside = false
  let offset = 0
  for (const line of text.split('\n')) {
    const hasBars = line.includes('|')
    if (hasBars && !isInside) tables.push([])
    if (hasBars) tables.at(-1)?.push(cellsOf(line, offset))
    isInside = hasBars
    offset += line.length + 1
  }
  return tables
}

function secretCells(rows: readonly (readonly Cell[])[]): readonly Range[] {
  const hasHeader = rows[1]?.every((cell) => /^:?-+:?$/u.test(cell.text)) ?? false
  const header = hasHeader ? (rows[0] ?? []) : []
  return rows.slice(hasHeader ? 2 : 0).flatMap((row) =>
    row.flatMap(({ start, text }, column): Range[] => {
      const labels = [header[column]?.text ?? '', column > 0 ? (row[0]?.text ?? '') : '']
      return labels.some((label) => isSecretCell(label, text)) ? [[start, start + text.length]] : []
    }),
  )
}

function isSecretCell(label: string, value: string): boolean {
  if (value.length < LEAST_SECRET) return false
  return PASSWORD_CELL.test(label) || (KEY_CELL.test(label) && !/\s/u.test(value) && isMixed(value))
}

function cellsOf(line: string, offset: number): readonly Cell[] {
  const cells: Cell[] = []
  let start = /^\s*\|/u.exec(line)?.[0].length ?? 0
  while (start < line.length) {
    const bar = line.indexOf('|', start)
    const end = bar < 0 ? line.length : bar
    const raw = line.slice(start, end)
    cells.push({ start: offset + start + raw.length - raw.trimStart().length, text: raw.trim() })
    start = end + 1
  }
  return cells
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(([left], [right]) => left - right)
  const apart: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else apart.push([start, end])
  }
  return apart
}
