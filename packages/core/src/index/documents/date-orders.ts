import type { DocumentId } from '@mnemark/spec'
import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { baseNameOf } from '../../document/names/base-name.ts'
import { orderEvidenceIn } from '../../document/names/note-dates.ts'

/** A cheap test: most names have no day followed by a year. */
const YEAR_LAST = /\p{Nd}[-_]\p{Nd}{4}/u

function folderKey({ source, path }: DocumentId): string {
  return `${source}\0${path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')))}`
}

/** Order of day and month in the names of each folder, where one name proves it (`25-12-2026.md`) and none proves the other. */
export class DateOrders {
  readonly #proven = new Map<string, DateOrder | 'both'>()

  meet(id: DocumentId): void {
    if (!YEAR_LAST.test(id.path)) return
    for (const { proves } of orderEvidenceIn(baseNameOf(id.path))) {
      if (proves === undefined) continue
      const key = folderKey(id)
      const known = this.#proven.get(key)
      this.#proven.set(key, known === undefined || known === proves ? proves : 'both')
    }
  }

  get isEmpty(): boolean {
    return this.#proven.size === 0
  }

  of(id: DocumentId): DateOrder | undefined {
    const order = this.#proven.size === 0 ? undefined : this.#proven.get(folderKey(id))
    return order === 'both' ? undefined : order
  }
}

/** The recipe of a document in a folder with its own order: when the order changes, the folder's documents are indexed again. */
export function recipeInOrder(recipe: string, order: DateOrder | undefined): string {
  return order === undefined ? recipe : `${recipe} ${order}`
}

/** The order that a document was indexed with; undefined where it was indexed by another recipe. */
export function orderOfRecipe(made: string, recipe: string): DateOrder | undefined {
  return (['dmy', 'mdy'] as const).find((order) => made === recipeInOrder(recipe, order))
}
