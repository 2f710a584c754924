import assert from 'node:assert/strict'
import type { CallerContext, MemoryBackend, ReadReply, SearchHit, SearchQuery, SearchReply } from '@mnemark/spec'

/** A backend and the notes under it. */
export interface BackendUnderTest {
  readonly backend: MemoryBackend
  write(path: string, text: string): void | Promise<void>
  remove(path: string): void | Promise<void>
}
/** How the suite opens the backend under test. */
export interface MemoryBackendTarget {
  /**
   * A new backend over a workspace of these notes (`MEMORY.md` and `memory/…`), with default settings. It shares
   * nothing with others, and has indexed nothing yet. The suite closes it.
   */
  open(notes: Readonly<Record<string, string>>): BackendUnderTest | Promise<BackendUnderTest>
}

export type BackendCase = {
  readonly id: string
  readonly title: string
  readonly run: (context: BackendContext) => Promise<void>
}

export const OWNER: CallerContext = { agentId: 'main', chatType: 'direct' }

/** The backends of one case; closed when it ends, even by a failure. */
export class BackendContext {
  readonly #target: MemoryBackendTarget
  readonly #open: MemoryBackend[] = []

  constructor(target: MemoryBackendTarget) {
    this.#target = target
  }

  async open(notes: Readonly<Record<string, string>>): Promise<BackendUnderTest> {
    const opened = await this.#target.open(notes)
    this.#open.push(opened.backend)
    return opened
  }

  /** Opens a backend and syncs it once. */
  async openSynced(notes: Readonly<Record<string, string>>): Promise<BackendUnderTest> {
    const opened = await this.open(notes)
    await opened.backend.sync()
    return opened
  }

  async closeAll(): Promise<void> {
    for (const backend of this.#open) await backend.close()
  }
}

export function search(backend: MemoryBackend, text: string, query: Partial<SearchQuery> = {}): Promise<SearchReply> {
  return backend.search({ text, caller: OWNER, ...query })
}

export async function pathsFor(backend: MemoryBackend, text: string, query: Partial<SearchQuery> = {}): Promise<string[]> {
  return (await search(backend, text, query)).hits.map(({ path }) => path).sort()
}

export async function onlyHit(backend: MemoryBackend, text: string, query: Partial<SearchQuery> = {}): Promise<SearchHit> {
  const { hits } = await search(backend, text, query)
  assert.equal(hits.length, 1, `one note holds ${text}, so there is one hit`)
  const [hit] = hits
  assert.ok(hit)
  return hit
}

export function read(backend: MemoryBackend, path: string, lines: { from?: number; lines?: number } = {}): Promise<ReadReply> {
  return backend.read({ path, caller: OWNER, ...lines })
}

export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it was to be refused, and was not'),
    (error: unknown) => error,
  )
}
