/** Members that hold text of notes or belong to it; the answer's text has them already. */
const WORDS: ReadonlySet<string> = new Set(['text', 'snippet', 'tags', 'versions', 'notice'])

/** The data of an answer as it is sent beside its text: locations and numbers without the text, which is not sent twice. */
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
