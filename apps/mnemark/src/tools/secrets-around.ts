import type { MemoryBackend } from '@mnemark/spec'
import { findSecrets } from './mask-text.ts'
import { readText } from './read-text.ts'
import type { ReadCall } from './read-text.ts'

/** Lines read above a text that begins inside a table, whose header says which cells are secret, or inside a private key. */
const LINES_ABOVE = 200
const BEGINS_INSIDE = /^\s*(?:\||[A-Za-z\d+/=]{40,}\s*(?:\n|$))|^(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z ]*PRIVATE KEY/u

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
  if (startLine <= 1 || !BEGINS_INSIDE.test(text)) return findSecrets(text)
  const from = Math.max(1, startLine - LINES_ABOVE)
  const above = await readText(memory, { path, from, lines: startLine - from }, call)
  return findSecrets(`${above ?? ''}\n${text}`)
}
