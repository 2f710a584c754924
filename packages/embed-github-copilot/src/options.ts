import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { GitHubCopilotEmbeddingModelId } from './models.ts'

export interface GitHubCopilotEmbeddingOptions {
  /** The OAuth token of a login to GitHub (`gho_…`, `ghu_…`) whose account has a Copilot seat. Other kinds are refused by the service. */
  readonly githubToken: string
  /** Default `text-embedding-3-small`. */
  readonly model?: GitHubCopilotEmbeddingModelId | undefined
  /** The vector length to request; another length in the answer is an error. Default: the model's, not sent. */
  readonly dimensions?: number | undefined
  /** The address of Copilot itself; https, or plain http on this machine or network. Default: the one GitHub names with the token. */
  readonly baseUrl?: string | undefined
  /** Where tokens come from. Default `https://api.github.com`; `https://api.TENANT.ghe.com` for companies with their own. */
  readonly githubUrl?: string | undefined
  /** Sent with every request to Copilot, in place of those with the same name that say who asks; not `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: 256 inputs a request, 8,192 tokens an input, 2 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote, unless `baseUrl` is on this machine or network; vector weight 0.7; no price, since the seat pays. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a call as `unavailable`, an exchange of tokens included. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  /** Used for GitHub and for Copilot. */
  readonly fetch?: typeof fetch | undefined
  /** The time in milliseconds, by which tokens expire. Default `Date.now`. */
  readonly nowMs?: (() => number) | undefined
}
