import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '@mnemark/store-sqlite'
import type { MemoryBackend, SearchReply } from '@mnemark/spec'
import { type Cost, costOf, cpuMs } from './measure-cpu.ts'
import { indexFileOf, openMemoryUnderTest, type Setup } from './memory-under-test.ts'
import { NoteMaker } from './notes/note-maker.ts'
import { createRandom } from './notes/random.ts'

// Each step runs in a process of its own: nothing is warm that would not be, and peak memory is its own.

export interface IndexResult extends Cost {
  readonly chunks: number
  readonly documents: number
}
export interface SizeResult {
  readonly fileBytes: number
  readonly keywordBytes: number
  readonly segments: number
}
export interface SearchResult {
  /** From the compiled query to the snippets; the look for changed files is not in it. */
  readonly wallMs: readonly number[]
  readonly cpuMs: readonly number[]
  /** The whole call, the look for changed files included. */
  readonly wholeMs: readonly number[]
  readonly emptyCount: number
}
export interface EditResult {
  readonly edits: readonly (Cost & { readonly walBytes: number; readonly textBytes: number })[]
}

async function withMemory<Result>(
  setup: Setup,
  work: (memory: MemoryBackend) => Promise<Result>,
  now?: () => number,
): Promise<Result> {
  const memory = await openMemoryUnderTest(setup, now)
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

/** A full index of an empty store. */
export function indexAll(setup: Setup): Promise<IndexResult> {
  return withMemory(setup, async (memory) => {
    let [chunks, documents] = [0, 0]
    const cost = await costOf(async () => {
      const report = await memory.sync()
      chunks = report.chunks
      documents = report.indexed
    })
    return { ...cost, chunks, documents }
  })
}

/** Bytes of the index file once its journal is written back, and of the keyword segments in it. */
export async function measureSize(setup: Setup): Promise<SizeResult> {
  const path = indexFileOf(setup)
  const store = await openSqliteStore({ path })
  let keywordBytes = 0
  const snapshot = await store.snapshot()
  const segments = await snapshot.segments()
  for (const { id, header } of segments) {
    keywordBytes += header.length
    for await (const { firstKey, bytes } of snapshot.scan(id)) keywordBytes += Buffer.byteLength(firstKey) + bytes.length
  }
  snapshot.release()
  await store.close()
  return { fileBytes: statSync(path).size, keywordBytes, segments: segments.length }
}

function pipelineMs({ timing }: SearchReply): number {
  return Object.values(timing).reduce((sum, ms) => sum + ms, 0)
}

const WARM_UP = 10

interface Answers {
  readonly pipelineMs: readonly number[]
  readonly wholeMs: readonly number[]
  readonly emptyCount: number
}

/** Asks one after the other; the first few, which load code and fill caches, are left out. */
function ask(setup: Setup, questions: readonly string[], now: () => number): Promise<Answers> {
  const search = async (memory: MemoryBackend): Promise<Answers> => {
    const [pipeline, whole]: [number[], number[]] = [[], []]
    let emptyCount = 0
    for (const text of questions) {
      const startedMs = performance.now()
      const reply = await memory.search({ text, limit: 10, caller: { agentId: 'main' } })
      whole.push(performance.now() - startedMs)
      pipeline.push(pipelineMs(reply))
      if (reply.hits.length === 0) emptyCount += 1
    }
    return { pipelineMs: pipeline.slice(WARM_UP), wholeMs: whole.slice(WARM_UP), emptyCount }
  }
  return withMemory(setup, search, now)
}

/** All questions timed by the wall clock, then half of them by the CPU's. */
export async function searchWarm(setup: Setup, questionCount: number): Promise<SearchResult> {
  const questions = new NoteMaker(setup.script, setup.seed).questions(questionCount + WARM_UP, setup.noteCount)
  const byWall = await ask(setup, questions, () => performance.timeOrigin + performance.now())
  // A clock that only moves while this process computes: the product's own timing then tells CPU time.
  const startMs = Date.now()
  const byCpu = await ask(setup, questions.slice(0, WARM_UP + Math.ceil(questionCount / 2)), () => startMs + cpuMs())
  return { wallMs: byWall.pipelineMs, cpuMs: byCpu.pipelineMs, wholeMs: byWall.wholeMs, emptyCount: byWall.emptyCount }
}

/** Syncs of an index that is up to date; the first one, which loads code, is left out. */
export function syncUnchanged(setup: Setup, repeats: number): Promise<readonly Cost[]> {
  return withMemory(setup, async (memory) => {
    await memory.sync()
    const costs: Cost[] = []
    for (let repeat = 0; repeat < repeats; repeat += 1) costs.push(await costOf(() => memory.sync()))
    return costs
  })
}

function walSize(setup: Setup): number {
  return statSync(`${indexFileOf(setup)}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/** Adds a line in the middle of a note. Returns the size of the note. */
function editNote(file: string, line: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.splice(lines.length >> 1, 0, line)
  const text = lines.join('\n')
  writeFileSync(file, text)
  return Buffer.byteLength(text)
}

async function expectFound(memory: MemoryBackend, word: string, path: string): Promise<void> {
  const { hits } = await memory.search({ text: word, limit: 1, caller: { agentId: 'main' } })
  if (hits[0]?.path !== path) throw new Error(`The edit of ${path} was not found after its sync.`)
}

/**
 * One-file edits, each synced by its path, merges of keyword segments included. A reader is kept open meanwhile: SQLite then
 * cannot begin its journal anew, so that the journal's growth is all that was written.
 */
export async function editNotes(setup: Setup, editCount: number): Promise<EditResult> {
  const maker = new NoteMaker(setup.script, setup.seed)
  const random = createRandom(setup.seed + 5)
  const reader = await openSqliteStore({ path: indexFileOf(setup) })
  const pinned = await reader.snapshot()
  await pinned.counts()
  try {
    return await withMemory(setup, async (memory) => {
      const edits: EditResult['edits'][number][] = []
      for (let edit = 0; edit <= editCount; edit += 1) {
        const { path } = maker.note(Math.floor(random() * setup.noteCount))
        const word = `edited${edit}marker`
        const textBytes = editNote(join(setup.folder, path), `- ${word}`)
        const walBefore = walSize(setup)
        const cost = await costOf(() => memory.sync({ paths: [{ source: 'memory', path }] }))
        const walBytes = walSize(setup) - walBefore
        await expectFound(memory, word, path)
        // The first edit loads code.
        if (edit > 0) edits.push({ ...cost, walBytes, textBytes })
      }
      return { edits }
    })
  } finally {
    pinned.release()
    await reader.close()
  }
}

/** For the command line and qmd: one line more at the end of a note. */
export function touchNote(setup: Setup, number: number): void {
  const { path } = new NoteMaker(setup.script, setup.seed).note(number)
  appendFileSync(join(setup.folder, path), `- one more line ${number}\n`)
}
