export { createGitHubCopilot } from './create.ts'
export { GITHUB_COPILOT_EMBEDDING_MODELS } from './models.ts'
export type { GitHubCopilotEmbeddingModel, GitHubCopilotEmbeddingModelId } from './models.ts'
export type { GitHubCopilotEmbeddingOptions } from './options.ts'
