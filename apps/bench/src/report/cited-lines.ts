/** Lines of a note that an answer cites, from 1, both inclusive. */
export interface CitedLines {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

/** The lines of a citation `path#L12-L14`; none where it is another text. */
export function citedLines(citation: string): readonly CitedLines[] {
  const [, path, start, end] = /^(.*)#L(\d+)-L(\d+)$/.exec(citation) ?? []
  return path === undefined ? [] : [{ path, startLine: Number(start), endLine: Number(end) }]
}
