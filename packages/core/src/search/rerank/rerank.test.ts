import { ProviderError, type Reranker } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { askedReranker } from '../../rerank/ask-reranker.ts'
import { countBest, never, sampleReranker } from '../../../test/sample-reranker.ts'
import '../../../test/loaded-engine.ts'
import { NoteSource } from '../../../test/note-source.ts'
import { openMemory, search } from '../../../test/open-notes.ts'
import { VirtualClock } from '../../../test/virtual-clock.ts'

const NOTES = {
  'plain.md': '# Plain\n\nrouter router router cellar',
  'better.md': '# Better\n\nThe router upstairs is the best choice of all, says the manual we kept.',
  'champion.md': '# Champion\n\nOf every router that was ever tried in this long house, best of the best is the old one.',
}
const USUAL = ['plain.md', 'better.md', 'champion.md']

const down = (code: ConstructorParameters<typeof ProviderError>[0] = 'unavailable'): ProviderError =>
  new ProviderError(code, 'sample (judge): it is down', { provider: 'sample' })

async function open(reranker: Reranker, options: Parameters<typeof openMemory>[1] = {}) {
  const memory = await openMemory([new NoteSource(NOTES)], { reranker, ...options })
  await memory.sync()
  return memory
}

const paths = ({ hits }: Awaited<ReturnType<typeof search>>) => hits.map(({ path }) => path)

test('the order is that of the reranker, which reads title, headings and text; the score goes with the place', async () => {
  const reranker = sampleReranker()
  const memory = await open(reranker)
  const usual = await search(memory, 'router', { overrides: { rerank: false } })
  expect(paths(usual)).toEqual(USUAL)
  expect(reranker.requests).toEqual([])
  const reply = await search(memory, 'router', { explain: true })
  expect(paths(reply)).toEqual(['champion.md', 'better.md', 'plain.md'])
  expect(reranker.requests).toMatchObject([{ query: 'router' }])
  expect(reranker.requests[0]?.passages[2]).toMatch(/^Champion\n\n# Champion\n\nOf every router/)
  expect(reply.hits.map(({ score }) => score)).toEqual(usual.hits.map(({ score }) => score))
  expect(reply.hits[0]?.explain?.rerank).toEqual({ score: 2, rank: 3, before: usual.hits[2]?.score })
  expect(reply.degraded).toEqual(usual.degraded)
  expect(reply.timing).toHaveProperty('rerank')
})

test('a hit asked for by its name keeps its lead', async () => {
  const notes = { 'router.md': 'It stands upstairs.', 'a.md': 'a router', 'b.md': 'the best router of all we had' }
  const reranker = sampleReranker()
  const memory = await openMemory([new NoteSource(notes)], { reranker })
  expect(paths(await search(memory, 'router'))).toEqual(['router.md', 'b.md', 'a.md'])
  expect(reranker.requests[0]?.passages).toHaveLength(3)
})

test('nothing is asked for lists, for searches by words alone, and where one hit or none is found', async () => {
  const reranker = sampleReranker()
  const memory = await open(reranker)
  await search(memory, 'path:*.md')
  await search(memory, '-router', { filter: { paths: ['*.md'] } })
  await search(memory, '')
  await search(memory, 'manual')
  await search(memory, 'router', { overrides: { keywordsOnly: true } })
  expect(reranker.requests).toEqual([])
  await search(memory, 'router', { overrides: { keywordsOnly: true, rerank: true } })
  expect(reranker.requests).toHaveLength(1)
})

test('only what passes the filter, and whose text may be sent, is sent; the rest keeps its place', async () => {
  const reranker = sampleReranker()
  const memory = await open(reranker, { mayEmbed: ({ path }) => path !== 'better.md' })
  const reply = await search(memory, 'router')
  expect(paths(reply)).toEqual(['champion.md', 'better.md', 'plain.md'])
  expect(reranker.requests[0]?.passages.join()).not.toContain('upstairs')
  await search(memory, 'router', { filter: { excludePaths: ['champion.md'] } })
  expect(reranker.requests).toHaveLength(1)
})

test('no more passages, and no longer ones, than its limits and the settings say', async () => {
  const reranker = sampleReranker(undefined, { limits: { maxPassages: 2, maxPassageTokens: 8 } })
  const memory = await open(reranker)
  expect(paths(await search(memory, 'router'))).toEqual(['plain.md', 'better.md', 'champion.md'])
  expect(reranker.requests[0]?.passages).toHaveLength(2)
  expect(reranker.requests[0]?.passages[1]).not.toContain('manual')
  const other = sampleReranker()
  await search(await open(other, { settings: { reranking: { top: 2 } } }), 'router')
  expect(other.requests[0]?.passages).toHaveLength(2)
})

test.each<[string, Reranker['rerank'], RegExp]>([
  ['too few scores', async () => [1], /1 scores for 3 passages/],
  ['too many scores', async () => [1, 2, 3, 4], /4 scores for 3 passages/],
  ['a score that is no number', async () => ({ scores: [1, Number.NaN, 3] }), /no finite number/],
  ['no list', async () => Object({ ranking: [] }), /no list of scores/],
  ['a refused key', async () => Promise.reject(down('auth')), /it is down/],
  ['an error of any kind', async () => Promise.reject(new TypeError('note text')), /no ProviderError/],
])('%s: the usual order stands, and the reply says why', async (_, answer, words) => {
  const memory = await open(sampleReranker(answer))
  const reply = await search(memory, 'router')
  expect(paths(reply)).toEqual(USUAL)
  expect(reply.hits[0]?.explain).toBeUndefined()
  const told = reply.degraded.filter(({ code }) => code === 'rerank-skipped')
  expect(told).toEqual([{ code: 'rerank-skipped', message: expect.stringMatching(words) }])
  expect(told[0]?.message).not.toContain('note text')
})

test('a slow one is waited for 2,000 ms, and then rests: the next search does not wait', async () => {
  const clock = new VirtualClock()
  const reranker = sampleReranker(never)
  const memory = await open(reranker, { now: clock.now, sleep: clock.sleep })
  const before = clock.now()
  const reply = await clock.run(search(memory, 'router'))
  expect([clock.now() - before, paths(reply)]).toEqual([2_000, USUAL])
  expect(reply.degraded).toContainEqual({
    code: 'rerank-skipped',
    message: expect.stringContaining('no scores within 2000 ms'),
  })
  const next = await clock.run(search(memory, 'router'))
  expect(next.degraded.find(({ code }) => code === 'rerank-skipped')?.message).toContain('tried again later')
  expect([clock.now() - before, reranker.requests.length]).toEqual([2_000, 1])
  clock.pass(31_000)
  await clock.run(search(memory, 'router'))
  expect(reranker.requests).toHaveLength(2)
})

test('one retry, inside the time limit', async () => {
  const clock = new VirtualClock()
  const reranker = sampleReranker(async ({ passages }, call) => {
    if (call === 1) throw down()
    return passages.map(countBest)
  })
  const memory = await open(reranker, { now: clock.now, sleep: clock.sleep })
  expect(paths(await clock.run(search(memory, 'router')))[0]).toBe('champion.md')
  expect(reranker.requests).toHaveLength(2)
  const dead = sampleReranker(async () => Promise.reject(down()))
  await clock.run(search(await open(dead, { now: clock.now, sleep: clock.sleep }), 'router'))
  expect(dead.requests).toHaveLength(2)
})

test("the caller's signal ends the wait, and says nothing about the reranker", async () => {
  const controller = new AbortController()
  const reranker = sampleReranker((request, call) => {
    if (call > 1) return Promise.resolve(request.passages.map(countBest))
    controller.abort(new Error('enough'))
    return never(request)
  })
  const memory = await open(reranker)
  await expect(search(memory, 'router', { signal: controller.signal })).rejects.toThrow('enough')
  expect(paths(await search(memory, 'router'))[0]).toBe('champion.md')
})

test('tokens of a day: over the limit nothing is sent, and another memory on the store counts on', async () => {
  const store = createInMemoryStore()
  const usage = { usage: { inputTokens: 990 } }
  const reranker = sampleReranker(async ({ passages }) => ({ scores: passages.map(countBest), ...usage }))
  const memory = await open(reranker, { store, settings: { reranking: { dailyTokens: 1_000 } } })
  await search(memory, 'router')
  const reply = await search(memory, 'router')
  expect(paths(reply)).toEqual(USUAL)
  expect(reply.degraded).toContainEqual({ code: 'budget-reached', message: expect.stringContaining('1000 tokens a day') })
  expect(reranker.requests).toHaveLength(1)
  const other = await open(reranker, { store, settings: { reranking: { dailyTokens: 1_000 } } })
  await search(other, 'router')
  expect(reranker.requests).toHaveLength(1)
  expect((await memory.status()).details['reranker']).toMatchObject({ provider: 'sample', model: 'judge', isHealthy: true })
})

test('tokens of a day: scores that cannot be used count, a request that failed does not', async () => {
  const used: number[] = []
  const allowance = { limit: 1_000, take: async () => true, settle: (_taken: number, tokens: number) => used.push(tokens) }
  const question = { query: 'router', passages: ['plain words', 'more words'] }
  await askedReranker(
    sampleReranker(async () => []),
    { timeoutMs: 1_000, allowance },
  ).ask(question)
  await askedReranker(
    sampleReranker(() => Promise.reject(down('auth'))),
    { timeoutMs: 1_000, allowance },
  ).ask(question)
  const [unusable = 0, failed] = used
  expect(unusable).toBeGreaterThan(0)
  expect(failed).toBe(0)
})

test('what is no reranker is refused at once', async () => {
  await expect(openMemory([new NoteSource({})], { reranker: Object({ model: 'x' }) })).rejects.toThrow(
    'rerank must be a function',
  )
  const settings = { reranking: { top: 1 } }
  await expect(openMemory([new NoteSource({})], { settings })).rejects.toThrow('reranking.top')
})
