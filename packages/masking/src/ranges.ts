/** A part of a text: the index of its first character, and the index after its last. */
export type Range = readonly [start: number, end: number]

/** Ranges of the groups of a global pattern with the flag `d`; where a match has no group, the range of the match. */
export function matches(text: string, pattern: RegExp): readonly Range[] {
  return [...text.matchAll(pattern)].flatMap((match): readonly Range[] => {
    const groups = match.indices?.slice(1).filter((group) => group !== undefined) ?? []
    return groups.length > 0 ? groups : [[match.index, match.index + match[0].length]]
  })
}

/** Sorts the ranges and joins those that touch. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(([left], [right]) => left - right)
  const apart: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else apart.push([start, end])
  }
  return apart
}

/** Splits a range by lines, without surrounding blanks, so that masking keeps the line breaks. */
export function byLines(text: string, [start, end]: Range): readonly Range[] {
  return [...text.slice(start, end).matchAll(/[^\r\n]+/gu)].flatMap(({ 0: line, index }): readonly Range[] => {
    const trimmed = line.trim()
    const from = start + index + line.length - line.trimStart().length
    return trimmed === '' ? [] : [[from, from + trimmed.length]]
  })
}
