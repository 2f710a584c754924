/** Members that hold words of notes, which stand in the answer's text, or belong to them. */
const WORDS: ReadonlySet<string> = new Set(['text', 'snippet', 'tags', 'versions', 'notice'])

/** The data of an answer as it goes beside its text: places and measures without the words, which nobody is sent twice. */
export function wireData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => !WORDS.has(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(memberOf) : value]),
  )
}

function memberOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? wireData({ ...value }) : value
}
