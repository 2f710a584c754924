import type { MemorySettings, Reranker } from '@mnemark/spec'

/** The most that a reranker may get for one search. */
export interface SearchCost {
  readonly passages: number
  readonly tokens: number
  /** Undefined where no price is known; 0 for a model on this machine or network. */
  readonly usd?: number
}

const TOP = 50
/** Candidates per hit, of a search for up to ten hits. */
const PER_HIT = 4
const HITS = 10
const CHUNK_TOKENS = 400
/** A question and the headings over a passage: services count the query with each passage. */
const BESIDE_TOKENS = 30

/** The most that one search for up to ten hits sends, as an estimate. */
export function searchCost(
  { traits, limits }: Pick<Reranker, 'traits' | 'limits'>,
  { reranking = {}, chunkTokens = CHUNK_TOKENS, candidateMultiplier = PER_HIT }: MemorySettings,
): SearchCost {
  const passages = Math.min(reranking.top ?? TOP, limits?.maxPassages ?? TOP, candidateMultiplier * HITS)
  const tokens = passages * (Math.min(chunkTokens, limits?.maxPassageTokens ?? chunkTokens) + BESIDE_TOKENS)
  const usd = usdOf(traits, tokens)
  return { passages, tokens, ...(usd !== undefined && { usd }) }
}

function usdOf(traits: Reranker['traits'], tokens: number): number | undefined {
  if (traits?.isLocal === true) return 0
  const { usdPerMillionInput, usdPerThousandQueries } = traits ?? {}
  if (usdPerMillionInput === undefined && usdPerThousandQueries === undefined) return undefined
  return ((usdPerMillionInput ?? 0) * tokens) / 1_000_000 + (usdPerThousandQueries ?? 0) / 1_000
}

/** In words, such as `up to 40 passages, about 17,200 tokens and $0.002 a search`. */
export function searchCostText({ passages, tokens, usd }: SearchCost): string {
  const price = usd === undefined ? ', price unknown' : usd === 0 ? ', free' : ` and $${usd.toPrecision(2)}`
  return `up to ${passages} passages, about ${tokens.toLocaleString('en')} tokens${price} a search`
}
