/** The provider of ten lines that the README shows, and the suite its owner runs. */
import { readFileSync } from 'node:fs'
import { openaiCompatibleWire } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { expect, test } from 'vitest'
import { createAcme } from '../examples/acme.ts'

describeEmbeddingProvider('acme', {
  transport: 'http',
  create: ({ apiKey, baseUrl, fetch, set }) => createAcme({ apiKey, baseUrl, fetch, ...set }),
  wire: openaiCompatibleWire({
    model: 'acme-embed-1',
    dimensions: 1024,
    inputType: { field: 'input_type', query: 'query', document: 'passage' },
  }),
  misconfigured: [{ apiKey: '' }, { baseUrl: 'http://embeddings.acme.example' }],
  variations: { model: { model: 'acme-embed-2' }, dimensions: { dimensions: 256 }, variant: { inputType: 'symmetric' } },
  options: [{ set: { dimensions: 256 }, expect: (body) => body['dimensions'] === 256 }],
})

test('the README shows the example as it is', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/acme.ts')}\`\`\``)
})
