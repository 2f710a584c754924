import { createLocal } from '@mnemark/embed-local'

const provider = createLocal({ model: process.env['MODEL'] ?? 'hf:nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0' })

const texts = ['Deploys go through the blue cluster.', 'Invoice numbers look like OC-41252.']
const { vectors, usage } = await provider.embed({
  inputs: texts.map((text) => ({ type: 'text', text })),
  inputType: 'document',
})
console.log(`${vectors.length} vectors of ${vectors[0]?.length} numbers, ${usage?.inputTokens ?? 'unknown'} tokens`)
await provider.close?.()
