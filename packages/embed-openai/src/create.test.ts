import { openAIWire } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { createOpenAI } from './create.ts'

describeEmbeddingProvider('openai', {
  transport: 'http',
  create: ({ set, ...setup }) => createOpenAI({ ...setup, ...set }),
  wire: openAIWire,
  misconfigured: [
    { apiKey: undefined },
    { apiKey: ' ' },
    { apiKey: '${OPENAI_API_KEY}' },
    { baseUrl: 'http://api.openai.com/v1' },
    { baseUrl: 'https://user:secret@api.openai.com' },
    { model: '' },
    { dimensions: 0.5 },
    { dimensions: 1537 },
    { model: 'text-embedding-ada-002', dimensions: 512 },
    { timeoutMs: -1 },
  ],
  variations: { model: { model: 'text-embedding-3-large' }, dimensions: { dimensions: 256 }, variant: null },
  options: [
    { set: { dimensions: 256 }, expect: (body) => body['dimensions'] === 256 },
    { set: { model: 'text-embedding-3-large' }, expect: (body) => body['model'] === 'text-embedding-3-large' },
    { set: { user: 'someone' }, expect: (body) => body['user'] === 'someone' },
    { set: { organization: 'org-1' }, expect: (_, { headers }) => headers['openai-organization'] === 'org-1' },
    { set: { project: 'proj-1' }, expect: (_, { headers }) => headers['openai-project'] === 'proj-1' },
    { set: { headers: { 'X-Team': 'notes' } }, expect: (_, { headers }) => headers['x-team'] === 'notes' },
  ],
})
