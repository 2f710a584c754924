import { createGeminiGenerator } from '@mnemark/generate-gemini'

const generator = createGeminiGenerator({
  apiKey: process.env['GEMINI_API_KEY'] ?? '',
  baseUrl: process.env['GEMINI_BASE_URL'],
  model: 'gemini-2.5-flash',
  maxOutputTokens: 500,
  thinking: { budget: 0 },
})

const { text, finishReason, usage } = await generator.generate({
  system: 'Summarise the notes in one sentence.',
  prompt: 'Mara moved to Bergen in March. Peter stayed in Oslo.',
})
console.log(finishReason === 'stop' ? text : `not usable: ${finishReason}`, usage?.outputTokens)
