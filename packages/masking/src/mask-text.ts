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

/** Where a masked text differs from the original: `length` characters at `at` (of the original) became `by`. */
export interface Masking {
  readonly at: number
  readonly length: number
  readonly by: string
}

/** What stands in the place of a secret. */
export const MASK = '(hidden)'
/** Longer texts are looked at in pieces of this many characters, between which other work of the process has its turn. */
export const PIECE = 16_384
/** As much of a piece is in the next one too: more than any label and value, which are found in one of them whole. */
const OVERLAP = 4_096
/** Below this, what is known to be secret is hidden only where it stands apart: a PIN is no part of a year. */
const LEAST_INSIDE = 9

/** The secrets that stand in a text, one of several lines by its lines, for masking the same ones in excerpts that show less of what is around them. */
export async function findSecrets(text: string): Promise<readonly string[]> {
  const lines = (await secretRanges(text)).map(([start, end]) => text.slice(start, end))
  return [...new Set(lines)].filter((secret) => secret.length >= LEAST_SECRET)
}

/**
 * What to hide of a text: keys and tokens by their shape, what stands after, before or below a word for password or key, passwords in addresses,
 * cells of tables under or beside such a word, and `known` secrets, also where the text is an excerpt that begins or ends inside one. In
 * order, apart, none over the end of a line.
 */
export async function maskingsOf(text: string, known: readonly string[] = []): Promise<readonly Masking[]> {
  return maskings(text, [...(await secretRanges(text)), ...rangesOf(text, known), ...cutRanges(text, known)])
}

/** The text with everything hidden that `maskingsOf` finds. Its lines keep their numbers. */
export async function maskText(text: string, known: readonly string[] = []): Promise<string> {
  return applyMaskings(text, await maskingsOf(text, known))
}

/** The same for a message, at once; no more of it than a piece. */
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
      // What touches the end of a piece may be longer.
      ranges.push([start + from, to === piece.length ? endOfRun(text, end) : end])
    }
    if (start + PIECE >= text.length) break
    await setImmediate()
  }
  return joined(ranges)
    .flatMap((range) => byLines(text, range))
    .filter(([start, end]) => !isPlaceholder(text.slice(start, end)))
}

/** Of a text that is one piece. */
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

/** Where known secrets stand, by one walk over the text: a note may hold thousands. */
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

/** What an excerpt shows of secrets it was cut through. */
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

/** Where an excerpt ends, before its ellipsis and the line that names its source. */
function contentEnd(text: string): number {
  const source = text.lastIndexOf('\nSource: ')
  const end = source >= 0 && !text.includes('\n', source + 1) ? source : text.length
  return text.endsWith('…', end) ? end - 1 : end
}

/** The longest part of a secret that fits; of a very long one no more is compared than tells it from words. */
function cutLength(secret: string, fits: (length: number) => boolean): number | undefined {
  for (let length = Math.min(secret.length - 1, LONGEST_CUT); length >= LEAST_SECRET; length -= 1) if (fits(length)) return length
  return undefined
}

const LONGEST_CUT = 2_000
