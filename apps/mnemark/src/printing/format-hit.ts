import type { HitExplanation, HitVersions, SearchHit } from '@mnemark/spec'
import { isolate, printable, printableName } from '../terminal/isolate.ts'
import type { Paint } from '../terminal/paint.ts'

const INDENT = '   '

/**
 * Formats one hit for people: `PATH:LINE` of the best match, its score, the lines of the passage, its heading, and its best lines
 * with numbers and highlighted matches. `showPlace` formats the place.
 */
export function formatHit(hit: SearchHit, paint: Paint, showPlace: (hit: SearchHit, place: string) => string = isolated): string {
  const lines = snippetLines(hit)
  const shown = choose(lines, hit.line)
  const heading = headingAbove(lines, shown[0])
  const where = paint.bold(showPlace(hit, printableName(`${hit.path}:${hit.line}`)))
  const first = `${where}  ${paint.dim(`${measureOf(hit)}  ${passageText(hit)}`)}`
  const width = Math.max(0, ...shown.map(({ number }) => String(number).length))
  return [
    heading === null ? first : `${first}  ${isolate(heading)}`,
    ...shown.map((line) => `${INDENT}${gutter(line, width, paint)} ${isolate(paintRanges(line, hit.highlights, paint))}`),
    ...(hit.repeats === undefined ? [] : [paint.dim(INDENT + repeatsText(hit.repeats))]),
    ...(hit.copies === undefined || hit.copies.length === 0
      ? []
      : [paint.dim(`${INDENT}copies: ${hit.copies.map(place).join(', ')}`)]),
    ...(hit.versions === undefined ? [] : versionLines(hit.versions).map((line) => INDENT + line)),
    ...(hit.explain === undefined ? [] : formatExplanation(hit.explain).map((line) => paint.dim(INDENT + line))),
  ].join('\n')
}

function isolated(_hit: SearchHit, shown: string): string {
  return isolate(shown)
}

/** The line range of the whole passage, of which only the best lines are shown. */
function passageText({ startLine, endLine }: SearchHit): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`
}

/** A list has no scores, so the day explains the order. */
function measureOf({ score, share, attributes }: SearchHit): string {
  return score > 0 ? `${score.toFixed(2)}  ${shareText(share)}` : (attributes?.to ?? attributes?.from ?? 'undated')
}

/** How many words of the question it holds: `all words`, `60 % of the words`. */
function shareText(share: number): string {
  return share >= 0.995 ? 'all words' : `${Math.round(share * 100)} % of the words`
}

/** As in rg: a colon after the number of a matching line, a hyphen after that of a neighbour. */
function gutter({ number, isMatch }: SnippetLine, width: number, paint: Paint): string {
  return paint.dim(`${String(number).padStart(width)}${isMatch ? ':' : '-'}`)
}

/** Text from a file, safe to print beside other text. */
function safe(piece: string): string {
  return isolate(printable(piece))
}

/** Where something stands. */
function place(citation: string): string {
  return isolate(printableName(citation))
}

function repeatsText(repeats: NonNullable<SearchHit['repeats']>): string {
  return `said ${repeats.count} times, first in ${place(repeats.first)}, last in ${place(repeats.last)}`
}

/** Values are not dimmed: they are the answer. */
function versionLines({ items, total, isComplete }: HitVersions): readonly string[] {
  const more = total - items.length
  return [
    `${versionsHeading(total, isComplete)}:`,
    ...items.map(({ citation, day, differs }) =>
      [INDENT, differs.map(safe).join(', '), `  ${day ?? 'undated'}  `, place(citation)].join(''),
    ),
    ...(more > 0 ? [`${INDENT}and ${more} more`] : []),
  ]
}

/** Never says which value is right: the newest note may be a mistake, and an undated one may be the rule. */
export function versionsHeading(total: number, isComplete: boolean): string {
  return isComplete
    ? `same wording, other values, ${total} in all`
    : `nearly the same wording, other values, ${total} among the notes compared`
}

interface SnippetLine {
  readonly text: string
  /** The line number in the file. */
  readonly number: number
  /** Its start in the snippet; highlights use the same positions. */
  readonly offset: number
  readonly heading: string | null
  /** How many characters match. */
  readonly matched: number
  readonly isMatch: boolean
}

/** A terminal treats each line as a paragraph, so each line is isolated by itself. */
function snippetLines(hit: SearchHit): readonly SnippetLine[] {
  let offset = 0
  let isFenced = false
  return printable(withoutSource(hit))
    .split('\n')
    .map((text, at) => {
      const start = offset
      offset += text.length + 1
      if (/^\s*(?:`{3}|~{3})/.test(text)) isFenced = !isFenced
      const heading = isFenced ? null : (/^…?#{1,6}\s+(.+?)[\s#]*$/.exec(text)?.[1] ?? null)
      const matched = hit.highlights.reduce(
        (sum, [from, to]) => sum + Math.max(0, Math.min(to, start + text.length) - Math.max(from, start)),
        0,
      )
      return { text, number: hit.snippetLines[at] ?? hit.line, offset: start, heading, matched, isMatch: matched > 0 }
    })
}

const SHOWN_LINES = 4
/** Under a heading the answer follows; under another line only its context. */
const LINES_UNDER_HEADING = 2

/** The best line, the lines under it, and the other lines that match most, in the order of the file. */
function choose(lines: readonly SnippetLine[], bestLine: number): readonly SnippetLine[] {
  const written = lines.filter(({ text }) => text.trim() !== '')
  const best = written.findLast(({ number }) => number <= bestLine) ?? written[0]
  if (best === undefined) return []
  const at = written.indexOf(best)
  // Without a match only the name was found: the beginning is shown.
  if (!written.some(({ isMatch }) => isMatch)) return written.slice(0, SHOWN_LINES)
  const under = written
    .slice(at + 1, at + 1 + (best.heading === null ? 1 : LINES_UNDER_HEADING))
    .filter(({ heading }) => heading === null)
  const others = written.filter((line) => line.isMatch && line !== best && !under.includes(line))
  const head = headOfTable(written, at)
  others.sort(
    (left, right) => right.matched - left.matched || Math.abs(left.number - best.number) - Math.abs(right.number - best.number),
  )
  const chosen = new Set([best, ...head, ...under, ...others].slice(0, SHOWN_LINES))
  return written.filter((line) => chosen.has(line))
}

/** The column names above a row, if the snippet has them. */
function headOfTable(written: readonly SnippetLine[], at: number): readonly SnippetLine[] {
  const isRow = (line: SnippetLine | undefined): boolean => /^…?\s*\|/.test(line?.text ?? '')
  let first = at
  while (isRow(written[first]) && isRow(written[first - 1])) first -= 1
  return written.slice(first, at).slice(0, 1)
}

function headingAbove(lines: readonly SnippetLine[], shown: SnippetLine | undefined): string | null {
  if (shown === undefined) return null
  return lines.findLast(({ heading, offset }) => heading !== null && offset < shown.offset)?.heading ?? null
}

/** The citation is already printed above the snippet. */
function withoutSource(hit: SearchHit): string {
  const source = `Source: ${hit.citation}`
  return hit.snippet.endsWith(source) ? hit.snippet.slice(0, -source.length) : hit.snippet
}

function paintRanges({ text, offset }: SnippetLine, ranges: SearchHit['highlights'], paint: Paint): string {
  let painted = ''
  let done = 0
  for (const [start, end] of ranges) {
    const from = Math.max(start - offset, done)
    const to = Math.min(end - offset, text.length)
    if (from >= to) continue
    painted += text.slice(done, from) + paint.highlight(text.slice(from, to))
    done = to
  }
  return painted + text.slice(done)
}

const SHOWN_TERMS = 6
const HELD_BACK_TEXTS: Readonly<Record<NonNullable<HitExplanation['heldBack']>, string>> = {
  template: 'a template, behind all notes',
  translation: 'a translation of a page in the answer',
}
const NAME_TEXTS: Readonly<Record<NonNullable<HitExplanation['name']>['match'], string>> = {
  title: 'the note is called so',
  alias: 'an alias of the note',
  heading: 'a heading of the note',
  words: 'a part of its name',
}

/** Explains a score, one line for each stage that affected it. */
export function formatExplanation(explanation: HitExplanation): readonly string[] {
  const { keywords, path, name, vectors, fusion, heldBack, fused, decay, rerank, mmr, version } = explanation
  const lines: string[] = []
  if (keywords !== undefined) {
    const terms = keywords.terms.map(({ term, stream, part }) => `${safe(term)} ${stream} ${part.toFixed(2)}`)
    const rest = terms.length > SHOWN_TERMS ? [`${terms.length - SHOWN_TERMS} smaller parts`] : []
    const sum = [...terms.slice(0, SHOWN_TERMS), ...rest].join(' + ')
    const possible = `${keywords.score.toFixed(2)} of ${keywords.possible.toFixed(2)}`
    lines.push(`keywords   ${possible}  rank ${keywords.rank}, BM25 ${keywords.bm25.toFixed(2)} = ${sum}`)
  }
  if (path !== undefined) lines.push(`path       rank ${path.rank}, ${path.match} match`)
  if (name !== undefined) lines.push(`name       ${NAME_TEXTS[name.match]}`)
  if (vectors !== undefined) lines.push(`vectors    ${vectors.similarity.toFixed(3)}  rank ${vectors.rank}`)
  if (fusion !== undefined) lines.push(`fusion     ${fusion.listScore.toFixed(3)}  ${fusionText(fusion)}`)
  if (heldBack !== undefined) lines.push(`held back  ${HELD_BACK_TEXTS[heldBack]}`)
  lines.push(`together   ${fused.toFixed(3)}`)
  if (decay !== undefined) {
    lines.push(`decay      × ${decay.factor.toFixed(3)}  dated ${decay.day} by ${decay.reason}, ${decay.ageDays} days old`)
  }
  if (rerank !== undefined)
    lines.push(`rerank     ${rerank.score.toFixed(3)}  rank ${rerank.rank} and score ${rerank.before.toFixed(3)} before`)
  if (version !== undefined) {
    lines.push(`version    ${version.score.toFixed(3)}  by itself; has the place and score of ${place(version.of)}, being newer`)
  }
  if (mmr !== undefined) lines.push(`diversity  ${mmr.value.toFixed(3)}  likeness to the hits above ${mmr.similarity.toFixed(2)}`)
  return lines
}

function fusionText({ vectorWeight, words, vectors }: NonNullable<HitExplanation['fusion']>): string {
  return `in the joined list; words ${words.toFixed(3)}, vectors ${vectors.toFixed(3)} with a weight of ${vectorWeight.toFixed(2)}`
}
