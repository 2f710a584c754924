import type { CreateMemoryOptions, MemoryBackend, MemorySettings, MemoryStore, SearchReply } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { createInMemoryStore } from '@mnemark/testkit'
import { cpuMs } from '../../speed/measure-cpu.ts'
import { createNoteSource } from './note-source.ts'
import type { Question, Task } from './task.ts'

export type StoreKind = 'memory' | 'sqlite'

const HITS = 10
/** After the last dated note of every set: relative dates ("last week") must not depend on the day of the run. */
const NOW_MS = Date.UTC(2024, 0, 1)

export async function openStore(kind: StoreKind): Promise<MemoryStore> {
  return kind === 'sqlite' ? openSqliteStore({ path: ':memory:' }) : createInMemoryStore()
}

/**
 * Options of a memory over the notes of a task. Its clock advances only while this process computes, so the product's own timing
 * shows CPU time.
 */
export function memoryOptions(
  { notes, settings: own }: Task,
  { store, settings }: { readonly store: MemoryStore; readonly settings?: MemorySettings | undefined },
): CreateMemoryOptions {
  return {
    store,
    sources: [createNoteSource(notes)],
    reader: { read: async ({ path }) => ({ path, status: 'not-found', text: '', startLine: 0, endLine: 0 }) },
    settings: { timeZone: 'UTC', ...own, ...settings },
    now: () => NOW_MS + cpuMs(),
  }
}

/** Ten hits for one question. */
export function ask(memory: MemoryBackend, { text }: Pick<Question, 'text'>): Promise<SearchReply> {
  return memory.search({ text, limit: HITS, caller: { agentId: 'main' } })
}

/** The questions of a task: the first and every so manyth after it. */
export function someQuestions({ questions }: Task, every: number): readonly Question[] {
  return questions.filter((_, index) => index % every === 0)
}
