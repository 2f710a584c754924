import { createBedrockReranker } from '@mnemark/rerank-bedrock'

// Keys and region are found where AWS tools look, with the first call: environment, profile, role.
const reranker = createBedrockReranker({
  model: 'cohere.rerank-v3-5:0',
  baseUrl: process.env['BEDROCK_URL'],
})

const passages = ['Peter prefers tea.', 'Mara moved to Bergen in March and lives by the harbour now.']
const { scores, usage } = await reranker.rerank({ query: 'where does Mara live now?', passages })
console.log(passages[scores.indexOf(Math.max(...scores))], usage?.inputTokens)
