import * as v from 'valibot'
import type { GenerateConfig, RerankConfig } from '../config.ts'
import { between, classed, flag, headers, key, object, secret, text, whole } from '../schema-values.ts'

const service = {
  baseUrl: key(text, { means: 'another address of the service; https, or http on this machine or network' }),
  apiKey: key(secret, { means: 'comes before every other place of a key' }),
  headers: key(headers, { means: 'sent with every request' }),
}
const consent = key(flag, {
  means: '`false`: nothing is sent to it, named or not; naming it here is consent',
  default: '`true`',
})
const dailyTokens = key(whole(0), { means: 'tokens it may have in a day, at most', default: 'no limit' })
const price = between(0)
const chatModel = key(text, { means: 'the chat model' })
const prices = {
  usdPerMillionInput: key(price, {
    means: 'what a million tokens sent cost, in US dollars, for previews',
    default: "the adapter's",
  }),
  usdPerMillionOutput: key(price, { means: 'what a million tokens of answers cost', default: "the adapter's" }),
}

const link = v.union([
  v.string(),
  v.looseObject({
    provider: key(text, { means: 'as `provider` above' }),
    ...object({ model: chatModel, ...service, ...prices }).entries,
  }),
])

/** `models.generate`: the chat models for summaries, flush, proposals and reflection. */
export const generate: v.GenericSchema<unknown, GenerateConfig> = object({
  provider: classed(
    'trusted',
    key(text, {
      means:
        'who writes: `"openai"`, `"gemini"`, `"mistral"`, `"bedrock"`, `"ollama"`, `"openai-compatible"`, a name of `models.providers`, or `"none"`',
      default: '`"none"`',
    }),
    ['none'],
  ),
  model: classed('trusted', chatModel),
  ...classedAll(service),
  ...classedAll(prices),
  fallback: classed(
    'trusted',
    key(
      v.union(
        [link, v.array(link)],
        'a provider, or a list of providers or of objects such as { provider: "openai", model: "gpt-5-mini" }',
      ),
      { means: 'who writes while the provider fails, in order; an object has settings of its own', default: '`"none"`' },
    ),
    ['none'],
  ),
  dailyTokens: classed('trusted', dailyTokens, [0]),
  consent: classed('trusted', consent, [false]),
})

/** `models.rerank`: the model that reads the best candidates of a search together with the query. */
export const rerank: v.GenericSchema<unknown, RerankConfig> = object({
  provider: classed(
    'trusted',
    key(text, {
      means:
        'who judges: `"cohere"`, `"voyage"`, `"bedrock"`, `"cohere-compatible"` (any server with its `/rerank`), a name of `models.providers`, or `"none"`',
      default: '`"none"`',
    }),
    ['none'],
  ),
  model: classed('trusted', key(text, { means: 'the reranking model' })),
  ...classedAll(service),
  usdPerMillionInput: classed(
    'trusted',
    key(price, { means: 'what a million tokens sent cost, in US dollars, for previews', default: "the adapter's" }),
  ),
  usdPerThousandQueries: classed(
    'trusted',
    key(price, { means: 'what a thousand searches cost, where the service counts those', default: "the adapter's" }),
  ),
  top: classed('trusted', key(whole(2, 200), { means: 'passages judged in a search, at most', default: '`50`' })),
  timeoutMs: classed(
    'trusted',
    key(whole(1, 600_000), { means: 'how long a search waits for it; then the order without it stands', default: '`2000`' }),
  ),
  dailyTokens: classed('trusted', dailyTokens, [0]),
  consent: classed('trusted', consent, [false]),
})

function classedAll<Entries extends Record<string, v.GenericSchema>>(entries: Entries): Entries {
  const all = Object.entries(entries).map(([name, schema]) => [name, classed('trusted', schema)])
  // Safe: the mapping keeps every name and every type.
  return Object.fromEntries(all) as never
}
