import { createCohereCompatibleReranker } from '@mnemark/rerank-cohere-compatible'

const reranker = createCohereCompatibleReranker({
  apiKey: process.env['RERANK_API_KEY'],
  baseUrl: process.env['RERANK_BASE_URL'] ?? 'https://api.jina.ai/v1',
  model: 'jina-reranker-v2-base-multilingual',
})

const passages = ['Peter prefers tea.', 'Mara moved to Bergen in March and lives by the harbour now.']
const { scores, usage } = await reranker.rerank({ query: 'where does Mara live now?', passages })
console.log(passages[scores.indexOf(Math.max(...scores))], usage?.inputTokens)
