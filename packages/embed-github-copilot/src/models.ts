/** Embedding models behind GitHub Copilot, 2026-11. GitHub documents none; these are the ones public clients request. */

export interface GitHubCopilotEmbeddingModel {
  /** The default length of the vectors; the longest there is. */
  readonly dimensions: number
}

type KnownModelId = 'text-embedding-3-small'

export const GITHUB_COPILOT_EMBEDDING_MODELS: Readonly<Record<KnownModelId, GitHubCopilotEmbeddingModel>> = {
  'text-embedding-3-small': { dimensions: 1536 },
}

/** The known model, for editors; any other name is passed on unchanged. */
export type GitHubCopilotEmbeddingModelId = KnownModelId | (string & {})

/** The limits of GitHub's own editor, used where the service states none. */
export const GITHUB_COPILOT_LIMITS = { maxInputs: 256, maxInputTokens: 8192, concurrency: 2 } as const

export function knownModel(id: string): GitHubCopilotEmbeddingModel | undefined {
  return Object.entries(GITHUB_COPILOT_EMBEDDING_MODELS).find(([name]) => name === id)?.[1]
}
