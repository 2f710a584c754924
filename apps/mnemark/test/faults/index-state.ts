import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Degradation, MemoryBackend, MemoryStore, SearchReply } from '@mnemark/spec'
import { openAt } from './open-index.ts'
import { QUERIES } from './sample-notes.ts'

/** Everything an index says that does not depend on how it came about. */
export interface IndexState {
  /** Documents and their chunks, as lines of JSON, in the order of their paths. */
  readonly rows: readonly string[]
  /** The places that each query finds, in order, with their scores. */
  readonly answers: Readonly<Record<string, readonly string[]>>
  readonly degraded: readonly Degradation[]
}

export async function rowsOf(store: MemoryStore): Promise<readonly string[]> {
  const rows: string[] = []
  const snapshot = await store.snapshot()
  try {
    for await (const { inode: _inode, modifiedAtMs: _modified, ...document } of snapshot.documents()) {
      const chunks = (await snapshot.chunksOf(document)).map(({ id: _id, ...chunk }) => chunk)
      rows.push(JSON.stringify({ path: document.path, document, chunks }))
    }
  } finally {
    snapshot.release()
  }
  return rows.sort()
}

/** Searches until an answer is not stale any more: what is compared is the index, not how fast it catches up. */
async function freshAnswer(memory: MemoryBackend, text: string): Promise<SearchReply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await memory.search({ text, limit: 100, caller: { agentId: 'main' } })
    if (!reply.stale || attempt === 10) return reply
  }
}

export async function answersOf(memory: MemoryBackend): Promise<Pick<IndexState, 'answers' | 'degraded'>> {
  const answers: Record<string, readonly string[]> = {}
  const degraded: Degradation[] = []
  for (const query of QUERIES) {
    const reply = await freshAnswer(memory, query)
    // In order and with scores: neither may depend on what the index went through.
    answers[query] = reply.hits.map(
      ({ path, startLine, endLine, score }) => `${path}#${startLine}-${endLine} ${score.toFixed(6)}`,
    )
    degraded.push(...reply.degraded)
  }
  return { answers, degraded }
}

/** The state of a fresh index of the same notes. */
export async function cleanState(root: string): Promise<IndexState> {
  const state = mkdtempSync(join(tmpdir(), 'mnemark-clean-'))
  const open = await openAt(root, state)
  try {
    await open.memory.sync()
    return { rows: await rowsOf(open.store), ...(await answersOf(open.memory)) }
  } finally {
    await open.close()
    rmSync(state, { recursive: true, force: true })
  }
}

/** In words, each place where two states differ. */
export function differences(found: Omit<IndexState, 'degraded'>, clean: Omit<IndexState, 'degraded'>): readonly string[] {
  const lost = clean.rows.filter((row) => !found.rows.includes(row))
  const extra = found.rows.filter((row) => !clean.rows.includes(row))
  const pathOf = (row: string): string => JSON.parse(row).path
  return [
    ...lost.map((row) => `lost or changed: ${pathOf(row)}`),
    ...extra.map((row) => `extra or changed: ${pathOf(row)}`),
    ...(found.rows.length === clean.rows.length ? [] : [`${found.rows.length} documents, not ${clean.rows.length}`]),
    ...Object.entries(clean.answers)
      .filter(([query, places]) => JSON.stringify(found.answers[query]) !== JSON.stringify(places))
      .map(([query, places]) => `"${query}" finds ${found.answers[query]?.join(' ')}, not ${places.join(' ')}`),
  ]
}
