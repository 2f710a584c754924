import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemory } from '@mnemark/core'
import { createOpenAI } from '@mnemark/embed-openai'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openAIWire, startProtocolServer } from '@mnemark/testkit'
import { openWorkspace } from '@mnemark/workspace'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { indexFileOf, openAt } from '../../../test/faults/open-index.ts'
import type { OpenIndex } from './repairing-memory.ts'
import { RepairingMemory } from './repairing-memory.ts'
import { lastRepair } from './repair-record.ts'

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-repairing-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'notes'))
  for (const word of ['alpha', 'beta', 'gamma']) writeFileSync(join(root, 'notes', `${word}.md`), `${word} of the notes\n`)
  return root
}

type Open = Awaited<ReturnType<typeof openAt>>

async function open(root: string): Promise<Open> {
  const opened = await openAt(root)
  onTestFinished(() => opened.close())
  return opened
}

async function find({ memory }: Open, text: string): Promise<{ readonly paths: string[]; readonly codes: string[] }> {
  const { hits, degraded } = await memory.search({ text, caller: { agentId: 'main' } })
  return { paths: hits.map(({ path }) => path), codes: degraded.map(({ code }) => code) }
}

test('B43: a process that has the index open goes on when another sets it aside and builds a new one', async () => {
  const root = makeRoot()
  const first = await open(root)
  await first.memory.sync()
  await first.close()
  const idle = await open(root)
  expect(await find(idle, 'alpha')).toEqual({ paths: ['alpha.md'], codes: [] })
  truncateSync(indexFileOf(root), 20_000)
  rmSync(`${indexFileOf(root)}-wal`, { force: true })
  const repairing = await open(root)
  expect(await find(repairing, 'beta')).toEqual({ paths: ['beta.md'], codes: ['index-repaired'] })
  writeFileSync(join(root, 'notes', 'delta.md'), 'delta of the notes\n')
  await repairing.memory.sync()
  expect((await find(idle, 'delta')).paths).toEqual(['delta.md'])
})

test('searches that meet the damage together are answered all, with one repair, which doctor remembers', async () => {
  const root = makeRoot()
  const opened = await open(root)
  await opened.memory.sync()
  const database = new Database(indexFileOf(root))
  database.exec('DELETE FROM segment_blocks')
  database.close()
  await opened.close()
  const again = await open(root)
  const found = await Promise.all(['alpha', 'beta', 'gamma'].map((word) => find(again, word)))
  expect(found.map(({ paths }) => paths)).toEqual([['alpha.md'], ['beta.md'], ['gamma.md']])
  expect(found.flatMap(({ codes }) => codes)).toEqual(['index-repaired'])
  expect((await lastRepair(again.store))?.message).toContain('repaired from the notes')
})

test('B47: what a long time of changes leaves is taken away by the sync itself', async () => {
  const root = makeRoot()
  const opened = await open(root)
  for (let round = 0; round < 12; round++) {
    for (let note = 0; note < 20; note++)
      writeFileSync(join(root, 'notes', `${note}.md`), `round ${round} note ${note}\n`.repeat(40))
    await opened.memory.sync()
    for (let note = 0; note < 20; note++) rmSync(join(root, 'notes', `${note}.md`))
    await opened.memory.sync()
  }
  await opened.close()
  const database = new Database(indexFileOf(root), { readonly: true })
  expect(database.prepare('PRAGMA freelist_count').pluck().get()).toBe(0)
  expect(
    database
      .prepare("SELECT count(*) FROM segment_blocks WHERE segment NOT IN (SELECT id FROM segments WHERE state = 'live')")
      .pluck()
      .get(),
  ).toBe(0)
  expect(Number(database.prepare('PRAGMA page_count').pluck().get())).toBeLessThan(120)
  database.close()
})

interface Watched {
  readonly path: string
  /** The codes of what is degraded, with their messages. */
  search(): Promise<readonly string[]>
  /** How many documents were sent. */
  sent(): number
  /** Spoils a vector; `isKeptBusy`: as long as the returned function is not called nobody else can write. */
  spoil(isKeptBusy?: boolean): () => void
}

/** So many that a space answers with one less. */
const FILLED = 40

/** Notes with vectors in an index for which nobody waits long. */
async function openWithVectors(): Promise<Watched> {
  const root = makeRoot()
  for (let number = 3; number < FILLED; number++) writeFileSync(join(root, 'notes', `${number}.md`), `${number} of the notes\n`)
  const server = await startProtocolServer(openAIWire, { apiKey: 'key' })
  onTestFinished(() => server.close())
  const path = join(root, 'index.sqlite')
  const notes = await openWorkspace({ root: join(root, 'notes') })
  const open = async (): Promise<OpenIndex> => {
    const store = await openSqliteStore({ path, busyTimeoutMs: 20 })
    const embeddings = [createOpenAI({ apiKey: 'key', baseUrl: server.baseUrl, dimensions: 32 })]
    const settings = { syncOnSearch: false, minScore: 0 }
    const memory = await createMemory({ store, sources: [notes.source], reader: notes.reader, embeddings, settings })
    return { store, memory, views: memory, takenOver: null }
  }
  const memory = await RepairingMemory.open({ open, setAside: (error) => Promise.reject(error) })
  onTestFinished(() => memory.close())
  await memory.sync()
  const other = new Database(path)
  onTestFinished(() => void other.close())
  return {
    path,
    search: async () => {
      const { degraded } = await memory.search({ text: 'alpha', caller: { agentId: 'main' } })
      return degraded.map(({ code, message }) => `${code}: ${message}`)
    },
    sent: () => server.calls.flatMap(({ texts }) => texts).filter((text) => text.endsWith('of the notes')).length,
    spoil: (isKeptBusy = false) => {
      other.exec('UPDATE vectors SET bytes = zeroblob(length(bytes)) WHERE id = (SELECT max(id) FROM vectors)')
      if (isKeptBusy) other.exec('BEGIN IMMEDIATE')
      return () => void other.exec('ROLLBACK')
    },
  }
}

test('damaged vectors that cannot be repaired now are left out, which the answer says, and repaired by a later search', async () => {
  const index = await openWithVectors()
  const release = index.spoil(true)
  expect(await index.search()).toEqual([
    expect.stringMatching(/^space-incomplete: 1 vectors are damaged and left out.*could not be repaired: .*another process/s),
  ])
  release()
  expect(await index.search()).toEqual([expect.stringMatching(/^index-repaired: /)])
  expect(await index.search()).toEqual([])
  expect(index.sent()).toBe(FILLED + 1)
})

test('damage that another process has repaired meanwhile is no damage, and the next one is noticed', async () => {
  const index = await openWithVectors()
  const release = index.spoil(true)
  expect(await index.search()).toHaveLength(1)
  release()
  const repairing = await openSqliteStore({ path: index.path })
  expect((await repairing.check({ repair: true })).repaired).not.toEqual([])
  await repairing.close()
  expect(await index.search()).toEqual([])
  expect(index.sent()).toBe(FILLED + 1)
  index.spoil()
  expect(await index.search()).toEqual([expect.stringMatching(/^index-repaired: /)])
})
