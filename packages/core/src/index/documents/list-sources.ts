import type {
  CallOptions,
  DocumentId,
  DocumentSource,
  DocumentStat,
  SkippedDocument,
  StoredDocument,
  StoreSnapshot,
} from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import { comparablePath, originalBeside, possibleOriginals } from '../../document/names/copy-name.ts'
import { DateOrders, orderOfRecipe, recipeInOrder } from './date-orders.ts'
import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import type { KnownDocuments } from './known-documents.ts'
import { recipeOfCopy } from './recipe.ts'

/** What a look at the sources found, beside what the index knows. */
export interface Listing {
  readonly listed: readonly DocumentStat[]
  readonly skipped: readonly SkippedDocument[]
  /** New, changed, or made by another recipe. */
  readonly changed: readonly DocumentStat[]
  /** Keys of what is a copy of another note beside it. */
  readonly copies: ReadonlySet<string>
  readonly removed: readonly DocumentId[]
  /** Sources whose listing did not end well, with the reason: nothing of theirs may be pruned. */
  readonly failedSources: readonly { readonly source: string; readonly reason: string }[]
  readonly known: ReadonlyMap<string, StoredDocument>
  /** How a document's folder writes `03/04/2026`, where its names prove an order. */
  readonly orderOf: (id: DocumentId) => DateOrder | undefined
}

export interface ListingOptions extends CallOptions {
  readonly recipe: string
  /** The order that the settings give stands above what names prove. */
  readonly dateOrder?: DateOrder | undefined
  readonly known: KnownDocuments
  /** Everything counts as changed. */
  readonly force?: boolean | undefined
  /** Only these; nothing else is pruned. */
  readonly paths?: readonly DocumentId[] | undefined
  /** Called now and then, so that a long walk lets others work. */
  readonly yieldToEventLoop: () => Promise<void>
}

/** So many documents are looked at between two questions whether it is time to let others work: asking costs as much as looking. */
const ITEMS_BETWEEN_YIELDS = 64

function isSame(stat: DocumentStat, stored: StoredDocument): boolean {
  if (stat.version !== undefined || stored.version !== undefined) return stat.version === stored.version
  return stat.size === stored.size && stat.modifiedAtMs === stored.modifiedAtMs && stat.inode === stored.inode
}

/** How a source says that something is there and cannot be looked at: what the index has of it stays. */
function isUnreadable(reason: string): boolean {
  return reason.startsWith('unreadable')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export async function listSources(
  sources: readonly DocumentSource[],
  snapshot: StoreSnapshot,
  options: ListingOptions,
): Promise<Listing> {
  const { paths } = options
  const known = paths ? await rowsOf(snapshot, paths) : await options.known.of(snapshot)
  const originals = paths ? await rowsOf(snapshot, paths.flatMap(originalsOf)) : new Map()
  const look = new Look(known, new Set(originals.keys()), options)
  for (const source of sources) await look.at(source)
  return look.result()
}

async function rowsOf(snapshot: StoreSnapshot, paths: readonly DocumentId[]): Promise<ReadonlyMap<string, StoredDocument>> {
  return new Map((await snapshot.documentsOf(paths)).map((document) => [documentKey(document), document]))
}

function originalsOf(id: DocumentId): readonly DocumentId[] {
  return possibleOriginals(id.path).map((path) => ({ ...id, path }))
}

/** One look at the sources, in one pass: each document is met, compared and remembered once. */
class Look {
  readonly #known: ReadonlyMap<string, StoredDocument>
  /** Keys of notes beside those that are looked at. */
  readonly #others: ReadonlySet<string>
  readonly #options: ListingOptions
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #listed: DocumentStat[] = []
  readonly #skipped: SkippedDocument[] = []
  /** Named as copies are; whether they are is known when everything was met. */
  readonly #namedAsCopies: DocumentStat[] = []
  readonly #changed: DocumentStat[] = []
  /** Keys of what was met, and whether its rows stay. */
  readonly #met = new Map<string, boolean>()
  readonly #lookedAt = new Set<string>()
  readonly #orders = new DateOrders()
  /** Keys of what was made with an order of dates, and is the same otherwise. */
  readonly #ordered = new Map<string, DateOrder>()
  readonly #failedSources: { source: string; reason: string }[] = []
  #count = 0

  constructor(known: ReadonlyMap<string, StoredDocument>, others: ReadonlySet<string>, options: ListingOptions) {
    this.#known = known
    this.#others = others
    this.#options = options
    this.#wanted = options.paths && new Set(options.paths.map(documentKey))
  }

  async at(source: DocumentSource): Promise<void> {
    const { paths, signal } = this.#options
    const own = paths?.filter((id) => id.source === source.id)
    if (own?.length === 0) return
    try {
      const items = own && source.stat ? source.stat(own, { signal }) : source.list({ signal })
      for await (const item of items) {
        this.#meet(item)
        this.#count += 1
        if (this.#count % ITEMS_BETWEEN_YIELDS === 0) await this.#options.yieldToEventLoop()
      }
      this.#lookedAt.add(source.id)
    } catch (error) {
      signal?.throwIfAborted()
      this.#failedSources.push({ source: source.id, reason: reasonOf(error) })
    }
  }

  #meet(item: DocumentStat | SkippedDocument): void {
    const key = documentKey(item)
    // What is listed twice is one document.
    if (this.#met.has(key) || (this.#wanted && !this.#wanted.has(key))) return
    if ('skipped' in item) {
      this.#skipped.push(item)
      // A file that is there but unreadable keeps its rows, and a folder those below it; one that is no longer a note (too large now, a pipe) loses them.
      this.#met.set(key, isUnreadable(item.skipped))
      return
    }
    this.#listed.push(item)
    this.#met.set(key, true)
    if (this.#options.dateOrder === undefined) this.#orders.meet(item)
    if (possibleOriginals(item.path).length > 0) this.#namedAsCopies.push(item)
    else this.#compare(item, this.#options.recipe)
  }

  /** Whether it was made by this recipe, with whichever order of dates, and is the same since. */
  #compare(item: DocumentStat, recipe: string): void {
    const key = documentKey(item)
    const stored = this.#known.get(key)
    const order = stored === undefined || stored.recipe === recipe ? undefined : orderOfRecipe(stored.recipe, recipe)
    const isMade = stored?.recipe === recipeInOrder(recipe, order)
    if (this.#options.force === true || !isMade || !isSame(item, stored)) this.#changed.push(item)
    else if (order !== undefined) this.#ordered.set(key, order)
  }

  /** Sorts out what is named as copies are, now that every note beside was met. */
  #findCopies(): ReadonlySet<string> {
    const { recipe } = this.#options
    const copies = new Set<string>()
    if (this.#namedAsCopies.length === 0) return copies
    const there = new Set([...this.#met].filter(([, stays]) => stays).map(([key]) => comparablePath(key)))
    for (const other of this.#others) there.add(comparablePath(other))
    for (const item of this.#namedAsCopies) {
      const isCopy = originalBeside(item.path, (path) => there.has(documentKey({ ...item, path }))) !== undefined
      if (isCopy) copies.add(documentKey(item))
      this.#compare(item, isCopy ? recipeOfCopy(recipe) : recipe)
    }
    return copies
  }

  result(): Listing {
    const copies = this.#findCopies()
    return {
      copies,
      listed: this.#listed,
      skipped: this.#skipped,
      changed: [...this.#changed, ...this.#reordered()],
      orderOf: (id) => this.#orderOf(id),
      removed: this.#gone(),
      failedSources: this.#failedSources,
      known: this.#known,
    }
  }

  /** A look at a few paths sees too little of their folders: what is known keeps its order until the next whole one. */
  #orderOf(id: DocumentId): DateOrder | undefined {
    if (this.#wanted === undefined) return this.#orders.of(id)
    const made = this.#known.get(documentKey(id))?.recipe ?? ''
    const { recipe } = this.#options
    return orderOfRecipe(made, recipe) ?? orderOfRecipe(made, recipeOfCopy(recipe))
  }

  /** Documents whose folder has another order than when they were made. */
  #reordered(): readonly DocumentStat[] {
    if (this.#wanted !== undefined || (this.#orders.isEmpty && this.#ordered.size === 0)) return []
    const changed = new Set(this.#changed)
    return this.#listed.filter((stat) => !changed.has(stat) && this.#ordered.get(documentKey(stat)) !== this.#orders.of(stat))
  }

  /** Documents to prune. Of a source that could not be listed whole, and of one that is not asked at all, nothing goes. */
  #gone(): readonly DocumentId[] {
    const gone: DocumentId[] = []
    const unreadable = this.#skipped.filter(({ skipped }) => isUnreadable(skipped))
    const isBelow = ({ source, path }: DocumentId): boolean =>
      unreadable.some((place) => place.source === source && path.startsWith(`${place.path}/`))
    for (const [key, document] of this.#known) {
      if (this.#met.get(key) !== true && this.#lookedAt.has(document.source) && !isBelow(document)) gone.push(document)
    }
    return gone
  }
}
