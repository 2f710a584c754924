import { bedrockService } from '@mnemark/bedrock-access'

const model = 'amazon.titan-embed-text-v2:0'
// Keys and region are found where AWS tools look, with the first call: environment, profile, role.
const service = bedrockService('my-notes', { baseUrl: process.env['BEDROCK_URL'] }, { name: model, region: undefined })

const body = { inputText: 'Deploys go through the blue cluster.', dimensions: 256 }
const { text, inputTokens } = await service.invoke({ modelId: model, body, signal: AbortSignal.timeout(30_000) })
console.log(JSON.parse(text).embedding.length, inputTokens)
