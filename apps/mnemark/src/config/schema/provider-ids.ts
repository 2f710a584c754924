/** The providers that come with Mnemark. */
export const PROVIDER_IDS = [
  'local',
  'openai',
  'gemini',
  'voyage',
  'mistral',
  'bedrock',
  'ollama',
  'lmstudio',
  'github-copilot',
  'openai-compatible',
] as const
export type ProviderId = (typeof PROVIDER_IDS)[number]

/** The chat models and the rerankers that come with Mnemark. */
export const GENERATOR_IDS = ['openai', 'gemini', 'mistral', 'bedrock', 'ollama', 'openai-compatible'] as const
export type GeneratorId = (typeof GENERATOR_IDS)[number]
export const RERANKER_IDS = ['cohere', 'voyage', 'bedrock', 'cohere-compatible'] as const
export type RerankerId = (typeof RERANKER_IDS)[number]

export function isBuiltIn(id: string): id is ProviderId {
  return PROVIDER_IDS.some((known) => known === id)
}
