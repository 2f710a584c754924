import { createMistral } from '@mnemark/embed-mistral'

const mistral = createMistral({
  apiKey: process.env['MISTRAL_API_KEY'] ?? '',
  baseUrl: process.env['MISTRAL_BASE_URL'],
  model: 'codestral-embed',
  dimensions: 512,
})

const notes = ['Deploys go through the blue cluster.', 'قررنا تأجيل الإطلاق إلى يوم الأحد.']
const { vectors, usage } = await mistral.embed({
  inputs: notes.map((text) => ({ type: 'text', text })),
  inputType: 'document',
})
console.log(`${vectors.length} vectors of ${vectors[0]?.length} numbers, ${usage?.inputTokens ?? 'unknown'} tokens`)
