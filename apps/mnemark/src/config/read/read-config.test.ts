import { readFileSync, readdirSync } from 'node:fs'
import { ConfigError } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { readConfig } from './read-config.ts'
import { resolveSettings } from '../resolve/resolve-settings.ts'
import type { AgentSettings } from '../resolve/settings.ts'

const FIXTURES = new URL('../__fixtures__/', import.meta.url)

async function load(
  name: string,
  agentId = 'main',
  environment = {},
): Promise<AgentSettings & { notHonoured: readonly string[] }> {
  const read = await readConfig(readFileSync(new URL(name, FIXTURES), 'utf8'), name)
  return { ...resolveSettings(read.config, agentId, environment), notHonoured: read.notHonoured }
}

async function problem(text: string): Promise<{ readonly code: string; readonly message: string }> {
  try {
    resolveSettings((await readConfig(text, 'test.json5')).config, 'main', {})
  } catch (error) {
    if (ConfigError.isInstance(error)) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('no error')
}

const memorySearch = (body: string): string => `{ agents: { defaults: { memorySearch: ${body} } } }`

describe('what a file means', () => {
  test.each(readdirSync(FIXTURES))('%s has only known keys', async (name) => {
    expect((await readConfig(readFileSync(new URL(name, FIXTURES), 'utf8'), name)).warnings).toEqual([])
  })

  test('a named provider keeps its model, its address, its key and its headers as they are written', async () => {
    const settings = await load('compatible-endpoint.json5')
    const at = 'agents.defaults.memorySearch.remote'
    expect(settings.provider).toEqual({
      requested: 'openai',
      primary: {
        id: 'openai',
        key: 'agents.defaults.memorySearch',
        model: 'text-embedding-3-large',
        remote: {
          baseUrl: { key: `${at}.baseUrl`, value: 'https://vectors.example.org/v1' },
          apiKey: { key: `${at}.apiKey`, value: '${VECTORS_KEY}' },
          headers: { 'x-project': { key: `${at}.headers.X-Project`, value: 'notes' } },
        },
        local: {},
      },
      fallbacks: [],
      consent: undefined,
    })
    expect(settings.memory).toMatchObject({ requiresVectors: true, requestedProvider: 'openai' })
    expect(settings.notHonoured).toEqual([])
  })

  test('without a word about providers the choice is automatic, and keywords may answer', async () => {
    const settings = await load('more-folders.json5', 'main', { SHARED: '/mnt' })
    expect(settings.provider).toMatchObject({
      requested: 'auto',
      primary: { id: 'auto', remote: { headers: {} } },
      fallbacks: [],
    })
    expect(settings.memory).toMatchObject({ requiresVectors: false, requestedProvider: 'auto' })
  })

  test('input types and the wanted length belong to the link', async () => {
    expect((await load('query-and-document-types.json5')).provider.primary).toMatchObject({
      id: 'openai-compatible',
      model: 'two-sided',
      queryInputType: 'search_query',
      documentInputType: 'search_document',
      outputDimensionality: 256,
    })
    expect((await load('prefixes.json5')).provider.primary.inputType).toEqual({
      prefix: { query: 'query: ', document: 'passage: ' },
    })
  })

  test('an id of models.providers is a provider', async () => {
    expect((await load('own-provider.json5')).provider.primary).toMatchObject({ id: 'attic-ollama', model: 'bge-m3' })
  })

  test('a fallback equal to the provider is dropped with a warning', async () => {
    const settings = await load('fallback-to-itself.json5')
    expect(settings.provider.requested).toBe('gemini')
    expect(settings.provider.fallbacks.map(({ id }) => id)).toEqual(['ollama'])
    expect(settings.warnings).toEqual([expect.stringContaining('names "gemini", which is the provider itself: dropped')])
    expect(settings.notHonoured).toEqual([])
    expect(settings.memory.batch).toEqual({})
    expect(settings.memory.requiresVectors).toBe(false)
  })

  test('each link of a chain has settings of its own; only another model of the same service is reached as the provider is', async () => {
    const { provider, memory, warnings } = await load('chain.json5')
    expect(provider.primary).toMatchObject({ id: 'voyage', remote: { apiKey: { value: '${VOYAGE_KEY}' } } })
    expect(provider.fallbacks).toEqual([
      {
        id: 'voyage',
        key: 'agents.defaults.memorySearch.fallback.0',
        model: 'voyage-4-lite',
        outputDimensionality: 512,
        remote: { apiKey: { key: 'agents.defaults.memorySearch.remote.apiKey', value: '${VOYAGE_KEY}' }, headers: {} },
        local: {},
      },
      {
        id: 'local',
        key: 'agents.defaults.memorySearch.fallback.1',
        remote: { headers: {} },
        local: {
          modelPath: { key: 'agents.defaults.memorySearch.fallback.1.local.modelPath', value: '~/models/small.gguf' },
          contextSize: 512,
        },
      },
    ])
    expect(warnings).toEqual([])
    expect(memory).toMatchObject({
      requiresVectors: false,
      keepWarm: true,
      fallbackAfterMinutes: 3,
      dailyTokens: 200_000,
      maxUnreferencedVectors: 0,
      vectorsOnly: true,
      embedding: { documentTimeoutMs: 45_000 },
    })
  })

  test('B72: an agent with another provider takes no model, address or key from the defaults', async () => {
    expect((await load('agents-apart.json5', 'scout')).provider).toMatchObject({
      requested: 'gemini',
      primary: { remote: { headers: {} } },
    })
    expect((await load('agents-apart.json5', 'scout')).provider.primary.model).toBeUndefined()
    expect((await load('agents-apart.json5', 'clerk')).provider.primary).toMatchObject({
      id: 'openai',
      model: 'text-embedding-3-large',
      remote: {
        baseUrl: { value: 'https://vectors.example.org' },
        headers: { 'x-team': { value: 'clerks' }, 'x-trace': { value: 'on' } },
      },
    })
  })

  test('a whole OpenClaw file works as it stands, and what is not about memory is listed', async () => {
    const settings = await load('openclaw-file.json5')
    expect(settings).toMatchObject({
      timeZone: 'Europe/Paris',
      provider: { requested: 'openai', primary: { remote: { apiKey: { value: { source: 'file', id: '/openai' } } } } },
      sync: { intervalMinutes: 15 },
    })
    expect(settings.notHonoured).toEqual([
      'meta',
      'gateway',
      'channels',
      'agents.defaults.model',
      'agents.list.0.default',
      'models.providers.anthropic.models',
      'session.scope',
    ])
  })

  test('store.vector is about the extension of SQLite alone: vectors are made and searched without it', async () => {
    const { provider, memory, vectorExtension, notHonoured } = await load('vector-extension.json5', 'main', { SHARED: '/opt' })
    expect([provider.requested, memory.requiresVectors, memory.maxUnreferencedVectors]).toEqual(['ollama', true, 7])
    expect(vectorExtension).toEqual({ isEnabled: false, path: '/opt/vec0.so' })
    expect(notHonoured).toEqual([])
  })

  test('extra paths keep their order and expand variables', async () => {
    expect((await load('more-folders.json5', 'main', { SHARED: '/mnt/shared' })).extraPaths).toEqual([
      '../handbook',
      '/srv/team/overview.md',
      '~/vault',
      '/mnt/shared/notes',
    ])
    await expect(load('more-folders.json5')).rejects.toThrow(
      'agents.defaults.memorySearch.extraPaths needs the environment variable SHARED, which is not set',
    )
  })

  test('query settings arrive at the engine', async () => {
    expect((await load('ranking.json5')).memory).toEqual({
      maxResults: 9,
      minScore: 0.2,
      candidateMultiplier: 6,
      fusion: 'rrf',
      vectorWeight: 0.75,
      mmr: { enabled: true, lambda: 0.5 },
      temporalDecay: { enabled: true, halfLifeDays: 45 },
      timeZone: 'Asia/Jakarta',
      dateOrder: 'dmy',
      requestedProvider: 'auto',
      requiresVectors: false,
    })
  })

  test('the newer spelling counts where the usual one says nothing', async () => {
    const settings = await load('newer-place.json5')
    expect(settings.provider.requested).toBe('none')
    expect(settings.memory.maxResults).toBe(8)
  })

  test('the memory slot and the enabled key switch memory off', async () => {
    expect((await load('switched-off.json5')).switchedOffBy).toBe('plugins.slots.memory')
    expect((await load('two-agents.json5', 'scout')).switchedOffBy).toBe('agents.list.1.memorySearch.enabled')
    expect((await load('two-agents.json5')).switchedOffBy).toBeNull()
  })

  test('the keys of the qmd backend mean what they say', async () => {
    const settings = await load('side-process.json5')
    expect(settings.qmd).toMatchObject({
      command: 'qmd',
      searchMode: 'query',
      limits: { maxResults: 3 },
      paths: [{ name: 'handbook' }],
    })
    expect(settings.scopes).toEqual([{ default: 'deny', rules: [{ action: 'allow', match: { keyPrefix: 'slack:' } }] }])
    expect(settings.memory.citations).toBe('off')
    expect(settings.notHonoured).toEqual([])
  })

  test('transcripts are no source yet', async () => {
    const settings = await load('transcripts.json5')
    expect(settings.sources).toEqual(['memory', 'sessions'])
    expect(settings.notHonoured).toEqual(['agents.defaults.memorySearch.experimental'])
    expect(settings.sessionTools).toEqual({ isEnabled: false, visibility: 'self' })
  })

  test('the life cycle of sessions, of an agent key by key before the defaults', async () => {
    const file = 'sessions.json5'
    expect((await load(file)).notHonoured).toEqual([])
    expect((await load(file, 'scout')).sessions).toEqual({
      compaction: {
        threshold: 0.5,
        reserveTokensFloor: 12_000,
        memoryFlush: { enabled: false, prompt: 'Save what must last.' },
      },
      reset: {
        mode: 'both',
        atHour: 3,
        idleMinutes: 90,
        byChannel: { telegram: { mode: 'off' } },
        byChatType: { group: { mode: 'idle', idleMinutes: 30 } },
      },
      maintenance: { pruneAfter: '8w', maxEntries: 500, diskBudget: false },
    })
    expect((await load('two-agents.json5')).sessions).toEqual({ compaction: { memoryFlush: {} }, reset: {}, maintenance: {} })
  })

  test('an agent of the list overrides the defaults key by key', async () => {
    expect(await load('two-agents.json5', 'scout')).toMatchObject({
      timeZone: 'Asia/Tokyo',
      storePath: 'index/scout.sqlite',
      memory: { chunkTokens: 200, chunkOverlap: 40 },
    })
    expect(await load('two-agents.json5')).toMatchObject({ timeZone: 'UTC', memory: { chunkTokens: 300, chunkOverlap: 60 } })
  })
})

describe('what a file may not say', () => {
  test.each([
    ['{ query: { maxResults: 0 } }', 'memorySearch.query.maxResults is 0; allowed: a whole number from 1 to 100'],
    [
      '{ query: { language: "no such tag" } }',
      'query.language is "no such tag"; allowed: a language tag, such as "de" or "pt-BR"',
    ],
    ['{ query: { maxResults: 2.5 } }', 'maxResults is 2.5; allowed: a whole number from 1 to 100'],
    ['{ query: { maxResults: "6" } }', 'maxResults is "6"; allowed: a whole number from 1 to 100'],
    ['{ query: { minScore: 2 } }', 'minScore is 2; allowed: a number from 0 to 1'],
    ['{ query: { minScore: NaN } }', 'minScore is NaN; allowed: a number from 0 to 1'],
    ['{ query: { hybrid: { fusion: "sum" } } }', 'fusion is "sum"; allowed: "weighted", "rrf"'],
    ['{ query: { hybrid: { temporalDecay: { halfLifeDays: 0 } } } }', 'halfLifeDays is 0; allowed: a number of days above 0'],
    ['{ query: { hybrid: { vectorWeight: 0, textWeight: 0 } } }', 'allowed: at least one above 0'],
    ['{ extraPaths: "notes" }', 'extraPaths is "notes"; allowed: a list of texts'],
    ['{ extraPaths: [1] }', 'extraPaths.0 is 1; allowed: a text'],
    ['{ sources: ["files"] }', 'sources.0 is "files"; allowed: "memory", "sessions"'],
    ['{ provider: "opanai" }', 'memorySearch.provider is "opanai"; allowed: "auto", "none"'],
    ['{ store: { kind: "postgres" } }', 'store.kind is "postgres", which this version does not have; allowed: "sqlite"'],
    ['{ remote: { apiKey: 12345 } }', 'remote.apiKey is a value of another kind; allowed: a text such as'],
    ['[]', 'memorySearch is a list; allowed: an object'],
    ['{ fallback: "auto" }', 'memorySearch.fallback is "auto"; allowed: "none", "local"'],
    ['{ fallback: ["ollama", { provider: "opanai" }] }', 'memorySearch.fallback.1 is "opanai"; allowed: "none", "local"'],
    ['{ fallback: [{ model: "m" }] }', 'allowed: a provider, or a list of providers or of objects such as'],
    ['{ local: { contextSize: "much" } }', 'local.contextSize is "much"; allowed: a whole number from 1, or "auto"'],
    ['{ limits: { dailyTokens: -1 } }', 'limits.dailyTokens is -1; allowed: a whole number from 0'],
    ['{ outputDimensionality: 0 }', 'outputDimensionality is 0; allowed: a whole number from 1'],
  ])('%s names the key, the value and what is allowed', async (body, message) => {
    expect(await problem(memorySearch(body))).toEqual({ code: 'invalid-value', message: expect.stringContaining(message) })
  })

  test.each([
    ['{ tokens: 100, overlap: 100 }', 'overlap is 100; allowed: less than chunking.tokens (100)'],
    ['{ tokens: 100, overlap: 150 }', 'overlap is 150; allowed: less than chunking.tokens (100)'],
    ['{ overlap: 400 }', 'overlap is 400; allowed: less than chunking.tokens (400)'],
    ['{ tokens: 100, overlap: -5 }', 'overlap is -5; allowed: a whole number from 0'],
    ['{ tokens: 0 }', 'tokens is 0; allowed: a whole number from 1'],
  ])('B21: chunking %s is refused', async (body, message) => {
    expect((await problem(memorySearch(`{ chunking: ${body} }`))).message).toContain(message)
  })

  test('a time zone that does not exist, text that is no JSON5, a file that is no object', async () => {
    expect((await problem('{ agents: { defaults: { userTimezone: "Mars/Base" } } }')).message).toContain(
      'a time zone of the IANA list',
    )
    expect((await problem('{ agents: ')).message).toContain('test.json5 is not JSON5: invalid end of input')
    expect((await problem('[1]')).message).toContain('test.json5: the file holds a list; allowed: an object')
  })

  test('a secret never stands in a message', async () => {
    const { message } = await problem(memorySearch('{ remote: { headers: { Authorization: 987654321 } } }'))
    expect(message).toContain('remote.headers.Authorization')
    expect(message).not.toContain('987654321')
    for (const body of ['{ provider: "sk-proj-a1b2c3d4e5f6g7h8" }', '{ sources: ["sk-proj-a1b2c3d4e5f6g7h8"] }']) {
      expect((await problem(memorySearch(body))).message).toContain('a text that looks like a secret; allowed:')
    }
  })
})

describe('keys that mean nothing where they stand', () => {
  test.each([
    [memorySearch('{ extraPath: [] }'), 'did you mean agents.defaults.memorySearch.extraPaths?'],
    ['{ agents: { defaults: { memorysearch: {} } } }', 'did you mean agents.defaults.memorySearch?'],
    ['{ memorySearch: {} }', 'memorySearch is in the wrong place: it belongs at agents.defaults.memorySearch'],
    [memorySearch('{ mmr: {} }'), 'it belongs at agents.defaults.memorySearch.query.hybrid.mmr'],
    [
      memorySearch('{ query: { halfLifeDays: 3 } }'),
      'it belongs at agents.defaults.memorySearch.query.hybrid.temporalDecay.halfLifeDays',
    ],
    ['{ citations: "off" }', 'citations is in the wrong place: it belongs at memory.citations'],
    ['{ agents: { list: [{ id: "a", userTimeZones: "UTC" }] } }', 'did you mean agents.list.0.userTimezone?'],
    ['{ gatewayRestartPolicy: 1 }', 'gatewayRestartPolicy is not a known key'],
    [
      memorySearch('{ fallback: [{ provider: "ollama", modle: "m" }] }'),
      'did you mean agents.defaults.memorySearch.fallback.0.model?',
    ],
    [memorySearch('{ baseUrl: "http://h" }'), 'it belongs at agents.defaults.memorySearch.remote.baseUrl'],
    ['{ models: { providers: { a: { baseURL: "http://h" } } } }', 'did you mean models.providers.a.baseUrl?'],
    ['{ memory: { search: { modelPath: "m.gguf" } } }', 'it belongs at memory.search.local.modelPath'],
  ])('%s', async (text, message) => {
    const { warnings } = await readConfig(text, 'test.json5')
    expect(warnings).toEqual([expect.stringContaining(message)])
  })

  test('a key called __proto__ changes nothing', async () => {
    const { config } = await readConfig('{ "__proto__": { "memory": { "citations": "off" } } }', 'test.json5')
    expect(resolveSettings(config, 'main', {}).memory.citations).toBeUndefined()
  })
})
