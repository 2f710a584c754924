import { configError } from '@mnemark/provider-kit'

export interface BedrockRerankModel {
  /** For 100 passages of 512 tokens with the query; more of either count as further queries. */
  readonly usdPerThousandQueries: number
  /** Fields of its request beside query and documents. */
  readonly fields: Readonly<Record<string, unknown>>
}

type KnownModelId = 'cohere.rerank-v3-5:0' | 'amazon.rerank-v1:0'
export type BedrockRerankModelId = KnownModelId | (string & {})

/** 2026-11: https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-supported.html, https://aws.amazon.com/bedrock/pricing/ (us-west-2). */
export const BEDROCK_RERANK_MODELS: Readonly<Record<KnownModelId, BedrockRerankModel>> = {
  'cohere.rerank-v3-5:0': { usdPerThousandQueries: 2, fields: { api_version: 2 } },
  'amazon.rerank-v1:0': { usdPerThousandQueries: 1, fields: {} },
}

// The keys of the table are its ids.
const NAMES = Object.keys(BEDROCK_RERANK_MODELS) as readonly KnownModelId[]

/** The rules of a model, its inference profiles and its ARNs, or else of `baseModel`. Throws `config` if neither names a known model. */
export function rulesOf(provider: string, id: string, baseModel: string | undefined): BedrockRerankModel {
  const named = knownName(id) ?? (baseModel === undefined ? undefined : knownName(baseModel))
  if (named !== undefined) return BEDROCK_RERANK_MODELS[named]
  throw configError(
    provider,
    'model does not say which reranker it is',
    `Use one of ${NAMES.join(', ')}, or say in baseModel which of them it is or behaves like.`,
  )
}

/** The known name at the end of an id, after an ARN or the region of a profile; `cohere.rerank-v3-5` is `cohere.rerank-v3-5:0`. */
function knownName(id: string): KnownModelId | undefined {
  const [, vendor, model] = /(?:^|[./])([a-z0-9]+)\.([a-z0-9-]+(?::\d+)?)$/.exec(id.trim()) ?? []
  return NAMES.find((name) => name === `${vendor}.${model}` || name === `${vendor}.${model}:0`)
}
