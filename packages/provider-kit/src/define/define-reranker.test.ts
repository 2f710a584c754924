import { ProviderError } from '@mnemark/spec'
import { expect, test, vi } from 'vitest'
import { defineReranker, type RawRerankReply, type RerankerDefinition } from './define-reranker.ts'

const request = { query: 'Where does Mara live?', passages: ['Mara moved to Bergen.', 'Peter likes tea.', 'Rent is due.'] }
const definition: RerankerDefinition = {
  provider: 'acme',
  endpoint: null,
  model: 'acme-rerank',
  traits: { isLocal: true },
  rerank: async ({ passages }) => ({ results: passages.map((passage) => ({ score: -passage.length })), inputTokens: 12 }),
}
const answering = (reply: RawRerankReply) => defineReranker({ ...definition, rerank: async () => reply })

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (!ProviderError.isInstance(error)) throw new TypeError('not a ProviderError', { cause: error })
  return error
}

test('scores come in the order of the passages, by position or by index', async () => {
  expect(await defineReranker(definition).rerank(request)).toEqual({ scores: [-21, -16, -12], usage: { inputTokens: 12 } })
  const results = [
    { index: 2, score: 0.1 },
    { index: 0, score: 0.9 },
    { index: 1, score: -3 },
  ]
  expect(await answering({ results }).rerank(request)).toEqual({ scores: [0.9, -3, 0.1] })
})

test.for([[[0, 1]], [[0, 1, 2, 3]], [[0, 0, 1]], [[0, 1, 3]], [[0, undefined, 2]], [[0, '1', 2]]] as const)(
  'positions %j are a bad response',
  async ([indexes]) => {
    const error = await errorOf(answering({ results: indexes.map((index) => ({ index, score: 1 })) }).rerank(request))
    expect(error).toMatchObject({ code: 'bad-response', provider: 'acme' })
  },
)

test.for([Number.NaN, Number.POSITIVE_INFINITY, null, '0.5', undefined])('a score of %s is a bad response', async (score) => {
  const results = [{ score: 1 }, { score }, { score: 0 }]
  expect(await errorOf(answering({ results }).rerank(request))).toMatchObject({ code: 'bad-response' })
})

test('no passages need no request, and what would fail is refused before it is sent', async () => {
  const rerank = vi.fn<RerankerDefinition['rerank']>(definition.rerank)
  const limits = { maxPassages: 3, maxPassageTokens: 4 }
  const reranker = defineReranker({ ...definition, rerank, limits, countTokens: (text) => text.split(' ').length })
  expect(await reranker.rerank({ ...request, passages: [] })).toEqual({ scores: [] })
  expect(await errorOf(reranker.rerank({ ...request, query: ' ' }))).toMatchObject({ code: 'invalid-input' })
  const four = ['a', 'b', 'c', 'd']
  expect(await errorOf(reranker.rerank({ ...request, passages: four }))).toMatchObject({ code: 'invalid-input' })
  const long = { ...request, passages: ['a', 'b c d e f'] }
  expect(await errorOf(reranker.rerank(long))).toMatchObject({ code: 'input-too-long', inputIndexes: [1] })
  // As a caller without types passes them.
  for (const wrong of [{ query: 1 }, { passages: 'a' }, { passages: ['a', null] }])
    await expect(reranker.rerank({ ...request, ...(wrong as object) })).rejects.toBeInstanceOf(TypeError)
  expect(rerank).not.toHaveBeenCalled()
})

test.for([
  { model: '' },
  { limits: { maxPassages: 0 } },
  { timeoutMs: -1 },
  { traits: { isLocal: false, usdPerThousandQueries: -2 } },
])('%o cannot be made', (wrong) => {
  expect(() => defineReranker({ ...definition, ...wrong })).toThrow(expect.objectContaining({ code: 'config' }))
})
