import type { DocumentSource, EmbeddingProvider, MemoryStore } from '@mnemark/spec'
import { createMemory } from '@mnemark/core'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { widenedLayout, type WidenedOptions } from './widened-layout.ts'

const OLD = { 'MEMORY.md': 'the lamp', 'memory/2026-03-01.md': 'the door' }
const ALL = { ...OLD, 'Home.md': 'the window', 'Projects/a.md': 'the roof' }

class Index {
  readonly sent: string[] = []
  readonly disk = new InMemoryDisk()
  readonly provider: EmbeddingProvider

  constructor(isLocal = false) {
    this.provider = {
      specVersion: 'v1',
      space: { provider: 'acme', endpoint: 'https://acme.example/v1', model: 'm', requestedDimensions: 1, variant: {} },
      limits: { maxInputs: 32, concurrency: 1 },
      modalities: ['text'],
      traits: { isLocal, vectorWeight: 0.5 },
      embed: async ({ inputs }) => {
        this.sent.push(...inputs.map((input) => (input.type === 'text' ? input.text : '')))
        return { vectors: inputs.map(() => Float32Array.of(1)) }
      },
    }
  }

  store(): MemoryStore {
    return createInMemoryStore({ disk: this.disk })
  }

  layout(options: Partial<WidenedOptions> = {}) {
    return widenedLayout(this.store(), { kind: 'plain', providers: [this.provider], isReadOnly: false, ...options })
  }

  /** One run of a command, as the app makes it. */
  async sync(files: Readonly<Record<string, string>>, options: Partial<WidenedOptions> = {}): Promise<void> {
    const widened = await this.layout(options)
    const memory = await createMemory({
      store: this.store(),
      sources: [sourceOf(files)],
      reader: { read: async ({ path }) => ({ path, status: 'not-found', text: '', startLine: 0, endLine: 0 }) },
      embeddings: [this.provider],
      ...(widened === null ? {} : { mayEmbed: widened.mayEmbed }),
    })
    await memory.sync()
    await memory.close()
  }
}

function sourceOf(files: Readonly<Record<string, string>>): DocumentSource {
  return {
    id: 'memory',
    async *list() {
      for (const [path, text] of Object.entries(files)) yield { source: 'memory', path, size: text.length, modifiedAtMs: 1 }
    },
    read: async ({ path }) => ({ text: files[path] ?? '' }),
  }
}

test('P46: files that an update newly includes are embedded only after a yes', async () => {
  const index = new Index()
  // An earlier version indexed the agent's layout, and recorded nothing.
  const before = await createMemory({
    store: index.store(),
    sources: [sourceOf(OLD)],
    reader: { read: async ({ path }) => ({ path, status: 'not-found', text: '', startLine: 0, endLine: 0 }) },
    embeddings: [index.provider],
  })
  await before.sync()
  await before.close()
  expect(index.sent).toHaveLength(2)

  await index.sync(ALL)
  await index.sync({ ...ALL, 'memory/2026-03-02.md': 'the garden' })
  expect(index.sent).toHaveLength(3)
  expect(await index.layout()).toMatchObject({
    provider: 'acme',
    degraded: [{ code: 'consent-needed', message: expect.stringContaining('mnemark index --yes') }],
  })

  await index.sync(ALL, { answer: 'refused' })
  expect(await index.layout()).toMatchObject({ degraded: [] })
  expect(index.sent).toHaveLength(3)

  await index.sync(ALL, { answer: 'allowed' })
  expect(index.sent.slice(3).sort()).toEqual(['the roof', 'the window'])
  expect(await index.layout()).toBeNull()
})

test('P46: nobody is asked for a new index, one without vectors, one of a plain folder, or a model on this machine', async () => {
  expect(await new Index().layout()).toBeNull()
  const plain = new Index()
  await plain.sync(ALL)
  expect(plain.sent).toHaveLength(4)
  expect(await plain.layout()).toBeNull()
  const agent = new Index()
  await agent.sync(OLD, { kind: 'memory' })
  expect(await agent.layout({ kind: 'memory' })).toBeNull()
  const local = new Index(true)
  await local.sync(OLD, { kind: 'memory' })
  await local.sync(ALL)
  expect(local.sent).toHaveLength(4)
})
