import type { EmbeddingProvider, MemoryStore } from '@mnemark/spec'
import { measureFor } from '../embed/measure-input.ts'
import { chunkInput } from './chunk-input.ts'
import { missingInputs, withSnapshot } from './missing-inputs.ts'
import type { PreparedDocument } from './prepare-document.ts'

/** Hashes looked up at a time. */
const PAGE = 512

/** What a sync would embed: the texts of documents it would put, and those that wait in the store. Nothing is sent. */
export class VectorPlan {
  readonly #measure: (text: string) => number
  /** Tokens by hash of input. */
  readonly #wanted = new Map<string, number>()

  constructor(provider: EmbeddingProvider) {
    this.#measure = measureFor(provider).tokens
  }

  add({ document, chunks }: PreparedDocument): void {
    for (const { chunk } of chunks) {
      const [hash] = chunk.inputs
      if (hash !== undefined) this.#wanted.set(hash, this.#measure(chunkInput(chunk, document.title).text))
    }
  }

  /** Tokens, as the provider counts, else estimated. */
  async tokens(store: MemoryStore, fingerprint: string): Promise<number> {
    for (const hash of await this.#known(store, fingerprint)) this.#wanted.delete(hash)
    for await (const { hash, input } of missingInputs(store, fingerprint)) this.#wanted.set(hash, this.#measure(input.text))
    return [...this.#wanted.values()].reduce((sum, tokens) => sum + tokens, 0)
  }

  #known(store: MemoryStore, fingerprint: string): Promise<readonly string[]> {
    const hashes = [...this.#wanted.keys()]
    return withSnapshot(store, async (snapshot) => {
      const known: string[] = []
      for (let from = 0; from < hashes.length; from += PAGE)
        known.push(...(await snapshot.vectors(fingerprint, hashes.slice(from, from + PAGE))).keys())
      return known
    })
  }
}
