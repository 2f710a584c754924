import { type BedrockReply, bedrockService, regionOfModel } from '@mnemark/bedrock-access'
import {
  type DefinedReranker,
  defineReranker,
  failureError,
  fieldsOf,
  freezeOptions,
  type RawRerankReply,
  requireText,
} from '@mnemark/provider-kit'
import { rulesOf } from './models.ts'
import type { BedrockRerankerOptions } from './options.ts'

const ID = 'bedrock'
/** As many passages as are billed as one query. */
const DEFAULT_LIMITS = { maxPassages: 100 }

/**
 * A reranker on the models of Amazon Bedrock, through the AWS SDK. The first call loads the SDK and looks for credentials and region.
 * Throws a `config` error at once for a model whose form is not known, and for invalid settings.
 */
export function createBedrockReranker(given: BedrockRerankerOptions = {}): DefinedReranker {
  const options = freezeOptions(given)
  const model = requireText(ID, 'model', options.model ?? 'cohere.rerank-v3-5:0')
  const region = regionOfModel(ID, model)
  const { fields, usdPerThousandQueries } = rulesOf(ID, model, options.baseModel)
  const service = bedrockService(ID, options, { name: model, region })
  return defineReranker({
    provider: ID,
    endpoint: service.endpoint,
    model,
    traits: { isLocal: service.isLocal, ...(service.isAws ? { usdPerThousandQueries } : {}), ...options.traits },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    secrets: service.secrets,
    timeoutMs: options.timeoutMs,
    rerank: async ({ query, passages, signal }) => {
      // Every score is wanted.
      const body = { ...fields, query, documents: passages, top_n: passages.length }
      return readReply(await service.invoke({ modelId: model, body, signal }))
    },
  })
}

function readReply({ text, inputTokens }: BedrockReply): RawRerankReply {
  const { results } = parsed(text)
  if (!Array.isArray(results)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named results' })
  return {
    results: results.map((entry) => {
      const { index, relevance_score: score } = fieldsOf(entry)
      return { index, score }
    }),
    inputTokens,
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw failureError({ code: 'bad-response', summary: 'the answer is not JSON' })
  }
}
