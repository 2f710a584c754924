import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StoredChunk, StoreSnapshot } from '@mnemark/spec'

/** The remains of a forgotten note, as far as this index shows. */
export interface Traces {
  /** Notes that hold a passage of it word for word. */
  readonly sameText: readonly string[]
  /** Notes that name it. */
  readonly mentions: readonly string[]
  /** Files that may hold its text and are not searched: indexes of other agents, damaged indexes. */
  readonly files: readonly string[]
}

/** Searches every other note of the index, one at a time. */
export async function findTraces(
  snapshot: StoreSnapshot,
  note: { readonly path: string; readonly chunks: readonly StoredChunk[] },
): Promise<Omit<Traces, 'files'>> {
  const inputs = new Set(note.chunks.flatMap((chunk) => chunk.inputs))
  const name = basename(note.path).replace(/\.[a-z]+$/i, '')
  const sameText: string[] = []
  const mentions: string[] = []
  for await (const document of snapshot.documents()) {
    if (document.path === note.path) continue
    const chunks = await snapshot.chunksOf(document)
    if (chunks.some((chunk) => chunk.inputs.some((input) => inputs.has(input)))) sameText.push(document.path)
    else if (chunks.some(({ text }) => text.includes(note.path) || text.includes(`[[${name}`))) mentions.push(document.path)
  }
  return { sameText: sameText.sort(), mentions: mentions.sort() }
}

export function traceFiles(indexFile: string): readonly string[] {
  const folder = dirname(indexFile)
  const own = basename(indexFile)
  return readdirSync(folder)
    .filter((name) => (name.endsWith('.sqlite') && name !== own) || /\.damaged-\d+(?:-wal)?$/.test(name))
    .map((name) => join(folder, name))
}
