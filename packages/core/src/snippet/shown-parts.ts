import { isTableRule } from '../document/markdown/markdown-line.ts'
import { type Outline, outlineOf } from '../document/markdown/outline.ts'
import { excerptBounds } from './excerpt-bounds.ts'
import { graphemeFloor } from '../text/grapheme-border.ts'
import { bestWindow, DistinctWorth, type MatchWindow, type WordMatch } from './match-window.ts'

export interface Range {
  readonly start: number
  readonly end: number
}
export interface ShownParts {
  /** In order, not overlapping, of `size` characters at most with two for each border between them. */
  readonly parts: readonly Range[]
  /** The heaviest match of the most relevant line; undefined without matches. */
  readonly best: WordMatch | undefined
}

/** A heading with the words tells the subject of the text under it: of equals it is the better place. */
const HEADING_FACTOR = 1.1
/** Most characters of a heading or a row of column names, and of the text under a heading outside the window. */
const LONGEST_LEAD = 160
const LONGEST_UNDER = 200
/** Lines under a heading that are searched for its text. */
const LINES_UNDER = 4
/** A line break and an omission mark. */
const BORDER = 2
/** Most characters around the best window of a longer text that are read as Markdown. */
const MOST_READ = 32_768

/**
 * Parts of a text that are shown for its matches: the most relevant window, with the matching headings and the head of
 * its table.
 */
export function shownParts(text: string, given: readonly WordMatch[], size: number): ShownParts {
  if (given.length === 0) return { parts: [excerptBounds(text, { start: 0, end: 0 }, size)], best: undefined }
  if (text.length > MOST_READ) return partsOfLong(text, given, size)
  const lines = new Lines(text)
  const matches = given.map((match) =>
    lines.isHeading(lines.at(match.start)) ? { ...match, weight: match.weight * HEADING_FACTOR } : match,
  )
  const window = bestWindow(matches, size)
  const best = window && lines.bestOf(window)
  if (!window || !best || text.length <= size) return { parts: [{ start: 0, end: text.length }], best: best ?? undefined }
  const around = lines.excerpt(window, size)
  const leads = leadsOf(lines, { matches, window, best, around, room: Math.floor(size / 2) })
  const room = size - leads.reduce((sum, { start, end }) => sum + end - start + BORDER, 0)
  const main = room === size ? window : (bestWindow(matches, room) ?? window)
  return { parts: joined([...leads, lines.excerpt(main, room)]), best: lines.bestOf(main) ?? best }
}

function partsOfLong(text: string, matches: readonly WordMatch[], size: number): ShownParts {
  const middle = bestWindow(matches, size)?.start ?? 0
  const from = graphemeFloor(text, Math.max(0, middle - MOST_READ / 2))
  const to = graphemeFloor(text, from + MOST_READ)
  const moved = (range: Range, by: number) => ({ start: range.start + by, end: range.end + by })
  const inside = matches.filter(({ start, end }) => start >= from && end <= to)
  const { parts, best } = shownParts(
    text.slice(from, to),
    inside.map((match) => ({ ...match, ...moved(match, -from) })),
    size,
  )
  return { parts: parts.map((part) => moved(part, from)), best: best && { ...best, ...moved(best, from) } }
}

interface LeadRequest {
  readonly matches: readonly WordMatch[]
  readonly window: MatchWindow
  readonly best: WordMatch
  /** The range that is shown in any case. */
  readonly around: Range
  readonly room: number
}

/** Lines outside the window without which it would be misread, as far as there is room. */
function leadsOf(lines: Lines, { matches, window, best, around, room }: LeadRequest): readonly Range[] {
  const headings = lines.headingsWith(matches)
  const above = headings.findLast(({ line }) => (lines.outline.starts[line] ?? 0) <= window.start)
  const most = Math.max(0, ...headings.map(({ worth }) => worth))
  const first = above?.worth === most ? above : headings.find(({ worth }) => worth === most)
  const head = lines.headOfTable(lines.at(best.start))
  const wanted = [
    ...(first === undefined ? [] : [lines.withTextUnder(first.line)]),
    ...(head === undefined ? [] : [lines.whole(head)]),
    ...(above === undefined || above === first ? [] : [lines.whole(above.line)]),
  ]
  const leads: Range[] = []
  let left = room
  for (const lead of wanted) {
    const isShown = around.start <= lead.start && lead.end <= around.end
    const cost = lead.end - lead.start + BORDER
    if (isShown || cost > left) continue
    leads.push(lead)
    left -= cost
  }
  return leads
}

/** Sorts parts and merges overlapping ones. */
function joined(parts: readonly Range[]): readonly Range[] {
  const apart: { start: number; end: number }[] = []
  for (const { start, end } of parts.toSorted((left, right) => left.start - right.start)) {
    const last = apart.at(-1)
    if (last === undefined || start > last.end) apart.push({ start, end })
    else last.end = Math.max(last.end, end)
  }
  return apart
}

/** The lines of a text with their Markdown structure. */
class Lines {
  readonly outline: Outline
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.outline = outlineOf(text)
  }

  /** Number of the line that holds an offset. */
  at(offset: number): number {
    const { starts } = this.outline
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  isHeading(line: number): boolean {
    return this.outline.kinds[line] === 'heading'
  }

  /** A line, cut where it is long. */
  whole(line: number, longest: number = LONGEST_LEAD): Range {
    const { starts, ends } = this.outline
    const start = starts[line] ?? 0
    const end = ends[line] ?? start
    return { start, end: end - start <= longest ? end : graphemeFloor(this.#text, start + longest) }
  }

  withTextUnder(line: number): Range {
    return { start: this.whole(line).start, end: this.#endUnder(line) }
  }

  /** End of the first text under a heading, or of the heading itself where none follows. */
  #endUnder(heading: number): number {
    const { kinds } = this.outline
    for (let line = heading + 1; line <= heading + LINES_UNDER && line < kinds.length; line += 1) {
      if (kinds[line] !== 'blank' && kinds[line] !== 'heading') return this.whole(line, LONGEST_UNDER).end
    }
    return this.whole(heading).end
  }

  /** At most `size` characters around a window: from its heading on, and with the text under a heading at its end. */
  excerpt(window: MatchWindow, size: number): Range {
    const [first, last] = [this.at(window.start), this.at(Math.max(window.start, window.end - 1))]
    const opening = this.whole(first)
    const isHeading = this.isHeading(first) && window.start < opening.end
    const start = isHeading ? opening.start : window.start
    const end = this.isHeading(last) ? Math.max(window.end, this.#endUnder(last)) : window.end
    return excerptBounds(this.#text, { start, end }, size, isHeading ? 0 : undefined)
  }

  /** The heaviest match of the most relevant line of a window, the first of equals. */
  bestOf({ matches }: MatchWindow): WordMatch | undefined {
    const byLine = Map.groupBy(matches, ({ start }) => this.at(start))
    let best: { readonly worth: number; readonly matches: readonly WordMatch[] } | undefined
    for (const group of byLine.values()) {
      const worth = DistinctWorth.of(group)
      if (best === undefined || worth > best.worth) best = { worth, matches: group }
    }
    return best?.matches.reduce((heaviest, match) => (match.weight > heaviest.weight ? match : heaviest))
  }

  /** The headings with matches, and the total worth of these. */
  headingsWith(matches: readonly WordMatch[]): readonly { readonly line: number; readonly worth: number }[] {
    const byLine = Map.groupBy(matches, ({ start }) => this.at(start))
    return [...byLine].filter(([line]) => this.isHeading(line)).map(([line, group]) => ({ line, worth: DistinctWorth.of(group) }))
  }

  /** The row of column names above a row of a table. */
  headOfTable(row: number): number | undefined {
    const { groups, kinds, starts, ends } = this.outline
    const group = groups[row] ?? 0
    if (group === 0 || kinds[row] !== 'table') return undefined
    let head = row
    while (groups[head - 1] === group) head -= 1
    return head < row && isTableRule(this.#text, starts[head + 1] ?? 0, ends[head + 1] ?? 0) ? head : undefined
  }
}
