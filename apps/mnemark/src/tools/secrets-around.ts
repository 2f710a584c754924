import type { MemoryBackend } from '@mnemark/spec'
import { findSecrets } from './mask-text.ts'
import { readText } from './read-text.ts'
import type { ReadCall } from './read-text.ts'

/** Lines read above a text that begins inside a table: its header says which cells are secret. */
const TABLE_LINES = 200

export interface PlacedText {
  readonly path: string
  readonly startLine: number
  readonly text: string
}

/** The secrets of some lines of a note, those included that only the lines above show to be some. */
export async function secretsAround(
  memory: Pick<MemoryBackend, 'read'>,
  place: PlacedText,
  call: ReadCall,
): Promise<readonly string[]> {
  const { path, startLine, text } = place
  if (startLine <= 1 || !text.trimStart().startsWith('|')) return findSecrets(text)
  const from = Math.max(1, startLine - TABLE_LINES)
  const above = await readText(memory, { path, from, lines: startLine - from }, call)
  return findSecrets(`${above ?? ''}\n${text}`)
}
