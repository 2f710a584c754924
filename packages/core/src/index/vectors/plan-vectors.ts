import type { MemoryStore } from '@mnemark/spec'
import type { ChainLink } from '../../embed/chain/chain.ts'
import { usdFor } from '../../embed/price.ts'
import { measureFor } from '../../embed/input/measure-input.ts'
import { chunkInput } from '../chunk-input.ts'
import { missingInputs } from './missing-inputs.ts'
import type { PreparedDocument } from '../documents/prepare-document.ts'
import { withSnapshot } from '../with-snapshot.ts'

/** Hashes in one look-up. */
const PAGE = 512
/** No store knows this space: every input is missing from it. */
const NO_SPACE = ''

export interface PlannedVectors {
  /** Tokens as the provider counts, else estimated. */
  readonly tokens: number
  /** Undefined where the provider has no price. */
  readonly usd: number | undefined
  /** Price in batch jobs; absent where the provider runs none, or states none. */
  readonly usdByBatch?: number
}

/**
 * Plans the embedding of a sync by one link: the texts of documents it would write, and those that wait in the store.
 * Sends nothing.
 */
export class VectorPlan {
  readonly #link: ChainLink
  readonly #isAgain: boolean
  readonly #measure: (text: string) => number
  /** Tokens by hash of input. */
  readonly #wanted = new Map<string, number>()

  /** `isAgain`: existing vectors of the space are embedded again. */
  constructor(link: ChainLink, isAgain = false) {
    this.#link = link
    this.#isAgain = isAgain
    this.#measure = measureFor(link.provider).tokens
  }

  add({ document, chunks }: PreparedDocument): void {
    for (const { chunk } of chunks) {
      const [hash] = chunk.inputs
      if (hash !== undefined) this.#wanted.set(hash, this.#measure(chunkInput(chunk, document.title).text))
    }
  }

  async finish(store: MemoryStore): Promise<PlannedVectors> {
    const tokens = await this.#tokens(store)
    const usd = usdFor(this.#link.provider, tokens)
    const factor = this.#link.provider.batch?.priceFactor
    return { tokens, usd, ...(usd === undefined || factor === undefined ? {} : { usdByBatch: usd * factor }) }
  }

  async #tokens(store: MemoryStore): Promise<number> {
    const space = this.#isAgain ? NO_SPACE : this.#link.fingerprint
    for (const hash of await this.#known(store, space)) this.#wanted.delete(hash)
    for await (const { hash, input } of missingInputs(store, space)) this.#wanted.set(hash, this.#measure(input.text))
    return [...this.#wanted.values()].reduce((sum, tokens) => sum + tokens, 0)
  }

  #known(store: MemoryStore, space: string): Promise<readonly string[]> {
    const hashes = [...this.#wanted.keys()]
    return withSnapshot(store, async (snapshot) => {
      const known: string[] = []
      for (let from = 0; from < hashes.length; from += PAGE)
        known.push(...(await snapshot.vectors(space, hashes.slice(from, from + PAGE))).keys())
      return known
    })
  }
}

/** Has a price only where every plan that sends something has one. */
export function sumOfPlans(plans: readonly PlannedVectors[]): PlannedVectors {
  const paid = plans.some(({ tokens }) => tokens > 0) ? plans.filter(({ tokens }) => tokens > 0) : plans.slice(0, 1)
  const usd = total(paid.map((plan) => plan.usd))
  const usdByBatch = total(paid.map((plan) => plan.usdByBatch))
  const tokens = plans.reduce((sum, plan) => sum + plan.tokens, 0)
  return { tokens, usd, ...(usdByBatch !== undefined && { usdByBatch }) }
}

function total(prices: readonly (number | undefined)[]): number | undefined {
  const known = prices.filter((price) => price !== undefined)
  return known.length < prices.length ? undefined : known.reduce((sum, price) => sum + price, 0)
}
