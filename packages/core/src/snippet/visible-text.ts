/** A text as it is shown, with the way from and to its own characters. */
export interface VisibleText {
  readonly text: string
  toVisible(sourceOffset: number): number
  toSource(visibleOffset: number): number
}
/** A part [start, end) of the source and what stands in its place. */
interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}
interface KeptPiece {
  readonly source: number
  readonly visible: number
  readonly length: number
}

/** What stands where text was left out; one character. */
export const OMISSION = '…'

/** Hidden ranges shown as one omission mark each, with the line break they end with, carriage returns dropped before line feeds and else shown as spaces. */
export function visibleText(source: string, hidden: readonly (readonly [start: number, end: number])[]): VisibleText {
  const replacements = replacementsOf(source, hidden)
  if (replacements.length === 0) return { text: source, toVisible: (offset) => offset, toSource: (offset) => offset }
  const pieces: KeptPiece[] = []
  const parts: string[] = []
  let from = 0
  let visible = 0
  for (const replacement of [...replacements, { start: source.length, end: source.length, text: '' }]) {
    const length = replacement.start - from
    pieces.push({ source: from, visible, length })
    parts.push(source.slice(from, replacement.start), replacement.text)
    visible += length + replacement.text.length
    from = replacement.end
  }
  return {
    text: parts.join(''),
    toVisible: (offset) => mapped(pieces, offset, 'source', 'visible'),
    toSource: (offset) => mapped(pieces, offset, 'visible', 'source'),
  }
}

function replacementsOf(source: string, hidden: readonly (readonly [start: number, end: number])[]): Replacement[] {
  const all: Replacement[] = []
  for (const [start, end] of hidden) {
    if (end <= start) continue
    // Whole lines go as lines, so that what follows still begins one: it may be a heading.
    const text = source.charAt(end - 1) === '\n' ? `${OMISSION}\n` : OMISSION
    all.push({ start: Math.max(0, start), end: Math.min(source.length, end), text })
  }
  for (const { index, 0: found } of source.matchAll(/\r+/g)) {
    const end = index + found.length
    all.push({ start: index, end, text: source.charAt(end) === '\n' ? '' : ' ' })
  }
  all.sort((left, right) => left.start - right.start || right.end - left.end)
  return withoutInner(all)
}

function withoutInner(sorted: readonly Replacement[]): Replacement[] {
  const kept: Replacement[] = []
  let reached = 0
  for (const replacement of sorted) {
    if (replacement.end <= reached) continue
    kept.push({ ...replacement, start: Math.max(reached, replacement.start) })
    reached = replacement.end
  }
  return kept
}

/** Offsets inside what was replaced go to the end of the piece before it. */
function mapped(pieces: readonly KeptPiece[], offset: number, from: 'source' | 'visible', to: 'source' | 'visible'): number {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.[from] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  const piece = pieces[low] ?? { source: 0, visible: 0, length: 0 }
  return piece[to] + Math.min(piece.length, Math.max(0, offset - piece[from]))
}
