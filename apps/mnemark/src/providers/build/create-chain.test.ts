import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fingerprint } from '@mnemark/spec'
import type { EmbeddingProvider, InputType } from '@mnemark/spec'
import {
  BEDROCK_ACCESS_KEY_ID,
  bedrockWire,
  geminiWire,
  lmStudioWire,
  mistralWire,
  ollamaWire,
  openaiCompatibleWire,
  openAIWire,
  startProtocolServer,
  voyageWire,
} from '@mnemark/testkit'
import type { EmbeddingWire, ProtocolServer } from '@mnemark/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Config } from '../../config/schema/config.ts'
import type { Environment } from '../../config/expand-variables.ts'
import { resolveSettings } from '../../config/resolve/resolve-settings.ts'
import { createChain } from './create-chain.ts'
import type { ProviderChain } from './create-chain.ts'
import { mayFindProvider } from '../choose/may-find-provider.ts'
import type { Adapters } from '../choose/installed-adapters.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

const KEY = 'sk-key-of-the-test-0123456789'
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mnemark-providers-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

type MemorySearch = NonNullable<Config['memory']>['search']

async function chainOf(
  memorySearch: MemorySearch,
  environment: Environment = {},
  rest: Config = {},
  adapters?: Adapters,
): Promise<ProviderChain> {
  const config: Config = { ...rest, agents: { defaults: { memorySearch: memorySearch ?? {} } } }
  const { provider } = resolveSettings(config, 'main', environment)
  const sources = { agentId: 'main', workspace: root, trustedFile: join(root, 'openclaw.json'), config, provider, environment }
  return assertFound(sources, await createChain(sources, adapters))
}

/** The check that runs before a provider is loaded must never be wrong. */
function assertFound(sources: ProviderSources, chain: ProviderChain): ProviderChain {
  const isEmpty = chain.providers.length === 0 && chain.degraded.length === 0
  expect(mayFindProvider(sources) || isEmpty, 'what may not be found was not found').toBe(true)
  return chain
}

async function embed(provider: EmbeddingProvider | undefined, inputType: InputType): Promise<number | undefined> {
  const result = await provider?.embed({ inputs: [{ type: 'text', text: 'tea' }], inputType })
  return result?.vectors[0]?.length
}

const start = (wire: EmbeddingWire): Promise<ProtocolServer> => startProtocolServer(wire, { apiKey: KEY })

/** Models for providers whose model need not be named. */
const USUAL_MODELS: Readonly<Record<string, string>> = { gemini: 'gemini-embedding-001' }

describe('what is configured reaches the wire', () => {
  test.each<readonly [string, EmbeddingWire, MemorySearch, number]>([
    ['openai', openAIWire, { model: 'text-embedding-3-large', outputDimensionality: 64 }, 64],
    ['gemini', geminiWire, { outputDimensionality: 256 }, 256],
    ['voyage', voyageWire, { model: 'voyage-4-lite', outputDimensionality: 256 }, 256],
    ['mistral', mistralWire, { model: 'codestral-embed', outputDimensionality: 128 }, 128],
    ['ollama', ollamaWire, { model: 'nomic-embed-text', outputDimensionality: 6 }, 6],
    ['lmstudio', lmStudioWire(), { model: 'text-embedding-nomic-embed-text-v1.5' }, 768],
    ['openai-compatible', openaiCompatibleWire(), { model: 'any', outputDimensionality: 5 }, 5],
  ])('%s: key, headers, model and length', async (provider, wire, settings, length) => {
    await using server = await start(wire)
    const remote = { baseUrl: server.baseUrl, apiKey: '${KEY}', headers: { 'X-Team': 'of ${TEAM}' } }
    const { providers, degraded } = await chainOf({ provider, ...settings, remote }, { KEY, TEAM: 'tea' })
    expect(degraded).toEqual([])
    expect(await embed(providers[0], 'document')).toBe(length)
    const [request] = server.requests
    expect(request?.headers['x-team']).toBe('of tea')
    expect(JSON.stringify(request?.headers)).toContain(KEY)
    expect(server.calls[0]).toMatchObject({ texts: [expect.stringMatching(/tea$/)], dimensions: length })
    expect(server.calls[0]?.model).toContain(settings?.model ?? USUAL_MODELS[provider])
  })

  test('bedrock: the credentials of the AWS tools, where it is named', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', BEDROCK_ACCESS_KEY_ID)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEY)
    vi.stubEnv('AWS_REGION', 'us-east-1')
    await using server = await start(bedrockWire())
    const { providers } = await chainOf({ provider: 'bedrock', outputDimensionality: 256, remote: { baseUrl: server.baseUrl } })
    expect(await embed(providers[0], 'document')).toBe(256)
    expect(server.calls[0]?.model).toBe('amazon.titan-embed-text-v2:0')
  })

  test('input types: two texts, fields, words in front, and the service that has its own', async () => {
    const asymmetric = openaiCompatibleWire({ inputType: { field: 'input_type', query: 'q', document: 'd' } })
    await using server = await start(asymmetric)
    const remote = { baseUrl: server.baseUrl, apiKey: KEY }
    const settings: readonly MemorySearch[] = [
      { queryInputType: 'q', documentInputType: 'd' },
      { inputType: 'd', queryInputType: 'q' },
      { inputType: { query: { input_type: 'q' }, document: { input_type: 'd' } } },
      { inputType: { query: 'q', document: 'x' }, documentInputType: 'd' },
    ]
    for (const each of settings) {
      const { providers } = await chainOf({ provider: 'openai-compatible', model: 'm', remote, ...each })
      for (const inputType of ['query', 'document'] as const) {
        await embed(providers[0], inputType)
        expect(server.calls.at(-1)?.inputType).toBe(inputType)
      }
    }
    const prefix = { query: 'query: ', document: 'passage: ' }
    const { providers } = await chainOf({
      provider: 'openai',
      model: 'm',
      remote,
      inputType: { prefix },
    })
    await expect(embed(providers[0], 'query')).rejects.toMatchObject({ code: 'invalid-input' })
    expect(server.requests.at(-1)?.body).toMatchObject({ input: ['query: tea'] })
    await using voyage = await start(voyageWire)
    const chain = await chainOf({ provider: 'voyage', remote: { baseUrl: voyage.baseUrl, apiKey: KEY } })
    await embed(chain.providers[0], 'query')
    expect(voyage.calls[0]?.inputType).toBe('query')
  })

  test('an input type that a service does not know is a wrong configuration, before anything is sent', async () => {
    for (const provider of ['openai', 'mistral', 'ollama', 'github-copilot', 'bedrock']) {
      const wrong = chainOf({ provider, queryInputType: 'q', documentInputType: 'd', remote: { apiKey: KEY } })
      await expect(wrong).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringContaining(`${provider} does not take`),
      })
    }
    await expect(chainOf({ provider: 'openai-compatible', inputType: { prefix: { query: 'q' } } })).rejects.toThrow(
      'no known form',
    )
  })
})

describe('B56, B72: an id of one’s own', () => {
  const providers = (entry: object): Config => ({ models: { providers: { 'ollama-proxy': entry, acme: entry } } })

  test.each(['', '/', '/v1', '/v1/'])('the address with %j behind it leads to its own host and nowhere else', async (end) => {
    await using server = await startProtocolServer(ollamaWire, { apiKey: 'placeholder' })
    const chain = await chainOf(
      { provider: 'ollama-proxy', model: 'nomic-embed-text' },
      { OPENAI_API_KEY: 'sk-other', OLLAMA_API_KEY: 'other' },
      providers({ api: 'ollama', baseUrl: `${server.origin}${end}`, apiKey: 'placeholder' }),
    )
    expect(chain.providers[0]?.space).toMatchObject({
      provider: 'ollama-proxy',
      endpoint: server.origin,
      model: 'nomic-embed-text',
    })
    await embed(chain.providers[0], 'query')
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/embed'])
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('other')
  })

  test('has its own key, headers, model, length, input type and limits', async () => {
    const wire = openaiCompatibleWire({ inputType: { field: 'input_type', query: 'query', document: 'passage' }, maxInputs: 3 })
    await using server = await start(wire)
    const entry = {
      api: 'openai-completions',
      baseUrl: server.origin,
      apiKey: '${ACME_KEY}',
      headers: { 'X-One': 'entry', 'X-Two': 'entry' },
      model: 'acme-1',
      dimensions: 4,
      inputType: { query: 'query', document: 'passage' },
      limits: { maxInputs: 3 },
    }
    const settings = { provider: 'acme', remote: { headers: { 'x-two': 'own' }, nonBatchConcurrency: 1 } }
    const {
      providers: [acme],
    } = await chainOf(settings, { ACME_KEY: KEY, OPENAI_API_KEY: 'sk-other' }, providers(entry))
    expect(acme?.limits).toMatchObject({ maxInputs: 3, concurrency: 1 })
    expect(await embed(acme, 'document')).toBe(4)
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-one': 'entry', 'x-two': 'own' })
    expect(server.calls[0]).toMatchObject({ model: 'acme-1', inputType: 'document' })
  })

  test('a server of a known kind brings what is known about it', async () => {
    const {
      providers: [jina],
    } = await chainOf({ provider: 'acme', model: 'jina-embeddings-v3' }, {}, providers({ api: 'jina', apiKey: KEY }))
    expect(jina?.space).toMatchObject({ provider: 'acme', endpoint: 'https://api.jina.ai/v1' })
    expect(jina?.space.variant['fields']).toContain('retrieval.passage')
  })

  test('an api nobody speaks, and none, are wrong', async () => {
    await expect(chainOf({ provider: 'acme' }, {}, providers({ api: 'telnet' }))).rejects.toThrow(
      'models.providers.acme.api is "telnet"; allowed: "openai", "gemini"',
    )
    await expect(chainOf({ provider: 'acme' }, {}, providers({}))).rejects.toThrow('models.providers.acme.api is missing')
  })

  test('another endpoint is another space', async () => {
    const spaces = ['https://a.example/v1', 'https://b.example/v1'].map(async (baseUrl) => {
      const {
        providers: [provider],
      } = await chainOf({ provider: 'openai-compatible', model: 'm', remote: { baseUrl } })
      return provider === undefined ? '' : fingerprint(provider.space)
    })
    expect(new Set(await Promise.all(spaces)).size).toBe(2)
  })
})

describe('keys', () => {
  const authorization = async (memorySearch: MemorySearch, environment: Environment, rest: Config = {}): Promise<string> => {
    await using server = await startProtocolServer(openAIWire)
    const remote = { ...memorySearch?.remote, baseUrl: server.baseUrl }
    const { providers } = await chainOf({ provider: 'openai', ...memorySearch, remote }, environment, rest)
    await embed(providers[0], 'query').catch(() => {})
    return server.requests[0]?.headers['authorization'] ?? ''
  }
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const profiles = (entries: object): void =>
    write('agents/main/agent/auth-profiles.json', JSON.stringify({ version: 1, profiles: entries }))
  const entry: Config = { models: { providers: { openai: { apiKey: '${ENTRY_KEY}' } } } }
  const environment = { OWN_KEY: 'own', ENTRY_KEY: 'entry', OPENAI_API_KEY: 'variable' }

  test('the own one, then models.providers, then the profiles of OpenClaw, then the environment', async () => {
    profiles({ 'openai:default': { type: 'api_key', provider: 'openai', key: 'profile' } })
    expect(await authorization({ remote: { apiKey: '${OWN_KEY}' } }, environment, entry)).toBe('Bearer own')
    expect(await authorization({}, environment, entry)).toBe('Bearer entry')
    expect(await authorization({}, environment)).toBe('Bearer profile')
    rmSync(join(root, 'agents'), { recursive: true })
    // The test's server is not the service's own host, so the environment's key is not sent.
    expect(await authorization({}, environment)).toBe('')
    const written = { remote: { apiKey: '${OPENAI_API_KEY}' } }
    expect(await authorization(written, environment)).toBe('Bearer variable')
  })

  test('B72: a login for chat is no key, and a key of another provider is not sent', async () => {
    profiles({
      codex: { type: 'oauth', provider: 'openai', access: 'login', refresh: 'login', expires: 1 },
      claude: { type: 'token', provider: 'openai', token: 'login' },
      voyage: { type: 'api_key', provider: 'voyage', key: 'of-voyage' },
    })
    const { providers, degraded } = await chainOf({ provider: 'openai' }, { VOYAGE_API_KEY: 'of-voyage' })
    expect(providers).toEqual([])
    expect(degraded).toEqual([
      { code: 'provider-unavailable', message: expect.stringContaining('openai: no key. Set OPENAI_API_KEY') },
    ])
  })

  test('B72: a variable that is not set is an error of the settings, naming the key, before any request', async () => {
    await using server = await startProtocolServer(openAIWire)
    const remote = { baseUrl: server.baseUrl, apiKey: KEY }
    for (const [wrong, key] of [
      [{ remote: { ...remote, headers: { 'x-key': '${MISSING}' } } }, 'remote.headers.x-key'],
      [{ remote: { ...remote, apiKey: '${MISSING}' } }, 'remote.apiKey'],
      [{ remote: { ...remote, apiKey: '$MISSING' } }, 'remote.apiKey'],
      [{ remote: { ...remote, baseUrl: '${MISSING}' } }, 'remote.baseUrl'],
      [{ remote, fallback: { provider: 'voyage', remote: { apiKey: '${MISSING}' } } }, 'fallback.remote.apiKey'],
    ] as const) {
      const message = `agents.defaults.memorySearch.${key} needs the environment variable MISSING, which is not set`
      await expect(chainOf({ provider: 'openai', ...wrong })).rejects.toMatchObject({ code: 'unset-variable', message })
    }
    expect(server.requests).toEqual([])
  })

  test('google serves gemini, in the configuration and in profiles', async () => {
    await using server = await start(geminiWire)
    const google: Config = { models: { providers: { google: { baseUrl: server.baseUrl, apiKey: KEY } } } }
    const configured = await chainOf({ provider: 'gemini', outputDimensionality: 256 }, {}, google)
    expect(await embed(configured.providers[0], 'query')).toBe(256)
    profiles({ g: { type: 'api_key', provider: 'google', key: KEY } })
    const profiled = await chainOf({ provider: 'gemini', remote: { baseUrl: server.baseUrl } })
    await embed(profiled.providers[0], 'query')
    expect(server.requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual([KEY, KEY])
  })

  test('a key kept in a file, in a variable, and by a program', async () => {
    const secrets: Config = {
      secrets: {
        providers: {
          vault: { source: 'file', path: 'secrets.json' },
          single: { source: 'file', path: 'key.txt', mode: 'singleValue' },
        },
      },
    }
    write('secrets.json', JSON.stringify({ services: { 'open/ai': 'filed' } }))
    write('key.txt', 'alone\n')
    const from = (apiKey: object): Promise<string> =>
      authorization({ remote: { apiKey: apiKey as { source: string; id: string } } }, environment, secrets)
    expect(await from({ source: 'file', provider: 'vault', id: '/services/open~1ai' })).toBe('Bearer filed')
    expect(await from({ source: 'file', provider: 'single', id: 'value' })).toBe('Bearer alone')
    expect(await from({ source: 'env', provider: 'default', id: 'OWN_KEY' })).toBe('Bearer own')
    await expect(from({ source: 'file', provider: 'vault', id: '/absent' })).rejects.toThrow('holds no text at "/absent"')
    await expect(from({ source: 'file', provider: 'other', id: '/x' })).rejects.toThrow(
      'secrets.providers.other, which has no path',
    )
    await expect(from({ source: 'exec', provider: 'vault', id: 'x' })).rejects.toThrow('a program prints are not followed')
  })

  test('the login to Copilot comes from its own places, never from the token of other tools', async () => {
    const none = await chainOf({ provider: 'github-copilot' }, { GITHUB_TOKEN: 'ghp_ci', GH_TOKEN: 'gho_cli' })
    expect(none.degraded[0]?.message).toContain('github-copilot: no key. Set COPILOT_GITHUB_TOKEN')
    profiles({ gh: { type: 'token', provider: 'github-copilot', token: 'ghu_abcdefghij' } })
    expect((await chainOf({ provider: 'github-copilot' })).providers).toHaveLength(1)
    rmSync(join(root, 'agents'), { recursive: true })
    expect((await chainOf({ provider: 'github-copilot' }, { COPILOT_GITHUB_TOKEN: 'gho_abcdefghij' })).providers).toHaveLength(1)
  })
})

describe('auto', () => {
  const found = async (memorySearch: MemorySearch, environment: Environment, rest: Config = {}) => {
    const { providers, unasked } = await chainOf(memorySearch, environment, rest)
    return [providers.map(({ space }) => space.provider), unasked?.space.provider ?? null]
  }
  const all = { OPENAI_API_KEY: 'a', GEMINI_API_KEY: 'b', VOYAGE_API_KEY: 'c', MISTRAL_API_KEY: 'd' }

  test('takes the model file, else the first service that has a key, and asks before it sends', async () => {
    writeFileSync(join(root, 'small.gguf'), '')
    expect(await found({ local: { modelPath: 'small.gguf' } }, all)).toEqual([['local'], null])
    expect(await found({ local: { modelPath: 'absent.gguf' } }, all)).toEqual([['openai'], 'openai'])
    expect(await found({}, all)).toEqual([['openai'], 'openai'])
    expect(await found({}, { ...all, OPENAI_API_KEY: ' ' })).toEqual([['gemini'], 'gemini'])
    expect(await found({}, { GOOGLE_API_KEY: 'b', VOYAGE_API_KEY: 'c' })).toEqual([['gemini'], 'gemini'])
    expect(await found({}, { VOYAGE_API_KEY: 'c', MISTRAL_API_KEY: 'd' })).toEqual([['voyage'], 'voyage'])
    expect(await found({}, { MISTRAL_API_KEY: 'd' })).toEqual([['mistral'], 'mistral'])
    expect(await found({}, {})).toEqual([[], null])
    const nobody = resolveSettings({}, 'main', {}).provider
    const sources = { agentId: 'main', workspace: root, trustedFile: null, config: {}, provider: nobody, environment: {} }
    expect(mayFindProvider(sources)).toBe(false)
  })

  test('B55: takes nothing of AWS, GitHub, Ollama or LM Studio, whatever is there', async () => {
    const others = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 't' }
    expect(await found({}, { ...others, GITHUB_TOKEN: 'g', COPILOT_GITHUB_TOKEN: 'g', OLLAMA_API_KEY: 'o' })).toEqual([[], null])
  })

  test('a key of the configuration whose variable is not set is no key, and the next service is taken', async () => {
    const unset: Config = { models: { providers: { openai: { apiKey: '${NOT_SET}' } } } }
    expect(await found({}, { VOYAGE_API_KEY: 'c' }, unset)).toEqual([['voyage'], 'voyage'])
  })

  test('an address of the configuration is named, and needs no consent', async () => {
    const named = { remote: { baseUrl: 'https://vectors.example.org/v1', apiKey: '${OPENAI_API_KEY}' } }
    expect(await found(named, all)).toEqual([['openai'], null])
    expect(await found({ fallback: 'voyage' }, { VOYAGE_API_KEY: 'c', MISTRAL_API_KEY: 'd' })).toEqual([
      ['voyage', 'voyage'],
      'voyage',
    ])
  })
})

test.each([
  ['openai', 'OPENAI_API_KEY', 'https://proxy.example/v1'],
  ['openai', 'OPENAI_API_KEY', 'https://api.openai.com.evil.example/v1'],
  ['openai', 'OPENAI_API_KEY', 'https://evil.example/api.openai.com'],
  ['openai', 'OPENAI_API_KEY', 'https://api.openai.com@evil.example/v1'],
  ['openai', 'OPENAI_API_KEY', 'http://api.openai.com/v1'],
  ['openai', 'OPENAI_API_KEY', 'http://127.0.0.1:8080/v1'],
  ['gemini', 'GEMINI_API_KEY', 'https://storage.googleapis.com'],
  ['gemini', 'GOOGLE_API_KEY', 'https://proxy.example'],
  ['voyage', 'VOYAGE_API_KEY', 'https://voyageai.com.example/v1'],
  ['mistral', 'MISTRAL_API_KEY', 'https://mistral.example'],
  ['github-copilot', 'COPILOT_GITHUB_TOKEN', 'https://copilot.example'],
  ['bedrock', 'AWS_BEARER_TOKEN_BEDROCK', 'https://bedrock.example'],
])('P103: a key of the environment is not for another host: %s with %s at %s', async (provider, variable, baseUrl) => {
  const { providers, degraded } = await chainOf({ provider, remote: { baseUrl } }, { [variable]: KEY })
  expect(providers).toEqual([])
  expect(degraded.map(({ message }) => message)).toEqual([expect.stringContaining(`${provider}: no key for `)])
  expect(degraded[0]?.message).toContain('memorySearch.remote.apiKey')
})

test.each([
  ['openai', 'OPENAI_API_KEY', 'https://eu.api.openai.com/v1'],
  ['gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com'],
  ['voyage', 'VOYAGE_API_KEY', 'https://api.voyageai.com/v1'],
])('P103: it is for the own hosts of its service: %s with %s at %s', async (provider, variable, baseUrl) => {
  const { providers } = await chainOf({ provider, remote: { baseUrl } }, { [variable]: KEY })
  expect(providers.map(({ space }) => space.provider)).toEqual([provider])
})

describe('what is not installed', () => {
  const without = (...ids: readonly string[]): Adapters => ({ isInstalled: (id) => !ids.includes(id) })
  const keys = { OPENAI_API_KEY: KEY, GEMINI_API_KEY: KEY, MISTRAL_API_KEY: KEY }
  const told = ({ degraded }: ProviderChain): readonly string[] => degraded.map(({ message }) => message)
  const advice = (id: string, name = `@mnemark/embed-${id}`): string => `${id}: ${name} is not installed. Run \`pnpm install\`.`

  test.each(['openai', 'gemini', 'voyage', 'mistral', 'bedrock'])(
    '%s by name says the command that installs it',
    async (provider) => {
      const chain = await chainOf({ provider }, keys, {}, without(provider))
      expect(chain.providers).toEqual([])
      expect(chain.degraded).toEqual([{ code: 'provider-unavailable', message: advice(provider) }])
    },
  )

  test('so does local, whose library is large', async () => {
    const chain = await chainOf({ provider: 'local', local: { modelPath: 'm.gguf' } }, {}, {}, without('local'))
    expect(told(chain)).toEqual([advice('local', 'node-llama-cpp')])
  })

  test('an entry of models.providers names itself', async () => {
    const providers = { ours: { api: 'gemini', apiKey: KEY } }
    expect(told(await chainOf({ provider: 'ours' }, {}, { models: { providers } }, without('gemini')))).toEqual([
      'ours: @mnemark/embed-gemini is not installed. Run `pnpm install`.',
    ])
  })

  test('auto takes the first that is installed, and says what it passed over', async () => {
    writeFileSync(join(root, 'small.gguf'), '')
    const chain = await chainOf({ local: { modelPath: 'small.gguf' } }, keys, {}, without('local', 'openai'))
    expect(chain.providers.map(({ space }) => space.provider)).toEqual(['gemini'])
    expect(told(chain)).toEqual([advice('local', 'node-llama-cpp'), advice('openai')])
    const nobody = await chainOf({}, keys, {}, without('openai', 'gemini', 'mistral'))
    expect(nobody.providers).toEqual([])
    expect(told(nobody)).toEqual([advice('openai'), advice('gemini'), advice('mistral')])
    const refused = await chainOf({ remote: { consent: false } }, keys, {}, without('openai', 'gemini', 'mistral'))
    expect(told(refused)).toEqual([])
  })

  test('a fallback that is installed answers', async () => {
    const fallback = [{ provider: 'mistral', remote: { apiKey: KEY } }]
    const chain = await chainOf({ provider: 'openai', fallback }, keys, {}, without('openai'))
    expect(chain.providers.map(({ space }) => space.provider)).toEqual(['mistral'])
    expect(told(chain)).toEqual([advice('openai')])
  })
})

test('a link that cannot be made is told, and the others stay', async () => {
  const remote = { baseUrl: 'http://vectors.example.org', apiKey: KEY }
  const { providers, degraded } = await chainOf(
    { provider: 'openai', remote, fallback: ['ollama', 'local', 'mistral'] },
    { OPENAI_API_KEY: KEY },
  )
  expect(providers.map(({ space }) => space.provider)).toEqual(['ollama'])
  expect(degraded.map(({ message }) => message)).toEqual([
    expect.stringContaining('plain http to a host that is not on this machine'),
    expect.stringContaining('local: no model file. Set memorySearch.local.modelPath'),
    expect.stringContaining('mistral: no key. Set MISTRAL_API_KEY'),
  ])
  expect(JSON.stringify(degraded)).not.toContain(KEY)
})

test.each(['OPENAI_API_KEY', 'my_token', 'DB_PASSWORD'])(
  'P108: %s in an address is refused by its name, its value is in no error',
  async (name) => {
    const baseUrl = `https://\${${name}}.example.org/v1`
    const error = await chainOf({ provider: 'openai', remote: { baseUrl } }, { [name]: 'hunter22' }).catch(String)
    expect(error).toContain(`puts ${name} into an address`)
    expect(error).not.toContain('hunter22')
  },
)
