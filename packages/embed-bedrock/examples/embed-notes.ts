import { createBedrock } from '@mnemark/embed-bedrock'

// Keys and region are found where AWS tools look, with the first call: environment, profile, role.
const bedrock = createBedrock({
  model: 'cohere.embed-multilingual-v3',
  baseUrl: process.env['BEDROCK_URL'],
})

const { vectors, usage } = await bedrock.embed({
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
