/** A part of a page that `pnpm test:contracts` writes, between two marks that stay. */
export interface Section {
  readonly begin: string
  readonly end: string
}

export const section = (name: string): Section => ({
  begin: `<!-- ${name}: written by pnpm test:contracts -->`,
  end: `<!-- end of ${name} -->`,
})

/** The page with what stands between the marks replaced. Throws where a mark is missing. */
export function replaced(
  page: { readonly path: string; readonly text: string },
  { begin, end }: Section,
  content: string,
): string {
  const { path, text } = page
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)]
  if (start < 0 || stop < start) throw new Error(`${path} lacks the line ${start < 0 ? begin : end}`)
  return `${text.slice(0, start + begin.length)}\n\n${content}\n\n${text.slice(stop)}`
}

/** The cells of the rows of a table between the marks, the head first. */
export const rowsBetween = (text: string, { begin, end }: Section): readonly (readonly string[])[] =>
  text
    .slice(text.indexOf(begin), text.indexOf(end))
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| :?-/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
