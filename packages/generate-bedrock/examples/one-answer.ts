import { createBedrockGenerator } from '@mnemark/generate-bedrock'

// Keys and region are found where AWS tools look, with the first call: environment, profile, role.
const generator = createBedrockGenerator({
  model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  baseUrl: process.env['BEDROCK_URL'],
  maxOutputTokens: 500,
})

const { text, finishReason, usage } = await generator.generate({
  system: 'Summarise the notes in one sentence.',
  prompt: 'Mara moved to Bergen in March. Peter stayed in Oslo.',
})
console.log(finishReason === 'stop' ? text : `not usable: ${finishReason}`, usage?.outputTokens)
