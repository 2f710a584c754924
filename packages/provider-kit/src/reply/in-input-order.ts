/** Orders entries by `index` if each has its own, by position only if none has one. Else throws what `unclear` makes of a position. */
export function inInputOrder<Entry extends { readonly index?: unknown }>(
  entries: readonly Entry[],
  unclear: (position: number) => Error,
): readonly Entry[] {
  const indexes = entries.map(({ index }) => index)
  if (indexes.every((index) => index === undefined || index === null)) return entries
  const ordered = new Map(entries.map((entry) => [entry.index, entry]))
  return entries.map((_, position) => {
    const entry = ordered.get(position)
    if (entry === undefined) throw unclear(position)
    return entry
  })
}
