import type { BedrockAccessOptions } from '@mnemark/bedrock-access'
import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { BedrockEmbeddingModelId } from './models.ts'

/** The purpose for which Nova optimises a query. */
export type NovaQueryPurpose =
  | 'GENERIC_RETRIEVAL'
  | 'TEXT_RETRIEVAL'
  | 'IMAGE_RETRIEVAL'
  | 'VIDEO_RETRIEVAL'
  | 'DOCUMENT_RETRIEVAL'
  | 'AUDIO_RETRIEVAL'

export interface BedrockEmbeddingOptions extends BedrockAccessOptions {
  /** A model, an inference profile of one (`eu.cohere.embed-v4:0`), or an ARN of either. Default `amazon.titan-embed-text-v2:0`. */
  readonly model?: BedrockEmbeddingModelId | undefined
  /**
   * The known model behind a `model` whose id does not name it: an application inference profile, provisioned throughput, a newer
   * version.
   */
  readonly baseModel?: BedrockEmbeddingModelId | undefined
  /** The vector length to request; another length in the answer is an error. Default: the model's, not sent. */
  readonly dimensions?: number | undefined
  /**
   * The end at which a model that can may silently cut a text beyond its limit; part of the vector space. Default `none`: too
   * long a text is an error.
   */
  readonly truncate?: 'none' | 'start' | 'end' | undefined
  /** For Nova. Default `TEXT_RETRIEVAL`; `GENERIC_RETRIEVAL` where images or audio are searched as well. */
  readonly queryPurpose?: NovaQueryPurpose | undefined
  /** Default: the model's, 24 MB a request, 4 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote, unless the host is on this machine or network; vector weight 0.7; the price of a model that bills tokens. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
}
