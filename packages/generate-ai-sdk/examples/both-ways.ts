import { createOpenAI } from '@ai-sdk/openai'
import { fromAISDK, toAISDK } from '@mnemark/generate-ai-sdk'
import { guardedFetch, limitedFetch } from '@mnemark/provider-kit'
import { generateText } from 'ai'

const apiKey = process.env['OPENAI_API_KEY'] ?? ''
const baseURL = process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1'
const openai = createOpenAI({ apiKey, baseURL, fetch: limitedFetch(guardedFetch(new URL(baseURL).origin)) })

// A language model of the AI SDK as a text generator.
const generator = fromAISDK(openai.chat('gpt-4.1-mini'), { endpoint: baseURL, secrets: [apiKey], maxOutputTokens: 500 })
const { text, finishReason } = await generator.generate({
  system: 'Summarise the notes in one sentence.',
  prompt: 'Mara moved to Bergen in March. Peter stayed in Oslo.',
})
console.log(finishReason === 'stop' ? text : `not usable: ${finishReason}`)

// A text generator, here the same one, as a language model of the AI SDK.
const answer = await generateText({ model: toAISDK(generator), prompt: 'Who moved to Bergen?' })
console.log(answer.text, answer.usage.outputTokens)
