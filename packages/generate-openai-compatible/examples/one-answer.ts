import { createOpenAICompatibleGenerator } from '@mnemark/generate-openai-compatible'

const generator = createOpenAICompatibleGenerator({
  apiKey: process.env['OPENAI_API_KEY'],
  baseUrl: process.env['OPENAI_BASE_URL'],
  model: 'gpt-5-mini',
  maxOutputTokens: 500,
})

const { text, finishReason, usage } = await generator.generate({
  system: 'Summarise the notes in one sentence.',
  prompt: 'Mara moved to Bergen in March. Peter stayed in Oslo.',
})
console.log(finishReason === 'stop' ? text : `not usable: ${finishReason}`, usage?.outputTokens)
