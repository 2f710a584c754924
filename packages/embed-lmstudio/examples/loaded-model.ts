import { createLMStudio, listLMStudioModels } from '@mnemark/embed-lmstudio'

const baseUrl = process.env['LM_STUDIO_URL'] ?? 'http://localhost:1234'

const models = await listLMStudioModels({ baseUrl })
const model = models.find(({ isEmbedding, isLoaded }) => isEmbedding && isLoaded) ?? models.find(({ isEmbedding }) => isEmbedding)
if (model === undefined) throw new Error('Fetch an embedding model first: lms get nomic-embed-text-v1.5')

const lmStudio = createLMStudio({ baseUrl, model: model.id, contextTokens: model.loadedContextTokens })
const { vectors } = await lmStudio.embed({
  inputs: [{ type: 'text', text: 'Deploys go through the blue cluster.' }],
  inputType: 'document',
})
console.log(`${model.id}, ${lmStudio.limits.maxInputTokens} tokens a text: ${vectors[0]?.length} numbers`)
