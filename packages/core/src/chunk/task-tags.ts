/** A list item that an outliner marks as to do or done. */
const TASK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(TODO|DONE)(?=[ \t])/gm

/** The marks of the tasks in a text, each once: tags, so that open ones can be asked for. */
export function taskTags(text: string): readonly string[] {
  const tags = new Set<string>()
  for (const [, tag = ''] of text.matchAll(TASK)) tags.add(tag)
  return [...tags]
}
