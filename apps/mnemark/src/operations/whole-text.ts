import type { CallerContext, DocumentReader } from '@mnemark/spec'

const LINES = 10_000

/** The whole text of a note, which a reader gives in pieces; undefined where there is none. */
export async function wholeText(reader: DocumentReader, path: string, caller: CallerContext): Promise<string | undefined> {
  let whole = ''
  for (let from: number | undefined = 1; from !== undefined; ) {
    const { status, text, nextFrom, path: found } = await reader.read({ path, from, lines: LINES, caller })
    if (status === 'not-found') return undefined
    whole += text
    if (nextFrom !== undefined && (nextFrom <= from || found === '')) return whole
    from = nextFrom
  }
  return whole
}
