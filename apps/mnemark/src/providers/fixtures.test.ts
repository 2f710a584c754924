import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/read/read-config.ts'
import { resolveSettings } from '../config/resolve/resolve-settings.ts'
import { createChain } from './build/create-chain.ts'

const FIXTURES = new URL('../config/__fixtures__/', import.meta.url)
const ENVIRONMENT = { VECTORS_KEY: 'v', VOYAGE_KEY: 'y', GEMINI_API_KEY: 'g', SHARED: '/mnt/shared' }

/** For each fixture the expected chain, each link as provider, model and URL. */
const CHAINS: Readonly<Record<string, readonly string[]>> = {
  'agents-apart.json5': ['openai text-embedding-3-small https://vectors.example.org/v1'],
  'chain.json5': [
    'voyage voyage-4 https://api.voyageai.com/v1',
    'voyage voyage-4-lite https://api.voyageai.com/v1',
    'local small.gguf null',
  ],
  'compatible-endpoint.json5': ['openai text-embedding-3-large https://vectors.example.org/v1'],
  'fallback-to-itself.json5': [
    'gemini gemini-embedding-001 https://generativelanguage.googleapis.com',
    'ollama nomic-embed-text http://127.0.0.1:11434',
  ],
  'own-provider.json5': ['attic-ollama bge-m3 http://attic.local:11434'],
  'prefixes.json5': ['openai-compatible e5-small http://127.0.0.1:8080/v1'],
  'vector-extension.json5': ['ollama nomic-embed-text http://127.0.0.1:11434'],
}
/** Fixtures whose provider cannot be created here. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'query-and-document-types.json5': 'openai-compatible: no address. Set memorySearch.remote.baseUrl.',
}

test.each(readdirSync(FIXTURES).filter((name) => name !== 'openclaw-file.json5'))(
  '%s means its chain of providers',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'mnemark-fixtures-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { config } = await readConfig(readFileSync(new URL(name, FIXTURES), 'utf8'), name)
    const { provider } = resolveSettings(config, 'main', ENVIRONMENT)
    const isAutomatic = provider.requested === 'auto'
    const environment = isAutomatic ? {} : ENVIRONMENT
    const chain = await createChain({ agentId: 'main', workspace: folder, trustedFile: null, config, provider, environment })
    expect(chain.providers.map(({ space }) => `${space.provider} ${space.model} ${space.endpoint}`)).toEqual(CHAINS[name] ?? [])
    expect(chain.degraded.map(({ message }) => message)).toEqual(PROBLEMS[name] === undefined ? [] : [PROBLEMS[name]])
  },
)

test('a key in a file that an OpenClaw configuration names is read from beside it', async () => {
  const { config } = await readConfig(readFileSync(new URL('openclaw-file.json5', FIXTURES), 'utf8'), 'openclaw-file.json5')
  const { provider } = resolveSettings(config, 'main', {})
  const sources = { agentId: 'main', workspace: '/', trustedFile: null, config, provider, environment: {} }
  await expect(createChain(sources)).rejects.toThrow(/remote\.apiKey: .*secrets\.json cannot be read: ENOENT/)
})
