/** A replacement of [start, end) of a text by `text`. Edits of one text ascend and do not overlap. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text after its edits, with a mapping of positions to the source. */
export interface EditedText {
  readonly text: string
  /** Source position of a beginning at `at`. */
  readonly sourceStart: (at: number) => number
  /** Source position of an end at `end`. */
  readonly sourceEnd: (end: number) => number
}

const same = (at: number): number => at

export function unedited(text: string): EditedText {
  return { text, sourceStart: same, sourceEnd: same }
}

export function editText(source: string, edits: readonly Edit[]): EditedText {
  if (edits.length === 0) return unedited(source)
  let text = ''
  let from = 0
  // End of each edit in the edited text, and in the source.
  const [ends, sourceEnds] = [new Int32Array(edits.length), new Int32Array(edits.length)]
  for (const [at, edit] of edits.entries()) {
    text += source.slice(from, edit.start) + edit.text
    from = edit.end
    ends[at] = text.length
    sourceEnds[at] = edit.end
  }
  text += source.slice(from)
  if (edits.every((edit) => edit.text.length === edit.end - edit.start)) return { text, sourceStart: same, sourceEnd: same }
  /** Number of edits that end before `at`, or at it. */
  const countBefore = (at: number, orAt: boolean): number => {
    let [low, high] = [0, edits.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const end = ends[middle] ?? 0
      if (end < at || (orAt && end === at)) low = middle + 1
      else high = middle
    }
    return low
  }
  /** Source position after `count` edits; `inside` where it is in the next one. */
  const placeOf = (at: number, count: number, inside: (edit: Edit) => number): number => {
    const place = (sourceEnds[count - 1] ?? 0) + at - (ends[count - 1] ?? 0)
    const next = edits[count]
    return next !== undefined && place > next.start ? inside(next) : place
  }
  return {
    text,
    sourceStart: (at) => placeOf(at, countBefore(at, true), ({ start }) => start),
    sourceEnd: (end) => placeOf(end, countBefore(end, false), (edit) => edit.end),
  }
}

/** Maps positions of `after` through `before`, whose text it was made from. */
export function editedTwice(before: EditedText, after: EditedText): EditedText {
  if (before.sourceStart === same) return after
  if (after.sourceStart === same) return { ...before, text: after.text }
  return {
    text: after.text,
    sourceStart: (at) => before.sourceStart(after.sourceStart(at)),
    sourceEnd: (end) => before.sourceEnd(after.sourceEnd(end)),
  }
}
