import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import type { Json } from '../harness/launcher.ts'
import { connect, wordsOf } from '../harness/mcp-clients.ts'

/** Knows two things, in whatever words. Imports one file of its own, as larger modules do. */
const PROVIDER = `
import { topicOf } from './topics.js'

export function createProvider({ id, model = 'topics-1', apiKey, options }) {
  if (apiKey !== 'the key of the test' || options.team !== 'tea') throw new Error('not the options that were configured')
  return {
    specVersion: 'v1',
    space: { provider: id, model, endpoint: null, dimensions: 2, variant: {} },
    limits: { maxInputs: 16, maxInputTokens: 8192, concurrency: 1 },
    modalities: ['text'],
    traits: { isLocal: true, vectorWeight: 0.7 },
    async embed({ inputs }) {
      const vectors = inputs.map(({ text }) => Float32Array.from(topicOf(text) === 'car' ? [1, 0] : [0, 1]))
      return { vectors, tokens: 0 }
    },
  }
}
`
const TOPICS = "export const topicOf = (text) => (/\\b(?:car|vehicle|garage)/i.test(text) ? 'car' : 'other')\n"
const NOTES = {
  'memory/2026-03-01.md': '# Thursday\n\nThe car is at the garage until Friday.\n',
  'memory/2026-03-02.md': '# Friday\n\nTea with Nora.\n',
}

const providerConfig = (module: string): string =>
  JSON.stringify({
    agents: { defaults: { memorySearch: { provider: 'ours' } } },
    models: { providers: { ours: { module, apiKey: '${THE_KEY}', options: { team: '${TEAM}' } } } },
  })
const env = { THE_KEY: 'the key of the test', TEAM: 'tea' }

const ownProvider = (): Sandbox =>
  new Sandbox({ ...NOTES, 'ours.js': PROVIDER, 'topics.js': TOPICS, 'mnemark.json5': providerConfig('./ours.js') })

const storeConfig = (options: object = { label: 'for the test' }): string =>
  JSON.stringify({
    agents: {
      defaults: { memorySearch: { store: { module: join(import.meta.dirname, '../own-modules/memory-store.ts'), options } } },
    },
  })

const pathsOf = (document: Json): readonly unknown[] => {
  const hits = document['hits'] as unknown as readonly { readonly path: string }[]
  return hits.map(({ path }) => path)
}
const messageOf = (document: Json): string => (document['error'] as unknown as { readonly message: string }).message

describe('a provider of one’s own (P82)', () => {
  test('reaches searches and the tools of an agent', async () => {
    const box = ownProvider()
    box.run(['index'], { env })
    const { code, document } = box.json(['search', 'vehicle'], { env })
    expect([code, document['provider'], pathsOf(document)[0]]).toEqual([0, 'ours', 'memory/2026-03-01.md'])
    const client = await connect('stdio', box, { environment: env })
    const answer = await client.callTool({ name: 'memory_search', arguments: { query: 'vehicle' } })
    expect(wordsOf(answer)).toContain('The car is at the garage')
  })

  test('counts from trusted configuration only: its code does not run in a folder that was given', () => {
    const box = new Sandbox(NOTES)
    box.write('ours.js', 'import { writeFileSync } from "node:fs"\nwriteFileSync("it-ran", "")\n')
    box.write('mnemark.json5', providerConfig('./ours.js'))
    const { document } = box.json(['search', 'garage'], { env })
    expect(JSON.stringify(document['degraded'])).toContain('models.providers.ours.module')
    expect(box.run(['get', 'it-ran']).code).not.toBe(0)
  })

  test.each(['ours.js', 'topics.js'])('what changes %s is not agreed to', (file) => {
    const box = ownProvider()
    box.run(['index'], { env })
    expect(box.json(['search', 'vehicle'], { env }).document['provider']).toBe('ours')
    box.write(file, `${file === 'ours.js' ? PROVIDER : TOPICS}\n// changed\n`)
    const { document } = box.json(['search', 'vehicle'], { env })
    expect(document['provider']).toBe(null)
    expect(JSON.stringify(document['degraded'])).toContain('untrusted-settings')
  })

  const wanted = 'a module that exports the function createProvider(options), by that name or as default'
  test.each([
    ['is not there', './absent.js', null, /^models\.providers\.ours\.module is "\.\/absent\.js", which is not found from /],
    ['is no package', 'no-such-package', null, /^models\.providers\.ours\.module is "no-such-package", which is not found/],
    ['exports something else', './ours.js', 'export const create = 1\n', /ours\.js exports create; needed: /],
    ['exports nothing', './ours.js', 'export {}\n', /ours\.js exports nothing; needed: /],
    ['does not parse', './ours.js', 'export const = 1\n', /ours\.js cannot be loaded: .*; needed: /],
  ])('a module that %s is named, with what it must export', (_, name, code, message) => {
    const box = new Sandbox({ ...NOTES, ...(code === null ? {} : { 'ours.js': code }), 'mnemark.json5': providerConfig(name) })
    const { code: exit, document } = box.json(['search', 'garage'], { env })
    expect(exit).toBe(4)
    expect(messageOf(document)).toMatch(message)
    expect(messageOf(document)).toContain(wanted)
  })

  test('what it returns is looked at, and what it throws is said', () => {
    const returning = (code: string): Json => {
      const box = new Sandbox({ ...NOTES, 'ours.js': code, 'mnemark.json5': providerConfig('./ours.js') })
      return box.json(['search', 'garage'], { env }).document
    }
    expect(messageOf(returning('export default () => ({ embed: 1 })'))).toContain(
      'must return an EmbeddingProvider of @mnemark/spec',
    )
    const thrown = returning('export default () => { throw new Error("no licence here") }')
    expect(JSON.stringify(thrown['degraded'])).toContain('no licence here')
  })

  test('the example of the guide is one, in TypeScript, and a relative path starts at the configuration file', () => {
    const box = new Sandbox(NOTES)
    const file = join(import.meta.dirname, '../../../../examples/custom-provider/acme-module.ts')
    box.configure(providerConfig(relative(box.workspace, file)))
    expect(box.run(['config', 'check'], { env }).code).toBe(0)
    box.configure(providerConfig(file))
    expect(box.run(['config', 'check'], { env }).code).toBe(0)
  })

  test('the name of a provider that comes with Mnemark is refused', () => {
    const file = JSON.stringify({
      agents: { defaults: { memorySearch: { provider: 'ollama' } } },
      models: { providers: { ollama: { module: './ours.js' } } },
    })
    const { document } = new Sandbox({ ...NOTES, 'ours.js': PROVIDER, 'mnemark.json5': file }).json(['search', 'garage'])
    expect(messageOf(document)).toContain('"ollama" is a provider of Mnemark\'s own. Give yours another name.')
  })
})

describe('a store of one’s own (P82)', () => {
  test('reaches searches, the tools of an agent, status and doctor', async () => {
    const box = new Sandbox({ ...NOTES, 'mnemark.json5': storeConfig() })
    const { code, document } = box.json(['search', 'garage'])
    expect([code, pathsOf(document)]).toEqual([0, ['memory/2026-03-01.md']])
    const client = await connect('stdio', box)
    const answer = await client.callTool({ name: 'memory_search', arguments: { query: 'garage' } })
    expect(wordsOf(answer)).toContain('The car is at the garage')
    expect(box.json(['status']).document['index']).toBe(null)
    expect(box.run(['doctor']).stdout).toContain('index: kept by')
    expect(box.run(['index']).stdout).not.toContain('null')
  })

  test('a store that cannot be made names its module', () => {
    const { code, document } = new Sandbox({ ...NOTES, 'mnemark.json5': storeConfig({}) }).json(['search', 'garage'])
    expect(code).toBe(4)
    expect(messageOf(document)).toMatch(/store\.module: createStore of .*memory-store\.ts failed: label is undefined/)
  })

  test('a module without createStore is told what it must export', () => {
    const memorySearch = { store: { module: './ours.js' } }
    const file = JSON.stringify({ agents: { defaults: { memorySearch } } })
    const { document } = new Sandbox({ ...NOTES, 'ours.js': PROVIDER, 'topics.js': TOPICS, 'mnemark.json5': file }).json([
      'search',
      'garage',
    ])
    expect(messageOf(document)).toContain(
      'exports createProvider; needed: a module that exports the function createStore(options)',
    )
  })
})
