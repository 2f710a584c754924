import type { StoredChunk, StoreSnapshot } from '@mnemark/spec'
import { joinedChunks } from './joined-chunks.ts'

/** Lines that a passage cites, and the chunk that it was cut from. */
export interface PassageLines {
  readonly chunk: StoredChunk
  readonly startLine: number
  readonly endLine: number
}

/**
 * The cited lines as they stand in the note, where the chunk holds no more than a part of them: it may begin and end inside a line that is too long
 * for it. Undefined where it holds them whole.
 */
export async function wholeLines(
  { chunk, startLine, endLine }: PassageLines,
  snapshot: Pick<StoreSnapshot, 'chunksOf'>,
): Promise<string | undefined> {
  const mayBeCut = (startLine === chunk.startLine && chunk.ordinal > 0) || endLine === chunk.endLine
  if (!mayBeCut) return undefined
  const chunks = await snapshot.chunksOf(chunk.document)
  const around = chunks.filter((one) => one.startLine <= endLine && one.endLine >= startLine)
  const [first] = around
  if (first === undefined || around.length === 1) return undefined
  return joinedChunks(around)
    .split('\n')
    .slice(startLine - first.startLine, endLine - first.startLine + 1)
    .join('\n')
}
