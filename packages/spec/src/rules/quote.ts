import { sha256 } from '#sha256'
import { WorkspaceError } from '../errors.ts'

/** Present place of a quoted text, in lines from 1. */
export interface QuotePlace {
  /** `same`: the exact words; `changed`: the place with most of them. */
  readonly match: 'same' | 'changed'
  /** True where it is still at the given line. */
  readonly isNear: boolean
  readonly startLine: number
  readonly endLine: number
}

interface Quote {
  /** Number of lines that are not blank. */
  readonly lines: number
  readonly digest: string
  /** Hashes of a few grams of the text: the share that remains is the share of the text that does. */
  readonly sketch: ReadonlySet<number>
}

interface KeyedLine {
  readonly key: string
  readonly number: number
}

const DIGEST_BYTES = 9
const GRAM_CHARACTERS = 8
const SKETCH_SIZE = 8
const SKETCH_BYTES = 3
/** In quotes of so few lines every line has grams in the sketch, so that a line that was taken away is noticed. */
const SKETCHED_LINES = 4
/** A smaller share of the grams, or fewer than two, is chance. */
const LEAST_SHARE = 1 / 3
const FORM = /^q(\d{1,6})\.([\w-]{12})\.((?:[\w-]{4}){0,8})$/

/**
 * A short hash of a quoted text beside its citation, by which the text is found again after its lines have moved, or
 * its loss is noticed. White space, blank lines and line ends do not count. Some 50 characters, safe in addresses and
 * command lines.
 */
export function quoteHash(text: string): string {
  const lines = keyedLines(text)
  const sketchText = base64Url(sketchOf(lines).flatMap((gram) => [gram >>> 16, (gram >>> 8) & 0xff, gram & 0xff]))
  return `q${Math.min(lines.length, 999_999)}.${digestOf(lines)}.${sketchText}`
}

/**
 * Finds a quoted text: at `near` if it is there, else its first place, else where most of it remains; null where it is
 * gone. Time is linear in the text.
 * @throws WorkspaceError `refused` for an invalid quote hash
 */
export function locateQuote(text: string, quoted: string, near?: number): QuotePlace | null {
  const quote = parseQuote(quoted)
  const lines = keyedLines(text)
  if (quote.lines === 0) return null
  const found = gramsFound(lines, quote)
  const kept = gramsKept(found, quote)
  const nearest = near === undefined ? -1 : lines.findIndex(({ number }) => number >= near)
  const starts = [...(nearest < 0 ? [] : [nearest]), ...lines.keys()]
  const isHere = (start: number): boolean => {
    const candidate = kept[start] === quote.sketch.size ? lines.slice(start, start + quote.lines) : []
    return candidate.length === quote.lines && digestOf(candidate) === quote.digest
  }
  const same = starts.find(isHere)
  const start = same ?? mostLeft(kept, quote)
  if (start === null) return null
  const whole = { first: start, last: Math.min(start + quote.lines, lines.length) - 1 }
  const { first, last } = same === undefined && quote.lines <= SKETCHED_LINES ? withoutStrangers(whole, found) : whole
  const startLine = lines[first]?.number ?? 1
  const endLine = lines[last]?.number ?? startLine
  return { match: same === undefined ? 'changed' : 'same', isNear: first === nearest, startLine, endLine }
}

function parseQuote(quoted: string): Quote {
  const match = FORM.exec(quoted)
  if (match === null) {
    throw new WorkspaceError('refused', 'This is no quote hash: expected the text that search gives as `quoteHash` of a hit.')
  }
  const bytes = bytesOf(match[3] ?? '')
  const sketch = new Set<number>()
  for (let at = 0; at + 2 < bytes.length; at += SKETCH_BYTES)
    sketch.add(((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0))
  return { lines: Number(match[1]), digest: match[2] ?? '', sketch }
}

function keyedLines(text: string): readonly KeyedLine[] {
  return text
    .split(/\r\n?|\n/u)
    .map((line, index) => ({ key: line.normalize('NFC').replace(/\s+/gu, ' ').trim(), number: index + 1 }))
    .filter(({ key }) => key !== '')
}

function digestOf(lines: readonly KeyedLine[]): string {
  const digits = sha256(lines.map(({ key }) => key).join('\n')).match(/../gu) ?? []
  return base64Url(digits.slice(0, DIGEST_BYTES).map((pair) => Number.parseInt(pair, 16)))
}

function base64Url(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

function bytesOf(text: string): readonly number[] {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Array.from(binary, (character) => character.charCodeAt(0))
}

/** For each line, the grams of the quote that it holds. */
function gramsFound(lines: readonly KeyedLine[], { sketch }: Quote): readonly ReadonlySet<number>[] {
  return lines.map(({ key }) => {
    const grams = new Set<number>()
    eachGram(key, (gram) => sketch.has(gram) && grams.add(gram))
    return grams
  })
}

/** For each line, the number of the quote's grams in as many lines from there as the quote had. */
function gramsKept(found: readonly ReadonlySet<number>[], { lines: size }: Quote): readonly number[] {
  const counts = new Map<number, number>()
  const add = (grams: Iterable<number>, by: 1 | -1): void => {
    for (const gram of grams) {
      const count = (counts.get(gram) ?? 0) + by
      if (count === 0) counts.delete(gram)
      else counts.set(gram, count)
    }
  }
  for (const grams of found.slice(0, size - 1)) add(grams, 1)
  return found.map((grams, start) => {
    add(found[start + size - 1] ?? [], 1)
    const kept = counts.size
    add(grams, -1)
    return kept
  })
}

/** The line from which on most grams are kept; of several in a row the middle one. Null where so few are chance. */
function mostLeft(kept: readonly number[], { lines: size, sketch }: Quote): number | null {
  let best = { most: 0, first: 0, last: 0 }
  for (const [start, most] of kept.entries()) {
    if (most > best.most) best = { most, first: start, last: start }
    else if (most === best.most && start === best.last + 1) best = { ...best, last: start }
  }
  if (best.most < Math.max(2, Math.ceil(sketch.size * LEAST_SHARE))) return null
  return Math.min(Math.floor((best.first + best.last) / 2), Math.max(0, kept.length - size))
}

/** Without lines at the edges that hold nothing of the quote: where lines were taken away, their neighbours are no part of it. */
function withoutStrangers(
  range: { readonly first: number; readonly last: number },
  found: readonly ReadonlySet<number>[],
): { readonly first: number; readonly last: number } {
  let { first, last } = range
  while (first < last && found[first]?.size === 0) first += 1
  while (last > first && found[last]?.size === 0) last -= 1
  return { first, last }
}

/** Calls `tell` with the hash of each run of a few characters, or of the whole if it is shorter: the lowest 24 bits of FNV-1a. */
function eachGram(key: string, tell: (gram: number) => void): void {
  for (let start = 0; start === 0 || start + GRAM_CHARACTERS <= key.length; start += 1) {
    let value = 0x811c9dc5
    const end = Math.min(start + GRAM_CHARACTERS, key.length)
    for (let at = start; at < end; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193)
    tell((value ^ (value >>> 24)) & 0xffffff)
  }
}

/** The smallest hashes, ascending: equal for equal text, wherever it is. Of few lines each gives as many as the others. */
function sketchOf(lines: readonly KeyedLine[]): readonly number[] {
  if (lines.length > SKETCHED_LINES) return smallestGrams(lines)
  const ofLines = lines.map((line) => smallestGrams([line]))
  const kept = new Set<number>()
  for (let rank = 0; rank < SKETCH_SIZE; rank += 1)
    for (const grams of ofLines) {
      const gram = grams[rank]
      if (gram !== undefined && kept.size < SKETCH_SIZE) kept.add(gram)
    }
  return [...kept].toSorted((left, right) => left - right)
}

function smallestGrams(lines: readonly KeyedLine[]): readonly number[] {
  const kept: number[] = []
  const keep = (gram: number): void => {
    if (kept.length === SKETCH_SIZE && gram >= (kept.at(-1) ?? 0)) return
    if (kept.includes(gram)) return
    kept.push(gram)
    kept.sort((left, right) => left - right)
    if (kept.length > SKETCH_SIZE) kept.pop()
  }
  for (const { key } of lines) eachGram(key, keep)
  return kept
}
