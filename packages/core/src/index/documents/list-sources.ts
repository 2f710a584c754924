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

/** Result of a look at the sources, compared with the index. */
export interface Listing {
  readonly listed: readonly DocumentStat[]
  readonly skipped: readonly SkippedDocument[]
  /** New or changed documents, and those indexed by another recipe. */
  readonly changed: readonly DocumentStat[]
  /** Keys of notes that are copies of another note beside them. */
  readonly copies: ReadonlySet<string>
  readonly removed: readonly DocumentId[]
  /** Sources whose listing failed, with the reason: none of their documents may be pruned. */
  readonly failedSources: readonly { readonly source: string; readonly reason: string }[]
  readonly known: ReadonlyMap<string, StoredDocument>
  /** Order of `03/04/2026` in a document's folder, where its names prove one. */
  readonly orderOf: (id: DocumentId) => DateOrder | undefined
}

export interface ListingOptions extends CallOptions {
  readonly recipeOf: (path: string) => string
  /** The order from the settings; it overrides the one that names prove. */
  readonly dateOrder?: DateOrder | undefined
  readonly known: KnownDocuments
  /** True = everything counts as changed. */
  readonly force?: boolean | undefined
  /** Only these paths; nothing else is pruned. */
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

/** Whether a source reports something that is there but unreadable: its rows stay in the index. */
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

/** One look at the sources, in one pass: each document is listed, compared and recorded once. */
class Look {
  readonly #known: ReadonlyMap<string, StoredDocument>
  /** Keys of notes beside those that are listed. */
  readonly #others: ReadonlySet<string>
  readonly #options: ListingOptions
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #listed: DocumentStat[] = []
  readonly #skipped: SkippedDocument[] = []
  /** Documents with the name of a copy; whether they are copies is known at the end of the listing. */
  readonly #namedAsCopies: DocumentStat[] = []
  readonly #changed: DocumentStat[] = []
  /** Keys of listed documents, and whether their rows stay. */
  readonly #met = new Map<string, boolean>()
  readonly #lookedAt = new Set<string>()
  readonly #orders = new DateOrders()
  /** Keys of documents that were indexed with an order of dates and are otherwise unchanged. */
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
    // A document that is listed twice counts once.
    if (this.#met.has(key) || (this.#wanted && !this.#wanted.has(key))) return
    if ('skipped' in item) {
      this.#skipped.push(item)
      // An unreadable file keeps its rows, and an unreadable folder those below it; a file that is no longer a note
      // (too large now, a pipe) loses them.
      this.#met.set(key, isUnreadable(item.skipped))
      return
    }
    this.#listed.push(item)
    this.#met.set(key, true)
    if (this.#options.dateOrder === undefined) this.#orders.meet(item)
    if (possibleOriginals(item.path).length > 0) this.#namedAsCopies.push(item)
    else this.#compare(item, this.#options.recipeOf(item.path))
  }

  /** Whether the document was indexed by this recipe, with whichever order of dates, and is unchanged since. */
  #compare(item: DocumentStat, recipe: string): void {
    const key = documentKey(item)
    const stored = this.#known.get(key)
    const order = stored === undefined || stored.recipe === recipe ? undefined : orderOfRecipe(stored.recipe, recipe)
    const isMade = stored?.recipe === recipeInOrder(recipe, order)
    if (this.#options.force === true || !isMade || !isSame(item, stored)) this.#changed.push(item)
    else if (order !== undefined) this.#ordered.set(key, order)
  }

  /** Decides which documents with the name of a copy are copies, after every note beside them was listed. */
  #findCopies(): ReadonlySet<string> {
    const copies = new Set<string>()
    if (this.#namedAsCopies.length === 0) return copies
    const there = new Set([...this.#met].filter(([, stays]) => stays).map(([key]) => comparablePath(key)))
    for (const other of this.#others) there.add(comparablePath(other))
    for (const item of this.#namedAsCopies) {
      const isCopy = originalBeside(item.path, (path) => there.has(documentKey({ ...item, path }))) !== undefined
      const recipe = this.#options.recipeOf(item.path)
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

  /** A look at a few paths sees too little of their folders: known documents keep their order until the next full look. */
  #orderOf(id: DocumentId): DateOrder | undefined {
    if (this.#wanted === undefined) return this.#orders.of(id)
    const made = this.#known.get(documentKey(id))?.recipe ?? ''
    const recipe = this.#options.recipeOf(id.path)
    return orderOfRecipe(made, recipe) ?? orderOfRecipe(made, recipeOfCopy(recipe))
  }

  /** Documents whose folder has another order than when they were indexed. */
  #reordered(): readonly DocumentStat[] {
    if (this.#wanted !== undefined || (this.#orders.isEmpty && this.#ordered.size === 0)) return []
    const changed = new Set(this.#changed)
    return this.#listed.filter((stat) => !changed.has(stat) && this.#ordered.get(documentKey(stat)) !== this.#orders.of(stat))
  }

  /** Documents to prune. Sources that could not be listed whole, or were not asked at all, lose nothing. */
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
