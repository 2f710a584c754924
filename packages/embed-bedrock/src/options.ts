import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { BedrockEmbeddingModelId } from './models.ts'

export interface BedrockCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Set for temporary credentials. */
  readonly sessionToken?: string | undefined
  /** A function is called again before this time. */
  readonly expiration?: Date | undefined
}

/** The purpose for which Nova optimises a query. */
export type NovaQueryPurpose =
  | 'GENERIC_RETRIEVAL'
  | 'TEXT_RETRIEVAL'
  | 'IMAGE_RETRIEVAL'
  | 'VIDEO_RETRIEVAL'
  | 'DOCUMENT_RETRIEVAL'
  | 'AUDIO_RETRIEVAL'

export interface BedrockEmbeddingOptions {
  /** A model, an inference profile of one (`eu.cohere.embed-v4:0`), or an ARN of either. Default `amazon.titan-embed-text-v2:0`. */
  readonly model?: BedrockEmbeddingModelId | undefined
  /**
   * The known model behind a `model` whose id does not name it: an application inference profile, provisioned throughput, a newer
   * version.
   */
  readonly baseModel?: BedrockEmbeddingModelId | undefined
  /**
   * Default: the one in the ARN or the host; else, with the first request, AWS_REGION, the profile's, AWS_DEFAULT_REGION. There is no
   * other default.
   */
  readonly region?: string | undefined
  /**
   * Keys, or a function that gets them, called with the first request and again when they end. Default: with the first request, where
   * AWS tools look, in their order: AWS_BEARER_TOKEN_BEDROCK, environment or profile (SSO, roles, processes), web identity, container.
   */
  readonly credentials?: BedrockCredentials | (() => Promise<BedrockCredentials>) | undefined
  /** An API key of Bedrock, in place of credentials. */
  readonly apiKey?: string | undefined
  /** A profile of the shared AWS files, in place of credentials; the environment's keys are then ignored. */
  readonly profile?: string | undefined
  /** True to ask the metadata service of an EC2 machine for credentials if nothing else has any. Default false. */
  readonly instanceMetadata?: boolean | undefined
  /** A private, FIPS or proxy endpoint. Default: the service's own in the region. AWS_ENDPOINT_URL is ignored. */
  readonly baseUrl?: string | undefined
  /** The vector length to request; another length in the answer is an error. Default: the model's, not sent. */
  readonly dimensions?: number | undefined
  /**
   * The end at which a model that can may silently cut a text beyond its limit; part of the vector space. Default `none`: too
   * long a text is an error.
   */
  readonly truncate?: 'none' | 'start' | 'end' | undefined
  /** For Nova. Default `TEXT_RETRIEVAL`; `GENERIC_RETRIEVAL` where images or audio are searched as well. */
  readonly queryPurpose?: NovaQueryPurpose | undefined
  /** Sent with every request, not signed. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the model's, 24 MB a request, 4 requests at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote, unless the host is on this machine or network; vector weight 0.7; the price of a model that bills tokens. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the connection end it. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}
