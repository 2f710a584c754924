import { setImmediate } from 'node:timers/promises'
import { labelledSecrets } from './labelled-secrets.ts'
import { privateKeys } from './private-keys.ts'
import { byLines, joined } from './ranges.ts'
import type { Range } from './ranges.ts'
import { secretCells } from './secret-tables.ts'
import { shapedSecrets } from './secret-shapes.ts'
import { isPlaceholder, LEAST_SECRET } from './secret-words.ts'
import { secretsBelow } from './secrets-below.ts'
import { secretlintRanges } from './secretlint-rules.ts'

/** A place where the masked text differs from the original: `length` characters at `at` (in the original) became `by`. */
export interface Masking {
  readonly at: number
  readonly length: number
  readonly by: string
}

/** The text that replaces a secret. */
export const MASK = '(hidden)'
/** Longer texts are searched in pieces of this many characters; between two pieces the event loop may run other work. */
export const PIECE = 16_384
/** Overlap of two pieces, in characters: longer than any label with its value, so that one piece always holds both. */
const OVERLAP = 4_096
/** Shorter known secrets are hidden only as whole words, so that a PIN is not hidden inside a year. */
const LEAST_INSIDE = 9

/** Finds the secrets in a text, a multi-line secret line by line, so that excerpts with less context can hide the same ones. */
export async function findSecrets(text: string): Promise<readonly string[]> {
  const lines = (await secretRanges(text)).map(([start, end]) => text.slice(start, end))
  return [...new Set(lines)].filter((secret) => secret.length >= LEAST_SECRET)
}

/**
 * Finds the ranges of a text to hide: keys and tokens by their shape; values after, before or below a word for password or key;
 * passwords in URLs; table cells under or beside such a word; and `known` secrets, also where an excerpt begins or ends inside
 * one. The ranges are sorted, do not overlap, and never cross the end of a line.
 */
export async function maskingsOf(text: string, known: readonly string[] = []): Promise<readonly Masking[]> {
  return maskings(text, [...(await secretRanges(text)), ...rangesOf(text, known), ...cutRanges(text, known)])
}

/** Returns the text with everything hidden that `maskingsOf` finds. Line numbers stay the same. */
export async function maskText(text: string, known: readonly string[] = []): Promise<string> {
  return applyMaskings(text, await maskingsOf(text, known))
}

/** Masks a message synchronously, and cuts it to the length of one piece. */
export function maskMessage(message: string): string {
  const text = message.length > PIECE ? `${message.slice(0, PIECE)}…` : message
  return applyMaskings(text, maskings(text, [...secretsIn(text), ...privateKeys(text), ...secretCells(text)]))
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

/** Maps a position in the original to the masked text; a position inside a hidden range maps to its nearer edge. */
export function maskedPosition(position: number, maskings: readonly Masking[]): number {
  let shift = 0
  for (const { at, length, by } of maskings) {
    if (position <= at) break
    if (position < at + length) return at + shift + Math.min(position - at, by.length)
    shift += by.length - length
  }
  return position + shift
}

function maskings(text: string, ranges: readonly Range[]): readonly Masking[] {
  const lines = joined(ranges).flatMap((range) => byLines(text, range))
  return lines.map(([start, end]) => ({ at: start, length: end - start, by: MASK }))
}

async function secretRanges(text: string): Promise<readonly Range[]> {
  const ranges: Range[] = [...privateKeys(text), ...secretCells(text)]
  for (let start = 0; ; start += PIECE - OVERLAP) {
    const piece = text.slice(start, start + PIECE)
    for (const [from, to] of secretsIn(piece)) {
      const end = start + to
      // A match that touches the end of a piece may continue behind it.
      ranges.push([start + from, to === piece.length ? endOfRun(text, end) : end])
    }
    if (start + PIECE >= text.length) break
    await setImmediate()
  }
  return joined(ranges)
    .flatMap((range) => byLines(text, range))
    .filter(([start, end]) => !isPlaceholder(text.slice(start, end)))
}

/** Finds the secrets of a text no longer than one piece. */
function secretsIn(piece: string): readonly Range[] {
  return [...shapedSecrets(piece), ...labelledSecrets(piece), ...secretsBelow(piece), ...secretlintRanges(piece)].filter(
    ([start, end]) => !isPlaceholder(piece.slice(start, end)),
  )
}

function endOfRun(text: string, from: number): number {
  let end = from
  while (end < text.length && /[^\s"'`<>]/u.test(text.charAt(end))) end += 1
  return end
}

/** Finds known secrets in one pass over the text: a note may hold thousands. */
function rangesOf(text: string, secrets: readonly string[]): readonly Range[] {
  const byBeginning = Map.groupBy(
    secrets.filter(({ length }) => length >= LEAST_SECRET),
    (secret) => secret.slice(0, LEAST_SECRET),
  )
  for (const group of byBeginning.values()) group.sort((left, right) => right.length - left.length)
  const ranges: Range[] = []
  for (let at = 0; at < text.length && byBeginning.size > 0; at += 1) {
    const secret = byBeginning
      .get(text.slice(at, at + LEAST_SECRET))
      ?.find((one) => text.startsWith(one, at) && stands(text, at, one))
    if (secret === undefined) continue
    ranges.push([at, at + secret.length])
    at += secret.length - 1
  }
  return ranges
}

function stands(text: string, at: number, { length }: string): boolean {
  const isInside = (edge: number): boolean => /[\p{L}\p{N}]{2}/u.test(text.slice(Math.max(0, edge - 1), edge + 1))
  return length >= LEAST_INSIDE || (!isInside(at) && !isInside(at + length))
}

/** Finds the parts of known secrets that a cut left at the beginning or end of an excerpt. */
function cutRanges(text: string, secrets: readonly string[]): readonly Range[] {
  if (secrets.length === 0) return []
  const start = text.startsWith('…') ? 1 : 0
  const end = contentEnd(text)
  return secrets.flatMap((secret): Range[] => {
    const tail = cutLength(secret, (length) => text.startsWith(secret.slice(-length), start))
    const head = cutLength(secret, (length) => end >= length && text.startsWith(secret.slice(0, length), end - length))
    return [
      ...(tail === undefined ? [] : [[start, start + tail] as const]),
      ...(head === undefined ? [] : [[end - head, end] as const]),
    ]
  })
}

/** Where an excerpt ends, before its ellipsis and its source line. */
function contentEnd(text: string): number {
  const source = text.lastIndexOf('\nSource: ')
  const end = source >= 0 && !text.includes('\n', source + 1) ? source : text.length
  return text.endsWith('…', end) ? end - 1 : end
}

/** Length of the longest part of a secret that fits. Very long secrets are compared up to a length that tells them from words. */
function cutLength(secret: string, fits: (length: number) => boolean): number | undefined {
  for (let length = Math.min(secret.length - 1, LONGEST_CUT); length >= LEAST_SECRET; length -= 1) if (fits(length)) return length
  return undefined
}

const LONGEST_CUT = 2_000
