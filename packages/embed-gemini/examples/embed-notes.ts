import { createGemini } from '@mnemark/embed-gemini'

const provider = createGemini({
  apiKey: process.env['GEMINI_API_KEY'] ?? '',
  baseUrl: process.env['GEMINI_BASE_URL'],
  dimensions: 768,
})

const texts = ['Deploys go through the blue cluster.', 'Invoice numbers look like OC-41252.']
const { vectors, usage } = await provider.embed({
  inputs: texts.map((text) => ({ type: 'text', text })),
  inputType: 'document',
})
console.log(`${vectors.length} vectors of ${vectors[0]?.length} numbers, ${usage?.inputTokens ?? 'unknown'} tokens`)
