import { afterListMarker, firstNonBlank } from '../document/markdown/markdown-line.ts'
import type { Outline } from '../document/markdown/outline.ts'
import { tokenUnits } from '../text/estimate-tokens.ts'
import { cutLine, type Piece } from '../text/cut-line.ts'
import { DATA_PIECE, type Measure } from './measure.ts'

/** The smallest parts chunks are made of: lines that are not blank, and pieces of lines over the budget. Parallel arrays. */
export interface ChunkUnits {
  readonly count: number
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Line of the text, from 0. */
  readonly lines: readonly number[]
  /** Measure of each unit, and of all text before it. */
  readonly own: readonly number[]
  readonly before: readonly number[]
  /** How good a place each unit is to begin a chunk: 0 only where there is no other. */
  readonly breaks: readonly number[]
  /** Level of each unit's heading, 0 for none. */
  readonly levels: readonly number[]
  /** Index in `outline.headings` of the last heading at or above each unit, -1 before the first. */
  readonly headings: readonly number[]
  /** Unit of the bullet that this one is nested under, -1 for none. */
  readonly parents: readonly number[]
  /** First unit after the fenced block or table that this unit is in, where it fits a chunk; else 0. */
  readonly blockEnds: readonly number[]
  /** Whether a run of data begins or continues in a unit. */
  readonly holdsData: readonly boolean[]
}

const BREAK = {
  heading: 100,
  perLevel: 8,
  rule: 60,
  paragraph: 40,
  item: 24,
  nested: 12,
  block: 15,
  sentence: 8,
  line: 4,
  word: 2,
  grapheme: 1,
}

interface Bullet {
  readonly unit: number
  readonly indent: number
}
interface Building {
  readonly text: string
  readonly outline: Outline
  readonly starts: number[]
  readonly ends: number[]
  readonly lines: number[]
  readonly own: number[]
  readonly before: number[]
  readonly breaks: number[]
  readonly levels: number[]
  readonly headings: number[]
  readonly parents: number[]
  readonly bullets: Bullet[]
  readonly holdsData: boolean[]
  /** The first run of data that may reach into the next unit; runs before it are over. */
  nextRun: number
  heading: number
  total: number
}

export function unitsOf(
  text: string,
  outline: Outline,
  limits: { readonly measure: Measure; readonly maxUnits: number },
): ChunkUnits {
  const { measure, maxUnits } = limits
  const building: Building = {
    text,
    outline,
    starts: [],
    ends: [],
    lines: [],
    own: [],
    before: [],
    breaks: [],
    levels: [],
    headings: [],
    parents: [],
    bullets: [],
    holdsData: [],
    nextRun: 0,
    heading: -1,
    total: 0,
  }
  for (let line = 0; line < outline.starts.length; line++) {
    const start = outline.starts[line] ?? 0
    const end = outline.ends[line] ?? 0
    const next = outline.starts[line + 1] ?? text.length
    if (outline.kinds[line] === 'blank') building.total += measure.units(text, start, next)
    else {
      const units = measure.units(text, start, end)
      if (units > maxUnits) addPieces(building, line, cutAroundData(building, { start, end }, limits), measure)
      else addUnit(building, line, { start, end, units })
      building.total += measure.units(text, end, next)
    }
  }
  return { ...building, count: building.starts.length, blockEnds: blockEndsOf(building, maxUnits) }
}

/** Runs of data become separate pieces, cut only where they are longer than a chunk may be. */
function cutAroundData(
  { text, outline, nextRun }: Building,
  { start, end }: { readonly start: number; readonly end: number },
  limits: { readonly measure: Measure; readonly maxUnits: number },
): Piece[] {
  const pieces: Piece[] = []
  let from = start
  for (let index = nextRun; index < outline.data.length; index += 1) {
    const run = outline.data[index]
    if (run === undefined || run.start >= end) break
    const [runStart, runEnd] = [Math.max(run.start, start), Math.min(run.end, end)]
    if (runEnd <= from) continue
    if (runStart > from) pieces.push(...cutToFit(text, { start: from, end: runStart }, limits))
    for (let at = runStart; at < runEnd; at += DATA_PIECE)
      pieces.push({ start: at, end: Math.min(runEnd, at + DATA_PIECE), kind: 'word' })
    from = runEnd
  }
  return from < end ? [...pieces, ...cutToFit(text, { start: from, end }, limits)] : pieces
}

/** A caller's tokenizer may find a piece longer than the estimate did: such a piece is cut again, half as long. */
function cutToFit(
  text: string,
  range: { readonly start: number; readonly end: number },
  limits: { readonly measure: Measure; readonly maxUnits: number },
): Piece[] {
  const { measure, maxUnits } = limits
  if (measure.isAdditive) return cutLine(text, range, maxUnits)
  const cut = (part: { readonly start: number; readonly end: number }, estimate: number): Piece[] =>
    cutLine(text, part, estimate).flatMap((piece) => {
      const isSmallest =
        piece.end - piece.start <= 2 && piece.end - piece.start <= String.fromCodePoint(text.codePointAt(piece.start) ?? 0).length
      if (isSmallest || measure.units(text, piece.start, piece.end) <= maxUnits) return [piece]
      const [first, ...rest] = cut(piece, tokenUnits(text, piece.start, piece.end) / 2)
      return first === undefined ? [] : [{ ...first, kind: piece.kind }, ...rest]
    })
  return cut(range, maxUnits)
}

function addPieces(building: Building, line: number, pieces: readonly Piece[], measure: Measure): void {
  const { text } = building
  for (const piece of pieces) {
    const units = measure.units(text, piece.start, piece.end)
    if (firstNonBlank(text, piece.start, piece.end) === piece.end) building.total += units
    else if (building.lines.at(-1) !== line) addUnit(building, line, { ...piece, units })
    else pushUnit(building, line, { ...piece, units, score: BREAK[piece.kind], parent: building.parents.at(-1) ?? -1, level: 0 })
  }
}

interface Extent {
  readonly start: number
  readonly end: number
  readonly units: number
}

function addUnit(building: Building, line: number, extent: Extent): void {
  const { outline } = building
  const isHeading = outline.kinds[line] === 'heading'
  const level = isHeading ? headingLevelAt(building, line) : 0
  const parent = nestUnder(building, line)
  pushUnit(building, line, { ...extent, score: scoreOf(building, { line, level, parent }), parent, level })
}

function pushUnit(
  building: Building,
  line: number,
  unit: Extent & { readonly score: number; readonly parent: number; readonly level: number },
): void {
  building.starts.push(unit.start)
  building.ends.push(unit.end)
  building.lines.push(line)
  building.own.push(unit.units)
  building.before.push(building.total)
  building.breaks.push(unit.score)
  building.levels.push(unit.level)
  building.headings.push(building.heading)
  building.parents.push(unit.parent)
  building.holdsData.push(takeData(building, unit))
  building.total += unit.units
}

/** Units are pushed in order: a run that ends before one is before all later ones. */
function takeData(building: Building, { start, end }: Extent): boolean {
  const { data } = building.outline
  while (building.nextRun < data.length && (data[building.nextRun]?.end ?? 0) <= start) building.nextRun += 1
  return (data[building.nextRun]?.start ?? end) < end
}

/** All lines of one underlined heading carry its level. */
function headingLevelAt(building: Building, line: number): number {
  const { headings } = building.outline
  if (headings[building.heading + 1]?.line === line) {
    building.heading += 1
    building.bullets.length = 0
  }
  return headings[building.heading]?.level ?? 1
}

/** Keeps the chain of open bullets and returns the one this line is nested under. A plain line may head a nested list too. */
function nestUnder(building: Building, line: number): number {
  const { bullets, outline } = building
  const kind = outline.kinds[line]
  const indent = outline.indents[line] ?? 0
  const group = outline.groups[line] ?? 0
  if (group > 0 && outline.groups[line - 1] === group) return bullets.at(-1)?.unit ?? -1
  const isItem = kind === 'list' || (kind === 'fence' && afterListMarkerAt(building, line))
  const isAfterBlank = line > 0 && outline.kinds[line - 1] === 'blank'
  if (kind === 'heading' || kind === 'rule' || kind === 'table') bullets.length = 0
  while (bullets.length > 0 && isClosedBy(building, bullets.at(-1), { isItem, indent, isAfterBlank })) bullets.pop()
  const parent = bullets.at(-1)?.unit ?? -1
  if (isItem || (kind === 'text' && bullets.length === 0)) bullets.push({ unit: building.starts.length, indent })
  return parent
}

function isClosedBy(
  building: Building,
  bullet: Bullet | undefined,
  next: { readonly isItem: boolean; readonly indent: number; readonly isAfterBlank: boolean },
): boolean {
  if (bullet === undefined || next.indent > bullet.indent) return false
  // A plain line that lazily continues the item does not end it; one that follows deeper lines does.
  const indentBefore = building.outline.indents[building.lines.at(-1) ?? 0] ?? 0
  return next.isItem || next.isAfterBlank || next.indent < bullet.indent || indentBefore > bullet.indent
}

function afterListMarkerAt(building: Building, line: number): boolean {
  const { text, outline } = building
  const end = outline.ends[line] ?? 0
  const first = firstNonBlank(text, outline.starts[line] ?? 0, end)
  return first < end && afterListMarker(text, first, end) !== -1
}

function scoreOf(building: Building, at: { readonly line: number; readonly level: number; readonly parent: number }): number {
  const { outline, text } = building
  const { line, level, parent } = at
  const previous = building.starts.length - 1
  // A heading stays with what follows it.
  if (previous >= 0 && (building.levels[previous] ?? 0) > 0) return 0
  if (level > 0) return BREAK.heading - (level - 1) * BREAK.perLevel
  const score = plainScore(outline, line, parent)
  const last = previous >= 0 ? text.charAt((building.ends[previous] ?? 1) - 1) : ''
  return last === ':' || last === '：' ? score / 3 : score
}

function plainScore(outline: Outline, line: number, parent: number): number {
  const kind = outline.kinds[line]
  const group = outline.groups[line] ?? 0
  const isAfterBlank = outline.kinds[line - 1] === 'blank'
  if (kind === 'rule') return BREAK.rule
  if (group > 0 && outline.groups[line - 1] === group) return isAfterBlank ? BREAK.nested : BREAK.line
  if (isAfterBlank && parent === -1) return BREAK.paragraph
  if (kind === 'list') return parent === -1 ? BREAK.item : BREAK.nested
  return group > 0 ? BREAK.block : BREAK.line
}

/** Also removes breaks inside blocks that fit. */
function blockEndsOf(building: Building, maxUnits: number): number[] {
  const { outline, lines, own, before, breaks } = building
  const blockEnds = lines.map(() => 0)
  for (let first = 0; first < lines.length; ) {
    const group = outline.groups[lines[first] ?? 0] ?? 0
    let end = first + 1
    while (group > 0 && end < lines.length && outline.groups[lines[end] ?? 0] === group) end++
    const units = (before[end - 1] ?? 0) + (own[end - 1] ?? 0) - (before[first] ?? 0)
    if (group > 0 && units <= maxUnits) {
      blockEnds.fill(end, first, end)
      breaks.fill(0, first + 1, end)
    }
    first = end
  }
  return blockEnds
}
