import type { CallOptions, ChunkFilter, StoreSnapshot } from '@mnemark/spec'
import { dayNumber } from '../../dates/calendar/calendar-day.ts'
import { keyOf } from '../../keywords/format/channels.ts'
import { dayOfTerm, wordingTerms } from '../../keywords/terms/entry-terms.ts'
import type { KeywordQuery, QueryWord } from '../../keywords/query/keyword-query.ts'
import type { KeywordReader } from '../../keywords/read/keyword-reader.ts'
import type { PostingList } from '../../keywords/read/posting-list.ts'
import { keysOfTerm, type WeighedWord } from '../../keywords/query/weigh-query.ts'
import { wordingHash } from '../../repeats/wording.ts'
import { entriesWorded, type FoundEntry, type Highlight } from './found-entries.ts'
import { judgeText } from '../candidates/keyword-candidates.ts'
import { type ChunkCache, loadChunks } from '../candidates/loaded-chunks.ts'
import { haveSameSubject } from './same-subject.ts'

export interface VersionSearch extends CallOptions {
  readonly snapshot: StoreSnapshot
  readonly reader: KeywordReader
  readonly chunks: ChunkCache
  readonly query: KeywordQuery
  /** Words of the query, weighed by `weighQuery`. */
  readonly words: readonly WeighedWord[]
  readonly highlight: Highlight
  readonly filter?: ChunkFilter | undefined
  readonly accepts?: ((chunkId: number) => boolean) | undefined
  /** Whether a day, in days since 1970-01-01, has begun in the user's zone. */
  readonly hasCome: (day: number) => boolean
}

/** All entries of one wording that this search may see. */
export interface EntryVersions {
  /** The entries that were read, newest first, undated ones last. At most `MOST_ITEMS`. */
  readonly items: readonly FoundEntry[]
  /** Number of entries in the whole index. */
  readonly total: number
  readonly isComplete: boolean
  /** Chunks with one of the entries. */
  readonly chunkIds: ReadonlySet<number>
  /** The newest that may represent all; undefined where none may. */
  readonly lead?: FoundEntry | undefined
}

const MOST_ITEMS = 10
/** Most undated entries shown before the newest: notes edited by hand have no date. */
const UNDATED_ITEMS = 2
/** Most entries that are read where their own text must decide, and where the newest all have the same values. */
const MOST_READ = 200
/** Most days in leading dates of entries with one wording. */
const MOST_DAYS = 40_000

/** Entries of one chunk and one day. */
interface Placed {
  readonly ordinal: number
  /** Whole days since 1970-01-01. */
  readonly day: number | undefined
  /** True where the entries begin with their own date. */
  readonly isOwnDay: boolean
  readonly count: number
}

/** Query words that a chunk holds exactly, by their index in the query; function words are left out. */
export class HeldWords {
  readonly #lists: readonly (readonly PostingList[])[]

  private constructor(lists: readonly (readonly PostingList[])[]) {
    this.#lists = lists
  }

  static async read(reader: KeywordReader, { words }: Pick<KeywordQuery, 'words'>): Promise<HeldWords> {
    const asked = words.filter(({ isStop, isOptional, terms }) => !isStop && !isOptional && terms.length > 0)
    const found = await reader.postings([...new Set(asked.flatMap(keysOfWord))])
    return new HeldWords(asked.map((word) => keysOfWord(word).flatMap((key) => found.get(key) ?? [])))
  }

  of(ordinal: number): readonly number[] {
    return this.#lists.flatMap((lists, word) => (lists.some((list) => list.frequencyAt(ordinal) > 0) ? [word] : []))
  }

  hasAll(ordinal: number, words: readonly number[]): boolean {
    return words.every((word) => this.#lists[word]?.some((list) => list.frequencyAt(ordinal) > 0))
  }
}

function keysOfWord({ terms }: QueryWord): readonly string[] {
  return terms.flatMap(keysOfTerm)
}

export function versionKeys(entries: readonly FoundEntry[]): readonly string[] {
  const terms = [...new Set(entries.map(({ wording }) => wordingHash(wording)))].map(wordingTerms)
  return terms.flatMap(({ all, dated }) => [keyOf('entry', all), keyOf('entry', dated)])
}

/**
 * The versions of an entry: entries with the same words and other values, anywhere in the index. Undefined where there
 * are no others, or all have the same values. Each must pass the filter before it counts.
 */
export async function gatherVersions(
  entry: FoundEntry,
  heldWords: () => Promise<HeldWords>,
  search: VersionSearch,
): Promise<EntryVersions | undefined> {
  const seen = (await placesOf(wordingHash(entry.wording), search)).filter((place) => isSeen(place, search))
  if (countOf(seen) < 2) return undefined
  const own = search.reader.ordinalOf(entry.chunk.id)
  const words = await heldWords()
  const needed = own === undefined ? [] : words.of(own)
  const placed = seen.filter(({ ordinal }) => words.hasAll(ordinal, needed))
  const counted = countOf(placed)
  if (counted < 2) return undefined
  placed.sort((left, right) => newestFirst(left.day, right.day) || search.reader.compareEquals(left.ordinal, right.ordinal))
  const { phrases, excluded } = search.query
  const mustRead = phrases.length + excluded.length + entry.askedValues.size > 0
  const first = mustRead ? placed.slice(0, MOST_READ) : firstRead(placed, own, search)
  let found = await readEntries(entry, first, search)
  let isReadWhole = first.length === placed.length
  if (!isReadWhole && !mustRead && (haveSameValues(found) || leadOf(found, entry, search) === undefined)) {
    const more = placed.slice(0, MOST_READ)
    found = distinct([...found, ...(await readEntries(entry, more, search))])
    isReadWhole = more.length === placed.length
  }
  if (found.length < 2 || haveSameValues(found)) return undefined
  const lead = leadOf(found, entry, search)
  const chunkIds = new Set(
    mustRead ? found.map(({ chunk }) => chunk.id) : placed.map(({ ordinal }) => search.reader.idOf(ordinal)),
  )
  const total = isReadWhole || mustRead ? found.length : counted
  return { items: shownOf(found, entry, lead), total, isComplete: isReadWhole || !mustRead, chunkIds, lead }
}

function countOf(placed: readonly Placed[]): number {
  return placed.reduce((sum, { count }) => sum + count, 0)
}

/** Chunks with entries of a wording, with the day of each: its own where it begins with one, else that of its chunk. */
async function placesOf(hash: string, { reader }: VersionSearch): Promise<Placed[]> {
  const terms = wordingTerms(hash)
  const [all, dated] = [keyOf('entry', terms.all), keyOf('entry', terms.dated)]
  const lists = await reader.postings([all, dated])
  const placed: Placed[] = []
  const rest = new Map<number, number>()
  eachPosting(lists.get(all), (ordinal, count) => rest.set(ordinal, count))
  if (lists.has(dated)) {
    const prefix = keyOf('entry', '')
    const keys = (await reader.keysWithPrefix(all, MOST_DAYS)).filter((key) => dayOfTerm(key.slice(prefix.length), hash))
    for (const [key, list] of await reader.postings(keys)) {
      const day = dayNumber(dayOfTerm(key.slice(prefix.length), hash) ?? '')
      eachPosting(list, (ordinal, count) => {
        placed.push({ ordinal, day, isOwnDay: true, count })
        rest.set(ordinal, (rest.get(ordinal) ?? 0) - count)
      })
    }
  }
  for (const [ordinal, count] of rest) if (count > 0) placed.push({ ordinal, day: reader.dayOf(ordinal), isOwnDay: false, count })
  return placed
}

function eachPosting(list: PostingList | undefined, visit: (ordinal: number, count: number) => void): void {
  if (list === undefined) return
  const { ordinals, frequencies } = list.toPostings()
  for (let at = 0; at < ordinals.length; at += 1) visit(ordinals[at] ?? 0, frequencies[at] ?? 1)
}

function isSeen({ ordinal, day, isOwnDay }: Placed, search: VersionSearch): boolean {
  const { reader, accepts } = search
  if (!(accepts?.(reader.idOf(ordinal)) ?? true)) return false
  return !isOwnDay || day === undefined || isInside(day, search.filter)
}

/** Whether an entry's own day passes the days of a filter, like a chunk's; the rest of the filter applies to the chunk. */
function isInside(day: number, { since, until, asOf }: ChunkFilter = {}): boolean {
  const isAfter = (limit: string | undefined) => limit !== undefined && day > dayNumber(limit)
  return !(isAfter(until) || isAfter(asOf) || (since !== undefined && day < dayNumber(since)))
}

function newestFirst(left: number | undefined, right: number | undefined): number {
  return (right ?? Number.NEGATIVE_INFINITY) - (left ?? Number.NEGATIVE_INFINITY) || 0
}

/** Entries that may be shown or lead: the entry itself, the newest, the newest up to today, the oldest, and some undated ones. */
function firstRead(placed: readonly Placed[], own: number | undefined, { hasCome }: VersionSearch): readonly Placed[] {
  if (placed.length <= MOST_ITEMS) return placed
  const dated = placed.filter(({ day }) => day !== undefined)
  const chosen = new Set([
    ...placed.filter(({ ordinal }) => ordinal === own),
    ...dated.slice(0, MOST_ITEMS - 1),
    ...dated.filter(({ day }) => day !== undefined && hasCome(day)).slice(0, MOST_ITEMS - 1),
    ...dated.slice(-1),
    ...placed.slice(dated.length, dated.length + UNDATED_ITEMS),
  ])
  return [...chosen]
}

async function readEntries(entry: FoundEntry, placed: readonly Placed[], search: VersionSearch): Promise<FoundEntry[]> {
  const { snapshot, reader, chunks, query, highlight } = search
  const ids = [...new Set(placed.map(({ ordinal }) => reader.idOf(ordinal)))]
  const loaded = await loadChunks(snapshot, ids, chunks)
  search.signal?.throwIfAborted()
  const found = loaded
    .filter((each) => judgeText(each, query) !== false)
    .flatMap((each) => entriesWorded(each, entry.wording, highlight))
    .filter(({ askedValues }) => [...entry.askedValues].every((value) => askedValues.has(value)))
    .filter(({ wording }) => wording.day === undefined || isInside(dayNumber(wording.day), search.filter))
  return distinct(found)
}

/** Removes duplicates: chunks overlap, so an entry at the end of one may also be at the beginning of the next. */
function distinct(found: readonly FoundEntry[]): FoundEntry[] {
  const byPlace = new Map<string, FoundEntry>()
  for (const each of found) {
    const { source, path } = each.document
    const place = [source, path, each.startLine, ...each.wording.values].join('\n')
    if (!byPlace.has(place)) byPlace.set(place, each)
  }
  return [...byPlace.values()].sort(byDay)
}

function byDay(left: FoundEntry, right: FoundEntry): number {
  return (
    compareText(right.day ?? '', left.day ?? '') ||
    compareText(right.time ?? '', left.time ?? '') ||
    compareText(left.document.path, right.document.path) ||
    // Later additions to a note come first.
    right.startLine - left.startLine
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function haveSameValues(found: readonly FoundEntry[]): boolean {
  return found.every(({ wording }) => valuesKey(wording.values) === valuesKey(found[0]?.wording.values ?? []))
}

export function valuesKey(values: readonly string[]): string {
  return values.join('\n').toLowerCase().replace(/\s+/gu, ' ')
}

/** Folders, names and states of notes that describe a possibility, or accompany the note itself. */
const ASIDE =
  /(?:^|[/\s._(-])(?:templates?|vorlagen?|plantillas?|plans?|planned|planning|drafts?|copy|copies|conflict|шаблоны?|планы?|черновики?|خطة|خطط|قالب|قوالب|模板|计划|計劃|計画|草稿|תבניות|תוכניות)(?=$|[/\s._)-])|\(\d+\)$/iu

/** The newest version of the same subject that is dated, not after today, and neither archived, derived, copied nor planned. */
function leadOf(found: readonly FoundEntry[], entry: FoundEntry, { hasCome }: VersionSearch): FoundEntry | undefined {
  const mayLead = (each: FoundEntry) => each.day !== undefined && !isMarked(each) && hasCome(dayNumber(each.day))
  return found.find((each) => mayLead(each) && haveSameSubject(each, entry))
}

export function isMarked({ chunk, document }: Pick<FoundEntry, 'chunk' | 'document'>): boolean {
  if ((chunk.attributes.marks?.length ?? 0) > 0) return true
  return ASIDE.test(document.path.replace(/\.[^./]*$/, '')) || ASIDE.test(document.properties?.status ?? '')
}

/** At most ten: the lead, the entry itself if undated, some other undated ones, the newest, the oldest. */
function shownOf(found: readonly FoundEntry[], entry: FoundEntry, lead: FoundEntry | undefined): readonly FoundEntry[] {
  if (found.length <= MOST_ITEMS) return found
  const dated = found.filter(({ day }) => day !== undefined)
  const own = found.filter(
    ({ day, chunk, startLine }) => day === undefined && chunk.id === entry.chunk.id && startLine === entry.startLine,
  )
  const shown = new Set([
    ...(lead ? [lead] : []),
    ...own.slice(0, 1),
    ...dated.slice(-1),
    ...found.slice(dated.length, dated.length + UNDATED_ITEMS),
  ])
  for (const each of found) if (shown.size < MOST_ITEMS) shown.add(each)
  return [...shown].sort(byDay)
}
