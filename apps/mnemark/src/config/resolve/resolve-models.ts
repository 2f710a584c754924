import { ConfigError } from '@mnemark/spec'
import type { ChatLink, Config, ModelServiceConfig } from '../schema/config.ts'
import { GENERATOR_IDS, RERANKER_IDS } from '../schema/provider-ids.ts'
import { show } from '../files/show-value.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { Found } from './layers.ts'
import type { ModelLink, ModelSettings } from './settings.ts'

/** The chat models and the reranker, as far as they are named. Throws ConfigError for an unknown name, or for no model. */
export function resolveModels(config: Config): ModelSettings {
  const { generate = {}, rerank = {} } = config.models ?? {}
  const custom = Object.keys(config.models?.providers ?? {})
  const links = [linkOf('models.generate', generate), ...fallbacksOf(generate.fallback)].filter((link) => link !== null)
  for (const link of links) requireKnown(link, GENERATOR_IDS, custom)
  const judge = linkOf('models.rerank', rerank)
  if (judge !== null) requireKnown(judge, RERANKER_IDS, custom)
  return {
    generate:
      links.length === 0
        ? null
        : { links, mayAsk: generate.consent ?? true, ...withoutUndefined({ dailyTokens: generate.dailyTokens }) },
    rerank: judge === null ? null : { link: judge, mayAsk: rerank.consent ?? true },
  }
}

function fallbacksOf(fallback: ChatLink | readonly ChatLink[] | undefined): readonly (ModelLink | null)[] {
  if (fallback === undefined) return []
  const list: readonly ChatLink[] = isList(fallback) ? fallback : [fallback]
  return list.map((written, index) => {
    const key = isList(fallback) ? `models.generate.fallback.${index}` : 'models.generate.fallback'
    return linkOf(key, typeof written === 'string' ? { provider: written } : written)
  })
}

/** Array.isArray does not narrow readonly arrays. */
function isList(fallback: ChatLink | readonly ChatLink[]): fallback is readonly ChatLink[] {
  return Array.isArray(fallback)
}

/** Null where nobody is named, or `none`. */
function linkOf(key: string, part: ModelServiceConfig): ModelLink | null {
  const { provider = 'none', model, baseUrl, apiKey, headers = {}, ...prices } = part
  if (provider === 'none') return null
  const found = <Value>(name: string, value: Value | undefined): Found<Value> | undefined =>
    value === undefined ? undefined : { key: `${key}.${name}`, value }
  const { usdPerMillionInput, usdPerMillionOutput, usdPerThousandQueries } = prices
  return withoutUndefined({
    id: provider,
    key,
    model,
    remote: withoutUndefined({
      baseUrl: found('baseUrl', baseUrl),
      apiKey: found('apiKey', apiKey),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { key: `${key}.headers.${name}`, value }]),
      ),
    }),
    local: {},
    prices: withoutUndefined({ usdPerMillionInput, usdPerMillionOutput, usdPerThousandQueries }),
  })
}

function requireKnown({ id, key }: ModelLink, allowed: readonly string[], custom: readonly string[]): void {
  if (allowed.includes(id) || custom.includes(id)) return
  const at = key.includes('fallback') ? key : `${key}.provider`
  const names = [...allowed, 'none', ...custom].map((name) => `"${name}"`).join(', ')
  throw new ConfigError('invalid-value', `${at} is ${show(id)}; allowed: ${names}, or a name of models.providers`)
}
