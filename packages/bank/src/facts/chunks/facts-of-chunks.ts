import type { StoredChunk } from '@mnemark/spec'
import type { Fact } from '../../retain/fact.ts'
import { readFacts } from '../../retain/read-facts.ts'
import { pageKindOf } from '../../retain/fact-places.ts'
import { joinedChunks } from './joined-chunks.ts'

/** A fact and the place of its lines in the index. */
export interface IndexedFact extends Fact {
  readonly source: string
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** The chunk that holds its first line. */
  readonly chunkId: number
  /** Its lines as they stand. */
  readonly text: string
  /** True in notes that a program made from others, in copies and in archives. */
  readonly isCopy: boolean
  /** See `PlacedFact`. */
  readonly formula?: number
}

const COPIES: ReadonlySet<string> = new Set(['derived', 'copy', 'archived', 'template'])

/** True of chunks of notes that a program made from others, of copies and of archives. */
export function isCopy({ marks }: Pick<StoredChunk['attributes'], 'marks'>): boolean {
  return marks?.some((mark) => COPIES.has(mark)) === true
}

/** Reads a fact again from its chunks, in their order; undefined where they are of another version. */
export function factOfChunks(chunks: readonly StoredChunk[]): IndexedFact | undefined {
  const [first] = chunks
  if (first === undefined) return undefined
  const { attributes, document } = first
  const { from, to = from, extra } = attributes
  const lines = joinedChunks(chunks)
  const isPage = pageKindOf(document.path) !== undefined
  const title = extra?.subject === undefined ? '' : `---\ntitle: ${JSON.stringify(extra.subject)}\n---\n`
  const days = from === undefined || to === undefined || extra?.isUndated === true ? undefined : { from, to }
  // Words around a fact: alone, a short one looks like a template that nobody filled in.
  const text = `${title}Something was said.\n\n${isPage ? '' : '## Retain\n'}${lines}\n`
  const found = readFacts(text, { path: isPage ? document.path : 'memory/note.md', headings: ['Retain'], days }).facts
  const fact = found.find(({ id }) => id === attributes.factId)
  if (fact === undefined) return undefined
  return {
    ...fact,
    source: document.source,
    path: document.path,
    startLine: first.startLine,
    endLine: chunks.at(-1)?.endLine ?? first.endLine,
    chunkId: first.id,
    text: lines,
    ...(typeof extra?.formula === 'number' && { formula: extra.formula }),
    isCopy: isCopy(attributes),
  }
}
