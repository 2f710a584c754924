import {
  chatCompletionsWire,
  cohereLikeRerankWire,
  type RerankServer,
  startChatServer,
  startRerankServer,
} from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import type { Json } from '../harness/launcher.ts'
import { jsonBeside, runBeside } from '../harness/run-beside.ts'

const KEY = 'sk-key-of-the-test-0123456789'
const env = { THE_KEY: KEY }

const NOTES = {
  'MEMORY.md': '# Memory\n\nThe secret router is under the stairs.\n',
  'memory/plain.md': 'router router cellar\n',
  'memory/best.md': 'The router upstairs was replaced after the storm, and everybody was glad about it.\n',
}

function configured(models: object): Sandbox {
  const box = new Sandbox(NOTES)
  box.configure(JSON.stringify({ models }))
  return box
}

/** A server that judges by one word, and a workspace that asks it. */
async function judged(more: object = {}): Promise<{ readonly server: RerankServer; readonly box: Sandbox }> {
  const server = await startRerankServer(cohereLikeRerankWire, { apiKey: KEY })
  server.behave({
    answer: ({ passages }, { usage }) => ({
      results: passages.map((passage, index) => ({ index, score: passage.includes('glad') ? 1 : 0 })),
      ...(usage && { usage }),
    }),
  })
  const rerank = { provider: 'cohere-compatible', model: 'judge-1', baseUrl: server.baseUrl, apiKey: '${THE_KEY}', ...more }
  return { server, box: configured({ rerank }) }
}

const pathsOf = (document: Json): readonly unknown[] =>
  (document['hits'] as unknown as readonly { readonly path: string }[]).map(({ path }) => path)
const codesOf = (document: Json): readonly unknown[] =>
  (document['degraded'] as unknown as readonly { readonly code: string }[]).map(({ code }) => code)

describe('a configured reranker', () => {
  test('orders the hits of a search; --no-rerank and --keywords go without it, and a group sends no long-term note', async () => {
    const { server, box } = await judged()
    await using _ = server
    const { document, output } = await jsonBeside(box, ['search', 'router', '--explain'], env)
    expect(pathsOf(document)[0]).toBe('memory/best.md')
    expect(codesOf(document)).not.toContain('rerank-skipped')
    expect(output).not.toContain(KEY)
    expect(server.calls).toHaveLength(1)
    for (const option of ['--no-rerank', '--keywords'])
      expect(pathsOf((await jsonBeside(box, ['search', 'router', option], env)).document)[0]).not.toBe('memory/best.md')
    expect(server.calls).toHaveLength(1)
    const group = ['--session-key', 'agent:main:telegram:group:7', '--chat-type', 'group']
    await jsonBeside(box, ['search', 'router', ...group], env)
    expect(server.calls).toHaveLength(2)
    expect(server.calls[1]?.passages.join()).not.toContain('secret')
    const text = await runBeside(box, ['search', 'router', '--explain'], env)
    expect(text.stdout).toMatch(/rerank {5}1\.000 {2}rank \d and score/)
  })

  test.each([
    ['down', { reply: { status: 500, body: { detail: 'no' } } }, /500/],
    ['short of scores', { answer: () => ({ results: [{ index: 0, score: 1 }] }) }, /score/],
    ['silent', { delivery: 'silence' }, /within 500 ms/],
  ] as const)('that is %s costs a remark, not the answer', async (name, behaviour, words) => {
    const { server, box } = await judged(name === 'silent' ? { timeoutMs: 500 } : { timeoutMs: 30_000 })
    await using _server = server
    const usual = await jsonBeside(box, ['search', 'router', '--no-rerank'], env)
    server.behave(behaviour as Parameters<RerankServer['behave']>[0])
    const { code, document } = await jsonBeside(box, ['search', 'router'], env)
    expect([code, pathsOf(document)]).toEqual([0, pathsOf(usual.document)])
    expect(codesOf(document)).toContain('rerank-skipped')
    expect(JSON.stringify(document['degraded'])).toMatch(words)
  })

  test('without its key, search answers and says which setting is missing; consent: false is silent', async () => {
    const box = configured({ rerank: { provider: 'cohere', model: 'rerank-v3.5' } })
    const { code, document } = await jsonBeside(box, ['search', 'router'])
    expect(code).toBe(0)
    expect(JSON.stringify(document['degraded'])).toContain('models.rerank.apiKey')
    const held = configured({ rerank: { provider: 'cohere', model: 'rerank-v3.5', consent: false } })
    expect(codesOf((await jsonBeside(held, ['search', 'router'])).document)).not.toContain('rerank-skipped')
  })

  test('that lacks its key is named by config check, and is not even made for --no-rerank', async () => {
    const bare = configured({ rerank: { provider: 'cohere', model: 'rerank-v3.5', baseUrl: 'http://127.0.0.1:9/v2' } })
    const check = await runBeside(bare, ['config', 'check'])
    expect(check.stdout).toMatch(/problem {2}.*models\.rerank\.apiKey.*or provider "cohere-compatible"/)
    const unset = configured({ rerank: { provider: 'cohere', model: 'rerank-v3.5', apiKey: '${NOT_SET_HERE}' } })
    expect((await jsonBeside(unset, ['search', 'router'])).code).toBe(4)
    expect((await jsonBeside(unset, ['search', 'router', '--no-rerank'])).code).toBe(0)
  })

  test('status tells what a search costs and what of the cap is used; --deep and doctor ask it', async () => {
    const { server, box } = await judged({ dailyTokens: 1_000, usdPerMillionInput: 0.05 })
    await using _ = server
    await jsonBeside(box, ['search', 'router'], env)
    const { document } = await jsonBeside(box, ['status'], env)
    expect(document['reranker']).toMatchObject({
      provider: 'cohere-compatible',
      model: 'judge-1',
      perSearch: { passages: 40, usd: 0 },
    })
    expect(document['tokensToday']).toMatchObject([{ kind: 'rerank', limit: 1_000 }])
    expect(server.calls).toHaveLength(1)
    const text = await runBeside(box, ['status', '--deep'], env)
    expect(text.stdout).toMatch(/reranker +cohere-compatible \(judge-1\) at 127\.0\.0\.1:\d+; up to 40 passages/)
    expect(text.stdout).toMatch(/asked: cohere-compatible \(judge-1\).* answers in/)
    expect(text.stdout).toMatch(/tokens +today \d+ of 1000 for reranking/)
    const doctor = await runBeside(box, ['doctor'], env)
    expect(doctor.stdout).toMatch(/ok +reranker: cohere-compatible \(judge-1\) at .* answers in/)
    const capped = await judged({ dailyTokens: 1 })
    await using _capped = capped.server
    const over = await jsonBeside(capped.box, ['search', 'router'], env)
    expect(codesOf(over.document)).toContain('budget-reached')
    expect(JSON.stringify(over.document)).toContain('models.rerank.dailyTokens')
    expect(capped.server.calls).toEqual([])
  })

  test('that came with the folder counts only when somebody trusts it', async () => {
    await using server = await startRerankServer(cohereLikeRerankWire)
    const box = new Sandbox(NOTES)
    const rerank = { provider: 'cohere-compatible', model: 'judge-1', baseUrl: server.baseUrl }
    box.write('mnemark.json5', JSON.stringify({ models: { rerank } }))
    expect((await runBeside(box, ['trust'])).stdout).toContain('have passages judged by "cohere-compatible"')
    const { document } = await jsonBeside(box, ['search', 'router'])
    expect(codesOf(document)).toContain('untrusted-settings')
    expect(server.requests).toEqual([])
  })

  test('of one’s own is a module that exports createReranker', async () => {
    const module = `export const createReranker = ({ options }) => ({
      specVersion: 'v1', model: 'by length', rerank: async ({ passages }) => passages.map((text) => options.sign * text.length),
    })`
    const box = new Sandbox({ ...NOTES, 'own.js': module })
    const providers = { mine: { module: './own.js', options: { sign: 1 } } }
    box.configure(JSON.stringify({ models: { providers, rerank: { provider: 'mine' } } }))
    expect(pathsOf((await jsonBeside(box, ['search', 'router'])).document)[0]).toBe('memory/best.md')
  })
})

describe('configured chat models', () => {
  test('are shown by status, and asked by --deep and doctor alone', async () => {
    await using server = await startChatServer(chatCompletionsWire(), { apiKey: KEY })
    const link = { provider: 'openai-compatible', model: 'chat-1', baseUrl: server.baseUrl, apiKey: '${THE_KEY}' }
    const box = configured({ generate: { ...link, fallback: [{ ...link, model: 'chat-2' }], dailyTokens: 5_000 } })
    const plain = await jsonBeside(box, ['status'], env)
    expect(plain.document['generators']).toMatchObject([{ model: 'chat-1' }, { model: 'chat-2' }])
    expect(plain.document['tokensToday']).toEqual([{ kind: 'generate', used: 0, limit: 5_000 }])
    expect(server.calls).toEqual([])
    const deep = await runBeside(box, ['status', '--deep'], env)
    expect(deep.stdout).toMatch(/asked: openai-compatible \(chat-1\).* answers in/)
    expect(server.calls).toHaveLength(2)
    const doctor = await runBeside(box, ['doctor'], { THE_KEY: 'sk-another-key-0123456789' })
    expect(doctor.stdout).toMatch(/failed +generator: .*key was refused/)
    expect(doctor.stdout + doctor.stderr).not.toContain('sk-another')
  })

  test('that are not known, or lack an address, are named', async () => {
    const odd = await jsonBeside(configured({ generate: { provider: 'opanai' } }), ['status'])
    expect(JSON.stringify(odd.document)).toContain('models.generate.provider is \\"opanai\\"')
    const bare = await jsonBeside(configured({ generate: { provider: 'openai-compatible', model: 'm' } }), ['status'])
    expect(JSON.stringify(bare.document['degraded'])).toContain('models.generate.baseUrl')
  })
})
