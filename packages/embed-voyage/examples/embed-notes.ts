import { createVoyage } from '@mnemark/embed-voyage'

const voyage = createVoyage({
  apiKey: process.env['VOYAGE_API_KEY'] ?? '',
  baseUrl: process.env['VOYAGE_BASE_URL'],
  model: 'voyage-4-lite',
  dimensions: 512,
})

const notes = ['Deploys go through the blue cluster.', 'قررنا تأجيل الإطلاق إلى يوم الأحد.']
const { vectors, usage } = await voyage.embed({
  inputs: notes.map((text) => ({ type: 'text', text })),
  inputType: 'document',
})
console.log(`${vectors.length} vectors of ${vectors[0]?.length} numbers, ${usage?.inputTokens ?? 'unknown'} tokens`)
