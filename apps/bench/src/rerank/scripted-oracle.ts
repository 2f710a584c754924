import type { MemoryStore, Reranker, RerankRequest, StoredChunk } from '@mnemark/spec'
import type { GoldPlace, Question } from '../quality/tasks/task.ts'

interface KnownChunk {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** A part of its text that tells it from others, as a passage holds it. */
  readonly part: string
}

/**
 * A reranker that knows the answers of the question at hand: no model, but the most that any could do with the candidates
 * it gets. A share of its judgements, drawn from the passage, is turned around.
 */
export class ScriptedOracle implements Reranker {
  readonly specVersion = 'v1'
  readonly provider = 'bench'
  readonly model: string
  readonly traits = { isLocal: true } as const
  readonly #chunks: readonly KnownChunk[]
  readonly #errorShare: number
  #gold: readonly GoldPlace[] = []

  private constructor(chunks: readonly KnownChunk[], errorShare: number) {
    this.#chunks = chunks
    this.#errorShare = errorShare
    this.model = `scripted oracle, ${Math.round(100 * errorShare)} % wrong`
  }

  /** Reads the chunks of an index that is complete and stays unchanged. */
  static async of(store: MemoryStore, errorShare: number): Promise<ScriptedOracle> {
    const chunks: KnownChunk[] = []
    const snapshot = await store.snapshot()
    try {
      for await (const document of snapshot.documents())
        for (const chunk of await snapshot.chunksOf(document))
          chunks.push({ path: document.path, startLine: chunk.startLine, endLine: chunk.endLine, part: longestPart(chunk) })
    } finally {
      snapshot.release()
    }
    return new ScriptedOracle(chunks, errorShare)
  }

  /** Sets the answers that the oracle knows; called before each question. */
  prepare({ gold }: Pick<Question, 'gold'>): void {
    this.#gold = gold
  }

  async rerank({ query, passages }: RerankRequest): Promise<readonly number[]> {
    const gold = this.#chunks.filter((chunk) => this.#gold.some((place) => holds(chunk, place)))
    return passages.map((passage) => {
      const isGold = gold.some(({ part }) => passage.includes(part))
      return Number(drawn(query + passage) < this.#errorShare ? !isGold : isGold)
    })
  }
}

function holds({ path, startLine, endLine }: KnownChunk, place: GoldPlace): boolean {
  return path === place.path && (place.line === undefined || (startLine <= place.line && place.line <= endLine))
}

/** The longest part between those that are not indexed, which a passage leaves out. */
function longestPart({ text, unindexed = [] }: Pick<StoredChunk, 'text' | 'unindexed'>): string {
  const starts = [0, ...unindexed.map(([, end]) => end)]
  const ends = [...unindexed.map(([start]) => start), text.length]
  const parts = starts.map((start, at) => text.slice(start, ends[at]).trim())
  return parts.toSorted((left, right) => right.length - left.length)[0] ?? ''
}

/** From 0 to below 1, the same for the same text: FNV-1a (Fowler, Noll, Vo). */
function drawn(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}
