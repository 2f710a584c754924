import type { MemoryStore, SearchHit } from '@mnemark/spec'
import { idealGainsOf, type Metrics, scoreRanking } from '../metrics.ts'
import type { GoldPlace, Question } from './task.ts'

type Unit = Pick<SearchHit, 'path' | 'startLine' | 'endLine'>

function holds(unit: Unit, { path, line }: GoldPlace): boolean {
  return unit.path === path && (line === undefined || (unit.startLine <= line && line <= unit.endLine))
}

function placesIn(unit: Unit, gold: readonly GoldPlace[]): readonly number[] {
  return gold.flatMap((place, index) => (holds(unit, place) ? [index] : []))
}

/** The chunks the product made, by path: what a perfect ranking could return. */
async function readUnits(store: MemoryStore): Promise<ReadonlyMap<string, readonly Unit[]>> {
  const units = new Map<string, readonly Unit[]>()
  const snapshot = await store.snapshot()
  try {
    for await (const document of snapshot.documents()) {
      const chunks = await snapshot.chunksOf(document)
      units.set(
        document.path,
        chunks.map(({ startLine, endLine }) => ({ path: document.path, startLine, endLine })),
      )
    }
  } finally {
    snapshot.release()
  }
  return units
}

/** Gold marks that name one line twice count once. */
function distinct(gold: readonly GoldPlace[]): readonly GoldPlace[] {
  return [...new Map(gold.map((place) => [`${place.path}:${place.line ?? ''}`, place])).values()]
}

/** Scores answers by what the index could have answered at best. */
export class AnswerKey {
  readonly #units: ReadonlyMap<string, readonly Unit[]>

  private constructor(units: ReadonlyMap<string, readonly Unit[]>) {
    this.#units = units
  }

  /** Reads the key from an index that is complete and stays unchanged. */
  static async of(store: MemoryStore): Promise<AnswerKey> {
    return new AnswerKey(await readUnits(store))
  }

  score({ gold: marks }: Pick<Question, 'gold'>, hits: readonly Unit[]): Metrics {
    const gold = distinct(marks)
    const paths = [...new Set(gold.map(({ path }) => path))]
    const holding = paths.flatMap((path) => this.#units.get(path) ?? []).map((unit) => placesIn(unit, gold))
    const ideal = idealGainsOf(holding.filter((places) => places.length > 0))
    const ranking = hits.map((hit) => placesIn(hit, gold))
    return scoreRanking(ranking, gold.length, ideal)
  }
}
