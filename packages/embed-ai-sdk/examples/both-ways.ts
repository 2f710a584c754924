import { createOpenAI } from '@ai-sdk/openai'
import { fromAISDK, toAISDK } from '@mnemark/embed-ai-sdk'
import { guardedFetch } from '@mnemark/provider-kit'
import { embedMany } from 'ai'

const apiKey = process.env['OPENAI_API_KEY'] ?? ''
const baseURL = process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1'
const openai = createOpenAI({ apiKey, baseURL, fetch: guardedFetch(new URL(baseURL).origin) })

// An embedding model of the AI SDK as a provider.
const provider = await fromAISDK(openai.embeddingModel('text-embedding-3-small'), {
  inputType: 'symmetric',
  dimensions: 512,
  endpoint: baseURL,
  secrets: [apiKey],
})
const { vectors } = await provider.embed({
  inputs: [{ type: 'text', text: 'Deploys go through the blue cluster.' }],
  inputType: 'document',
})

// A provider, here the same one, as an embedding model of the AI SDK.
const { embeddings, usage } = await embedMany({
  model: toAISDK(provider, { inputType: 'document' }),
  values: ['Deploys go through the blue cluster.', 'قررنا تأجيل الإطلاق إلى يوم الأحد.'],
})
console.log(
  vectors.map((vector) => vector?.length),
  embeddings.map((embedding) => embedding.length),
  usage.tokens,
)
