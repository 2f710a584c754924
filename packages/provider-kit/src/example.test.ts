import { readFileSync } from 'node:fs'
import { chatCompletionsWire, cohereLikeRerankWire } from '@mnemark/testkit'
import { describeEmbeddingProvider, describeReranker, describeTextGenerator } from '@mnemark/testkit/vitest'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAcme } from '../examples/acme.ts'
import { acmeBatch } from '../examples/acme-batch.ts'
import { acmeBatchWire } from '../examples/acme-batch-wire.ts'
import { createAcmeGenerator, createAcmeReranker } from '../examples/acme-models.ts'
import { acmeWire } from '../examples/acme-wire.ts'

describeEmbeddingProvider('the example of the README', {
  transport: 'http',
  create: ({ apiKey, baseUrl, fetch, set }) => createAcme({ apiKey, baseUrl, fetch, model: 'acme-1', jobs: acmeBatch, ...set }),
  wire: acmeBatchWire,
  misconfigured: [{ apiKey: '' }, { model: '' }, { baseUrl: 'http://api.acme.example' }, { size: -1 }],
  variations: { model: { model: 'acme-2' }, dimensions: { size: 4 }, variant: null },
  options: [{ set: { size: 4 }, expect: (body) => body['size'] === 4 }],
})

describeTextGenerator('the example of docs/models.md', {
  create: ({ apiKey, baseUrl, fetch, set }) => createAcmeGenerator({ apiKey, baseUrl, fetch, model: 'acme-chat', ...set }),
  wire: chatCompletionsWire({ formats: [] }),
  misconfigured: [{ apiKey: '' }, { model: '' }, { baseUrl: 'http://api.acme.example' }],
  options: [{ set: { model: 'acme-chat-2' }, expect: (body) => body['model'] === 'acme-chat-2' }],
})

describeReranker('the example of docs/models.md', {
  create: ({ apiKey, baseUrl, fetch, set }) => createAcmeReranker({ apiKey, baseUrl, fetch, model: 'acme-rerank', ...set }),
  wire: cohereLikeRerankWire,
  misconfigured: [{ apiKey: '' }, { model: '' }, { baseUrl: 'http://api.acme.example' }],
  options: [{ set: { model: 'acme-rerank-2' }, expect: (body) => body['model'] === 'acme-rerank-2' }],
})

test('docs/models.md shows the example as it is', () => {
  const page = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8')
  const [, example] = readFileSync(new URL('../examples/acme-models.ts', import.meta.url), 'utf8').split('/** A reranker')
  expect(page).toContain(`\`\`\`ts\n/** A reranker${example}\`\`\``)
})

test('the README shows the example as it is', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/acme.ts')}\`\`\``)
})

test('the service of the example counts its date from when it answers, not from when it was imported', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  onTestFinished(() => void vi.useRealTimers())
  const headers = acmeWire.failures['rate-limit'].map(({ reply }) => reply.headers?.['retry-after'])
  expect(headers).toContain('Tue, 01 Jan 2030 00:01:00 GMT')
})
