import type { DocumentContent, DocumentId, DocumentSource, DocumentStat, MemoryBackend, SearchOverrides, SearchReply } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createMemory } from './create-memory.ts'

/** Notes in a map, as a source: what the workspace is for files. */
class NoteSource implements DocumentSource {
  readonly id = 'memory'
  readonly notes = new Map<string, string>()
  readonly unreadable = new Map<string, Error>()
  readonly reads: string[] = []
  isBroken = false
  #clock = 0
  readonly #times = new Map<string, number>()

  constructor(notes: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(notes)) this.write(path, text)
  }

  write(path: string, text: string): void {
    this.notes.set(path, text)
    this.#clock += 1
    this.#times.set(path, this.#clock)
  }

  async *list(): AsyncIterable<DocumentStat> {
    for (const [path, text] of this.notes) {
      yield { source: 'memory', path, size: text.length, modifiedAtMs: this.#times.get(path) ?? 0 }
    }
    if (this.isBroken) throw new WorkspaceError('unreadable', 'the folder is gone')
  }

  async read({ path }: DocumentId): Promise<DocumentContent> {
    this.reads.push(path)
    const error = this.unreadable.get(path)
    if (error) throw error
    return { text: this.notes.get(path) ?? '' }
  }
}

const NOW = Date.UTC(2026, 2, 16)

async function memoryOf(notes: Readonly<Record<string, string>>, settings = {}): Promise<{ memory: MemoryBackend; source: NoteSource }> {
  const source = new NoteSource(notes)
  const memory = await createMemory({
    store: await createInMemoryStore(),
    sources: [source],
    reader: { read: async () => ({ path: '', status: 'not-found', text: '', startLine: 0, endLine: 0 }) },
    settings: { timeZone: 'UTC', ...settings },
    now: () => NOW,
  })
  onTestFinished(() => memory.close())
  return { memory, source }
}

function search(memory: MemoryBackend, text: string, overrides: SearchOverrides = {}): Promise<SearchReply> {
  return memory.search({ text, caller: { agentId: 'main' }, overrides })
}

async function pathsFor(memory: MemoryBackend, text: string): Promise<string[]> {
  return (await search(memory, text)).hits.map(({ path }) => path)
}

test('B01: identifiers with hyphens, dates and underscores find their one note', async () => {
  const { memory } = await memoryOf({
    'ticket.md': 'Ticket OC-41252 closed',
    'invoice.md': 'open invoice 2026-03-14',
    'draft.md': 'RFC-0011 draft',
    'code.md': 'call apply_secrets()',
  })
  expect(await pathsFor(memory, 'OC-41252')).toEqual(['ticket.md'])
  expect(await pathsFor(memory, '2026-03-14')).toEqual(['invoice.md'])
  expect(await pathsFor(memory, '"RFC-0011"')).toEqual(['draft.md'])
  expect(await pathsFor(memory, 'RFC-0011')).toEqual(['draft.md'])
  expect(await pathsFor(memory, 'apply_secrets')).toEqual(['code.md'])
})

test('B03: words are joined with OR, more content words rank higher, and stop words alone do not fail', async () => {
  const { memory } = await memoryOf({
    'a.md': 'meeting moved to Friday',
    'b.md': 'budget approved by finance',
    'c.md': 'lunch menu',
    'd.md': 'the budget for the meeting was reviewed and decided',
  })
  const paths = await pathsFor(memory, 'what did we decide about the meeting budget review?')
  expect(paths[0]).toBe('d.md')
  expect(paths.slice(1).sort()).toEqual(['a.md', 'b.md'])
  expect((await search(memory, 'what did we')).mode).toBe('keywords')
})

test('B04: words inside unspaced text are found', async () => {
  const { memory } = await memoryOf({
    'zh.md': '今天玩成语接龙游戏',
    'ja.md': '今日は成語しりとりをした',
    'ko.md': '데이터베이스를 옮겼다',
    'plugin.md': '飞书的插件如何配置',
  })
  for (const [query, path] of [
    ['成语接龙', 'zh.md'],
    ['しりとり', 'ja.md'],
    ['데이터베이스', 'ko.md'],
    ['飞书插件配置', 'plugin.md'],
  ] as const) {
    const [hit] = (await search(memory, query)).hits
    expect(hit?.path).toBe(path)
    expect(hit?.score).toBeGreaterThan(0)
  }
})
