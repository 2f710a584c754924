import { createOllama } from '@mnemark/embed-ollama'

const provider = createOllama({ model: 'nomic-embed-text', baseUrl: process.env['OLLAMA_HOST'] })

const texts = ['Deploys go through the blue cluster.', 'Invoice numbers look like OC-41252.']
const { vectors, usage } = await provider.embed({
  inputs: texts.map((text) => ({ type: 'text', text })),
  inputType: 'document',
})
console.log(`${vectors.length} vectors of ${vectors[0]?.length} numbers, ${usage?.inputTokens ?? 'unknown'} tokens`)
