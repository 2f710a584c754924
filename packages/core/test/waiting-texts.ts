import { hash } from 'node:crypto'
import { fingerprint, type Lease, type MemoryStore, type MissingInput, type NewChunk, type VectorSpace } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import type { BatchSource } from '../src/embed/batch/index.ts'
import { textInput } from './fake-embedder.ts'

export const hashOf = (text: string): string => hash('sha256', text)

/** A store with a chunk for each text, none with a vector yet. */
export class WaitingTexts {
  readonly disk: InMemoryDisk = new InMemoryDisk()
  readonly store: MemoryStore
  readonly #texts: ReadonlyMap<string, string>

  private constructor(texts: readonly string[]) {
    this.store = createInMemoryStore({ disk: this.disk })
    this.#texts = new Map(texts.map((text) => [hashOf(text), text]))
  }

  static async of(texts: readonly string[]): Promise<WaitingTexts> {
    const waiting = new WaitingTexts(texts)
    await waiting.#write(texts)
    return waiting
  }

  /** Input of jobs for one space. */
  source(space: VectorSpace): BatchSource {
    const { store } = this
    const texts = this.#texts
    return {
      async *missing() {
        let after: string | undefined
        for (;;) {
          const snapshot = await store.snapshot()
          const page = await snapshot.missingInputs(fingerprint(space), { limit: 7, ...(after !== undefined && { after }) })
          snapshot.release()
          after = page.at(-1)?.hash
          if (after === undefined) return
          for (const missing of page) yield { ...missing, input: textInput(texts.get(missing.hash) ?? '') }
        }
      },
      async *read(inputs: readonly MissingInput[]) {
        for (const input of inputs) yield { hash: input.hash, input: textInput(texts.get(input.hash) ?? '') }
      },
    }
  }

  /** The texts with a vector, by text. */
  async vectors(space: VectorSpace): Promise<ReadonlyMap<string, Float32Array | null>> {
    const snapshot = await this.store.snapshot()
    const found = await snapshot.vectors(fingerprint(space), [...this.#texts.keys()])
    snapshot.release()
    return new Map([...found].map(([key, vector]) => [this.#texts.get(key) ?? '', vector]))
  }

  async lease(): Promise<Lease> {
    const lease = await this.store.acquireLease('vectors')
    if (lease === null) throw new Error('the lease is held')
    return lease
  }

  async #write(texts: readonly string[]): Promise<void> {
    const lease = await this.store.acquireLease('write')
    if (lease === null) throw new Error('the lease is held')
    const id = { source: 'memory', path: 'notes.md' }
    const stat = { ...id, size: 1, modifiedAtMs: 0, contentHash: 'c', recipe: 'r', isEvergreen: true }
    const chunks = texts.map((text, ordinal): NewChunk => {
      const place = { startLine: ordinal + 1, endLine: ordinal + 1 }
      return { document: id, ordinal, ...place, text, headingTrail: [], attributes: {}, inputs: [hashOf(text)] }
    })
    await this.store.apply(lease, { put: [{ document: stat, chunks }], touch: [], remove: [] })
    await lease.release()
  }
}
