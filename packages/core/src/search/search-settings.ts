import { ConfigError, type MemorySettings, type SearchQuery } from '@mnemark/spec'

/** Settings of one search: the query's overrides over the memory's settings over the defaults. */
export interface SearchSettings {
  readonly limit: number
  readonly pool: number
  readonly minScore: number
  readonly mmr: { readonly enabled: boolean; readonly lambda: number }
  readonly temporalDecay: { readonly enabled: boolean; readonly halfLifeDays: number }
  readonly fusion: 'weighted' | 'rrf'
  /** Undefined = the embedder's default. */
  readonly vectorWeight: number | undefined
  readonly vectorsOnly: boolean
  readonly keywordsOnly: boolean
  /** Whether a reranker may be asked, and for how many candidates. */
  readonly rerank: boolean
  readonly rerankTop: number
  readonly citations: 'on' | 'off' | 'auto'
  /** IANA name; undefined = the system's, which is read only where days are counted: that costs 20 ms. */
  readonly timeZone: string | undefined
  /** A language tag; undefined = the system's, read only where translations were found. */
  readonly language: string | undefined
}

const MAX_LIMIT = 100
const MAX_POOL = 200

function checked(
  name: string,
  value: number,
  range: { readonly from: number; readonly to: number; readonly isWhole?: boolean },
): number {
  const isRight =
    typeof value === 'number' && value >= range.from && value <= range.to && (!range.isWhole || Number.isInteger(value))
  if (isRight) return value
  const kind = range.isWhole ? 'a whole number' : 'a number'
  throw new ConfigError(
    'invalid-value',
    `${name}: expected ${kind} from ${range.from} to ${range.to}, got ${JSON.stringify(value)}`,
  )
}

/** Throws ConfigError for any other order. */
function checkDateOrder({ dateOrder }: MemorySettings): void {
  if (dateOrder === undefined || dateOrder === 'dmy' || dateOrder === 'mdy') return
  throw new ConfigError('invalid-value', `dateOrder: expected "dmy" or "mdy", got ${JSON.stringify(dateOrder)}`)
}

function checkReranking({ reranking = {} }: MemorySettings): void {
  const { timeoutMs, dailyTokens } = reranking
  if (timeoutMs !== undefined) checked('reranking.timeoutMs', timeoutMs, { from: 1, to: 600_000 })
  if (dailyTokens !== undefined) checked('reranking.dailyTokens', dailyTokens, { from: 0, to: Number.MAX_SAFE_INTEGER })
}

export function checkLimit(limit: number): number {
  return checked('limit', limit, { from: 1, to: MAX_LIMIT, isWhole: true })
}

/** One pool for every limit up to 10, so that their results are beginnings of one list. */
export function poolOf(limit: number, candidateMultiplier: number): number {
  return Math.min(MAX_POOL, Math.ceil(candidateMultiplier * Math.max(limit, 10)))
}

function checkedFusion(fusion: SearchSettings['fusion']): SearchSettings['fusion'] {
  if (fusion === 'weighted' || fusion === 'rrf') return fusion
  throw new ConfigError('invalid-value', `fusion: expected "weighted" or "rrf", got ${JSON.stringify(fusion)}`)
}

/** Throws ConfigError `invalid-value` naming the setting, its value and what is allowed. */
export function searchSettings(query: Pick<SearchQuery, 'limit' | 'overrides'>, settings: MemorySettings): SearchSettings {
  const overrides = query.overrides ?? {}
  checkDateOrder(settings)
  checkReranking(settings)
  const limit = checkLimit(query.limit ?? settings.maxResults ?? 6)
  const multiplier = checked('candidateMultiplier', settings.candidateMultiplier ?? 4, { from: 1, to: 100 })
  const mmr = { enabled: false, lambda: 0.7, ...settings.mmr, ...overrides.mmr }
  const vectorWeight = overrides.vectorWeight ?? settings.vectorWeight
  const decay = { enabled: false, halfLifeDays: 30, ...settings.temporalDecay, ...overrides.temporalDecay }
  return {
    limit,
    pool: poolOf(limit, multiplier),
    minScore: checked('minScore', overrides.minScore ?? settings.minScore ?? 0.35, { from: 0, to: 1 }),
    mmr: { enabled: mmr.enabled, lambda: checked('mmr.lambda', mmr.lambda, { from: 0, to: 1 }) },
    temporalDecay: {
      enabled: decay.enabled,
      halfLifeDays: checked('temporalDecay.halfLifeDays', decay.halfLifeDays, { from: 0.001, to: 100_000 }),
    },
    fusion: checkedFusion(overrides.fusion ?? settings.fusion ?? 'weighted'),
    vectorWeight: vectorWeight === undefined ? undefined : checked('vectorWeight', vectorWeight, { from: 0, to: 1 }),
    vectorsOnly: settings.vectorsOnly ?? false,
    keywordsOnly: overrides.keywordsOnly ?? settings.keywordsOnly ?? false,
    // Whoever asks for words alone wants nothing sent; a memory without vectors may have a reranker all the same.
    rerank: overrides.rerank ?? (overrides.keywordsOnly === true ? false : (settings.rerank ?? true)),
    rerankTop: checked('reranking.top', settings.reranking?.top ?? 50, { from: 2, to: MAX_POOL, isWhole: true }),
    citations: settings.citations ?? 'auto',
    timeZone: settings.timeZone,
    language: settings.language,
  }
}
