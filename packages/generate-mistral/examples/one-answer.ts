import { createMistralGenerator } from '@mnemark/generate-mistral'

const generator = createMistralGenerator({
  apiKey: process.env['MISTRAL_API_KEY'] ?? '',
  baseUrl: process.env['MISTRAL_BASE_URL'],
  model: 'mistral-small-latest',
  maxOutputTokens: 500,
})

const { text, finishReason, usage } = await generator.generate({
  system: 'Summarise the notes in one sentence.',
  prompt: 'Mara moved to Bergen in March. Peter stayed in Oslo.',
})
console.log(finishReason === 'stop' ? text : `not usable: ${finishReason}`, usage?.outputTokens)
