import { createOpenAI } from '@mnemark/embed-openai'

const openai = createOpenAI({
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
  baseUrl: process.env['OPENAI_BASE_URL'],
  model: 'text-embedding-3-small',
  dimensions: 512,
})

const { vectors, usage } = await openai.embed({
  inputs: [
    { type: 'text', text: 'Deploys go through the blue cluster.' },
    { type: 'text', text: 'قررنا تأجيل الإطلاق إلى يوم الأحد.' },
  ],
  inputType: 'document',
})
console.log(
  vectors.map((vector) => vector?.length),
  usage?.inputTokens,
)
