import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBedrock } from '@mnemark/embed-bedrock'
import { createGemini } from '@mnemark/embed-gemini'
import { createGitHubCopilot } from '@mnemark/embed-github-copilot'
import { createLMStudio } from '@mnemark/embed-lmstudio'
import { createMistral } from '@mnemark/embed-mistral'
import { createOllama } from '@mnemark/embed-ollama'
import { createOpenAI } from '@mnemark/embed-openai'
import { createOpenAICompatible } from '@mnemark/embed-openai-compatible'
import { createVoyage } from '@mnemark/embed-voyage'
import type { EmbeddingProvider } from '@mnemark/spec'
import {
  BEDROCK_ACCESS_KEY_ID,
  bedrockWire,
  type EmbeddingWire,
  geminiWire,
  githubCopilotWire,
  githubTokenWire,
  lmStudioWire,
  mistralWire,
  ollamaWire,
  openaiCompatibleWire,
  openAIWire,
  SECRET,
  startProtocolServer,
  voyageWire,
} from '@mnemark/testkit'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { jsonBeside } from '../harness/run-beside.ts'
import { nameProvider } from './named-provider.ts'

// P54: every adapter goes through the proxy of the environment, and past it where NO_PROXY says so.

interface Recorder {
  readonly url: string
  /** `CONNECT host:port`, or method and address. */
  readonly seen: string[]
  readonly credentials: (string | undefined)[]
  /** Where requests to hosts that are nowhere go. */
  target: string
}

/** A proxy on this machine: passes plain requests on to one server, makes no tunnel, and writes everything down. */
async function startRecorder(): Promise<Recorder> {
  const recorder = { url: '', seen: [] as string[], credentials: [] as (string | undefined)[], target: '' }
  const server = createServer((incoming, outgoing) => {
    recorder.seen.push(`${incoming.method} ${incoming.url}`)
    recorder.credentials.push(incoming.headers['proxy-authorization'])
    const { pathname, search } = new URL(incoming.url ?? '')
    const passed = httpRequest(recorder.target + pathname + search, { method: incoming.method, headers: incoming.headers })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(passed)
  })
  server.on('connect', (incoming, socket) => {
    recorder.seen.push(`CONNECT ${incoming.url}`)
    recorder.credentials.push(incoming.headers['proxy-authorization'])
    socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return recorder
}

const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])
beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

interface Adapter {
  readonly wire: EmbeddingWire
  /** Where its service is when no address is given. */
  readonly host?: string
  create(baseUrl: string | undefined): EmbeddingProvider
}

const BEDROCK = { credentials: { accessKeyId: BEDROCK_ACCESS_KEY_ID, secretAccessKey: SECRET }, region: 'eu-central-1' }
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  openai: { wire: openAIWire, host: 'api.openai.com', create: (baseUrl) => createOpenAI({ apiKey: SECRET, baseUrl }) },
  gemini: {
    wire: geminiWire,
    host: 'generativelanguage.googleapis.com',
    create: (baseUrl) => createGemini({ apiKey: SECRET, baseUrl }),
  },
  voyage: { wire: voyageWire, host: 'api.voyageai.com', create: (baseUrl) => createVoyage({ apiKey: SECRET, baseUrl }) },
  mistral: { wire: mistralWire, host: 'api.mistral.ai', create: (baseUrl) => createMistral({ apiKey: SECRET, baseUrl }) },
  bedrock: {
    wire: bedrockWire(),
    host: 'bedrock-runtime.eu-central-1.amazonaws.com',
    create: (baseUrl) => createBedrock({ ...BEDROCK, baseUrl }),
  },
  ollama: { wire: ollamaWire, create: (baseUrl) => createOllama({ apiKey: SECRET, baseUrl }) },
  lmstudio: {
    wire: lmStudioWire(),
    create: (baseUrl) => createLMStudio({ apiKey: SECRET, baseUrl, model: 'text-embedding-nomic-embed-text-v1.5' }),
  },
  'openai-compatible': {
    wire: openaiCompatibleWire(),
    create: (baseUrl) =>
      createOpenAICompatible({
        id: 'own',
        apiKey: SECRET,
        baseUrl: baseUrl ?? '',
        model: 'sample-embed',
        inputType: 'symmetric',
      }),
  },
}
const TEXTS = ['one', 'two'].map((text) => ({ type: 'text' as const, text }))
const embed = (provider: EmbeddingProvider, signal?: AbortSignal) =>
  provider.embed({ inputs: TEXTS.slice(0, provider.limits.maxInputs), inputType: 'document', signal })

describe.for(Object.entries(ADAPTERS))('P54: %s', ([, { wire, host, create }]) => {
  test('asks through the proxy, gets its vectors, and asks past it where NO_PROXY names the host', async () => {
    const recorder = await startRecorder()
    await using server = await startProtocolServer(wire, { apiKey: SECRET })
    recorder.target = server.origin
    vi.stubEnv('http_proxy', recorder.url.replace('//', '//me:p%40ss@'))
    const vectors = (await embed(create(`http://embedder.internal:8080${wire.basePath}`))).vectors
    expect(vectors.every((vector) => vector instanceof Float32Array)).toBe(true)
    expect(recorder.seen.length).toBeGreaterThan(0)
    expect(recorder.seen.every((line) => line.includes('http://embedder.internal:8080'))).toBe(true)
    expect(new Set(recorder.credentials)).toEqual(new Set([`Basic ${btoa('me:p@ss')}`]))

    recorder.seen.splice(0)
    vi.stubEnv('NO_PROXY', 'other.example, 127.0.0.0/8')
    await embed(create(server.baseUrl))
    expect(recorder.seen).toEqual([])
  })

  test.runIf(host !== undefined)(
    'asks for a tunnel to its service, and says which proxy failed, without its password',
    async () => {
      const recorder = await startRecorder()
      vi.stubEnv('HTTPS_PROXY', recorder.url.replace('//', '//me:hunter22@'))
      const error: unknown = await embed(create(undefined)).catch((thrown: unknown) => thrown)
      expect(recorder.seen).toEqual([`CONNECT ${host}:443`])
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(new URL(recorder.url).host) })
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter22')
    },
  )
})

test('P54: github-copilot asks for its token through the proxy too', async () => {
  const recorder = await startRecorder()
  await using github = await startProtocolServer(githubTokenWire({ tokens: [SECRET], fields: { refresh_in: 1500 } }), {
    apiKey: 'gho_login0123456789',
  })
  recorder.target = github.origin
  vi.stubEnv('ALL_PROXY', recorder.url)
  await using copilot = await startProtocolServer(githubCopilotWire, { apiKey: SECRET })
  vi.stubEnv('NO_PROXY', `127.0.0.1:${new URL(copilot.origin).port}`)
  const { vectors } = await embed(
    createGitHubCopilot({ githubToken: 'gho_login0123456789', githubUrl: 'http://github.internal', baseUrl: copilot.baseUrl }),
  )
  expect(vectors).toHaveLength(2)
  expect(recorder.seen).toEqual([expect.stringContaining('http://github.internal')])
})

test('P54: files of batch jobs go through the proxy whole', async () => {
  const recorder = await startRecorder()
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  recorder.target = server.origin
  vi.stubEnv('HTTP_PROXY', recorder.url)
  const { batch } = createOpenAI({ apiKey: SECRET, baseUrl: `http://embedder.internal${openAIWire.basePath}` })
  async function* items() {
    yield { id: 'a', input: { type: 'text' as const, text: 'one' } }
  }
  const handle = await batch?.submit(items(), { inputType: 'document', marker: 'marker-1' })
  expect(handle?.jobId).toBeTruthy()
  expect(recorder.seen.some((line) => line.startsWith('POST http://embedder.internal'))).toBe(true)
})

test('P54: index goes through it, and doctor shows it without its password', async () => {
  const recorder = await startRecorder()
  const box = new Sandbox({ 'MEMORY.md': 'The router is in the attic.\n' })
  await using provider = await nameProvider(box)
  recorder.target = provider.server.origin
  const proxy = recorder.url.replace('//', '//me:hunter22@')
  const run = (argv: readonly string[], more: Readonly<Record<string, string>>) =>
    jsonBeside(box, argv, { ...provider.environment, ...more })
  expect((await run(['index'], { HTTP_PROXY: proxy })).code).toBe(0)
  expect(recorder.seen.length).toBeGreaterThan(0)
  const checks = async (more: Readonly<Record<string, string>>) => {
    const { document } = await run(['doctor'], more)
    expect(JSON.stringify(document)).not.toContain('hunter22')
    return Object.values(document.checks ?? {}).filter((check) => JSON.stringify(check).includes('"proxy"'))
  }
  const { host } = new URL(recorder.url)
  expect(await checks({ HTTP_PROXY: proxy })).toMatchObject([
    { status: 'warning', message: expect.stringContaining(`${host} (HTTP_PROXY)`), next: expect.stringContaining('NO_PROXY') },
  ])
  expect(await checks({ HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' })).toEqual([])
  expect(await checks({ http_proxy: 'ftp://me:hunter22@proxy.example' })).toMatchObject([
    { status: 'failed', message: expect.stringContaining('http_proxy') },
  ])
})
