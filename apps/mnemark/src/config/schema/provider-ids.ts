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

export function isBuiltIn(id: string): id is ProviderId {
  return PROVIDER_IDS.some((known) => known === id)
}
