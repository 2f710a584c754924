import type {
  CreateMemoryOptions,
  DocumentReader,
  IndexViews,
  MemoryBackend,
  MemorySettings,
  SearchHit,
  SearchQuery,
  SearchReply,
} from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { onTestFinished } from 'vitest'
import { createMemory } from '../src/backend/create-memory.ts'
import { NoteSource } from './note-source.ts'

/** The fixed instant of tests, a Monday: 2026-03-16T00:00Z. */
export const NOW: number = Date.UTC(2026, 2, 16)

const NO_READER: DocumentReader = {
  read: async () => ({ path: '', status: 'not-found', text: '', startLine: 0, endLine: 0 }),
}

/** A memory over these sources in a new store (or `options.store`), closed when the test ends. */
export async function openMemory(
  sources: readonly NoteSource[],
  options: Partial<Omit<CreateMemoryOptions, 'sources'>> = {},
): Promise<MemoryBackend & IndexViews> {
  const memory = await createMemory({
    store: createInMemoryStore(),
    reader: NO_READER,
    now: () => NOW,
    ...options,
    sources,
    settings: { timeZone: 'UTC', ...options.settings },
  })
  onTestFinished(() => memory.close())
  return memory
}

/** A memory over one source with these notes. */
export async function openNotes(
  notes: Readonly<Record<string, string>>,
  settings: MemorySettings = {},
): Promise<{ memory: MemoryBackend & IndexViews; source: NoteSource }> {
  const source = new NoteSource(notes)
  return { memory: await openMemory([source], { settings }), source }
}

export function search(memory: MemoryBackend, text: string, query: Partial<SearchQuery> = {}): Promise<SearchReply> {
  return memory.search({ text, caller: { agentId: 'main' }, ...query })
}

export async function hitsFor(
  memory: MemoryBackend,
  text: string,
  query: Partial<SearchQuery> = {},
): Promise<readonly SearchHit[]> {
  return (await search(memory, text, query)).hits
}

export async function pathsFor(memory: MemoryBackend, text: string, query: Partial<SearchQuery> = {}): Promise<string[]> {
  return (await hitsFor(memory, text, query)).map(({ path }) => path)
}
