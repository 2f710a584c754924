/** Matches a list item that an outliner marks as to do or done. */
const TASK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(TODO|DONE)(?=[ \t])/gm

/** Task marks in a text, each once, as tags: open tasks can be searched. */
export function taskTags(text: string): readonly string[] {
  const tags = new Set<string>()
  for (const [, tag = ''] of text.matchAll(TASK)) tags.add(tag)
  return [...tags]
}
