import { createOllamaGenerator } from '@mnemark/generate-ollama'

const generator = createOllamaGenerator({ model: 'qwen3:4b', baseUrl: process.env['OLLAMA_HOST'], contextSize: 8192 })

const { text, finishReason, usage } = await generator.generate({
  system: 'Summarise the notes in one sentence.',
  prompt: 'Mara moved to Bergen in March. Peter stayed in Oslo.',
})
console.log(finishReason === 'stop' ? text : `not usable: ${finishReason}`, usage?.outputTokens)
