/** A text as displayed, with a mapping from and to its source. */
export interface VisibleText {
  readonly text: string
  toVisible(sourceOffset: number): number
  toSource(visibleOffset: number): number
}
/** A part [start, end) of the source and its replacement. */
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

/** Mark for omitted text; one character. */
export const OMISSION = '…'

/**
 * Displays each hidden range as one omission mark, with the line break at its end; carriage returns are dropped before
 * line feeds and become spaces elsewhere.
 */
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
    // Hidden whole lines keep their line break, so that the next text still begins a line: it may be a heading.
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

/** Offsets inside a replacement map to the end of the piece before it. */
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
