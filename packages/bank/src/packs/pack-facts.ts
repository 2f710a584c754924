/** Something to hand to a model, with its place in the ranking given by its place in the list. */
export interface Packable {
  /** Citation. */
  readonly source: string
  /** Equal where two say the same; see `statementKey`. */
  readonly statement: string
  /** Equal where two lines are one origin; see `originKey`. */
  readonly origin: string
  /** The length of its text, without metadata. */
  readonly tokens: number
  /** Closed by another fact: comes with `withHistory` alone, or below what replaced it. */
  readonly isClosed: boolean
}

export interface PackOptions {
  /** Most tokens of text; 0 asks for nothing. */
  readonly budgetTokens: number
  /** Most facts; absent = as many as fit. */
  readonly limit?: number | undefined
  /** Every line, closed ones and further ones of the same origin included. */
  readonly withHistory?: boolean | undefined
}

export type DropReason = 'budget' | 'limit' | 'same-origin' | 'superseded'

export interface Pack<Item> {
  /** Distinct statements first, in their order, then further origins of statements that are in. */
  readonly items: readonly Item[]
  readonly dropped: readonly { readonly source: string; readonly why: DropReason }[]
  /** True where nothing fitted and the best one came whole. */
  readonly isOverBudget: boolean
  readonly tokens: number
}

/**
 * Chooses what fits: what does not fit is skipped and never ends the packing, and where nothing fits the best one comes
 * whole. A budget of 0 gives an empty pack. Throws RangeError for a budget or a limit that is no whole number from 0.
 */
export function packFacts<Item extends Packable>(ranked: readonly Item[], options: PackOptions): Pack<Item> {
  const { budgetTokens, limit = Number.MAX_SAFE_INTEGER } = options
  assertWhole('budgetTokens', budgetTokens)
  assertWhole('limit', limit)
  const { candidates, dropped } = inPackingOrder(ranked, options.withHistory === true)
  const items: Item[] = []
  let tokens = 0
  for (const item of candidates) {
    const isWithinLimit = items.length < limit
    if (isWithinLimit && tokens + item.tokens <= budgetTokens) {
      items.push(item)
      tokens += item.tokens
    } else dropped.push({ source: item.source, why: isWithinLimit ? 'budget' : 'limit' })
  }
  const [best] = candidates
  if (items.length > 0 || best === undefined || budgetTokens === 0 || limit === 0)
    return { items, dropped, isOverBudget: false, tokens }
  const others = dropped.filter((_, at) => at !== dropped.length - candidates.length)
  return { items: [best], dropped: others, isOverBudget: true, tokens: best.tokens }
}

function assertWhole(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be a whole number from 0, got ${value}.`)
}

interface PackingOrder<Item> {
  readonly candidates: readonly Item[]
  readonly dropped: { readonly source: string; readonly why: DropReason }[]
}

/** The best line of each statement, then further origins; a copy is a further origin of nothing. */
function inPackingOrder<Item extends Packable>(ranked: readonly Item[], withHistory: boolean): PackingOrder<Item> {
  const origins = new Map<string, Set<string>>()
  const [first, further]: [Item[], Item[]] = [[], []]
  const dropped: PackingOrder<Item>['dropped'] = []
  for (const item of ranked) {
    const known = origins.get(item.statement)
    if (item.isClosed && !withHistory) dropped.push({ source: item.source, why: 'superseded' })
    else if (known === undefined) {
      origins.set(item.statement, new Set([item.origin]))
      first.push(item)
    } else if (!withHistory && (known.has(item.origin) || item.origin === 'copy'))
      dropped.push({ source: item.source, why: 'same-origin' })
    else {
      known.add(item.origin)
      further.push(item)
    }
  }
  return { candidates: [...first, ...further], dropped }
}
