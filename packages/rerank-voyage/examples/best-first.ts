import { createVoyageReranker } from '@mnemark/rerank-voyage'

const reranker = createVoyageReranker({
  apiKey: process.env['VOYAGE_API_KEY'] ?? '',
  baseUrl: process.env['VOYAGE_BASE_URL'],
  model: 'rerank-2.5-lite',
})

const passages = ['Peter prefers tea.', 'Mara moved to Bergen in March and lives by the harbour now.']
const { scores, usage } = await reranker.rerank({ query: 'where does Mara live now?', passages })
console.log(passages[scores.indexOf(Math.max(...scores))], usage?.inputTokens)
