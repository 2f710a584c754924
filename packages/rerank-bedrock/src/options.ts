import type { BedrockAccessOptions } from '@mnemark/bedrock-access'
import type { Reranker } from '@mnemark/spec'
import type { BedrockRerankModelId } from './models.ts'

export interface BedrockRerankerOptions extends BedrockAccessOptions {
  /** A model, an inference profile of one, or an ARN of either. Default `cohere.rerank-v3-5:0`. */
  readonly model?: BedrockRerankModelId | undefined
  /** The known model behind a `model` whose id does not show it: an application inference profile, a newer version. */
  readonly baseModel?: BedrockRerankModelId | undefined
  /** Default: 100 passages a request, which is one query of the bill; the service takes 1,000. */
  readonly limits?: Reranker['limits'] | undefined
  /** Default: remote, unless the host is on this machine or network; the price of a known model at AWS. */
  readonly traits?: Partial<NonNullable<Reranker['traits']>> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
}
