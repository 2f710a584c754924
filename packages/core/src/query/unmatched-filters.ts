import type { ChunkFilter, Degradation, SelectedChunk, StoreSnapshot } from '@mnemark/spec'
import type { Condition } from './read-query.ts'
import { nearNames, shownName } from './near-names.ts'

/** Most chunks searched for existing names; newer ones first. */
const MAX_CHUNKS = 50_000
const PAGE = 5_000
/** Most names listed where none is near. */
const MOST_LISTED = 6

export interface FilterLook {
  /** The whole filter. */
  readonly filter: ChunkFilter
  readonly conditions: readonly Condition[]
  /** Number of chunks, or notes, that pass the whole filter. */
  readonly size: number
}

/**
 * Messages for filter values that match nothing in the index, with near names; else, where nothing passes, that each
 * value matches only alone.
 */
export async function unmatchedFilters(snapshot: StoreSnapshot, look: FilterLook): Promise<readonly Degradation[]> {
  const scope = scopeOf(look.filter)
  const messages: string[] = []
  for (const condition of look.conditions) {
    // Where something passes, a single value of its kind cannot be the one that matches nothing.
    const isOneOfSeveral = look.conditions.some((other) => other !== condition && other.name === condition.name)
    if (look.size > 0 && !isOneOfSeveral) continue
    const visible = condition.within === undefined ? scope : { ...scope, all: [condition.within] }
    const { size } = await snapshot.filter({ ...scope, all: [condition.filter, visible] })
    if (size === 0) messages.push(await describe(snapshot, condition, visible))
  }
  if (messages.length === 0 && look.size === 0) messages.push(notTogether(look))
  return [...new Set(messages)].map((message) => ({ code: 'filter-unmatched', message }))
}

/** Message for days alone, or for values that each match something. */
function notTogether({ filter, conditions }: FilterLook): string {
  const days = [filter, ...(filter.all ?? [])].flatMap(({ since, until, asOf }) => [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
  ])
  if (conditions.length === 0)
    return `No indexed note passes ${days.length === 0 ? 'this filter' : `the days asked for: ${days.join(', ')}`}.`
  const asked = [...conditions.map(({ name, value }) => `${name} ${shownName(value)}`), ...days]
  return `Each filter lets something through, all of them together nothing: ${asked.join(', ')}. Leave one out.`
}

/** The parts of a filter that limit access: names are searched only within them. */
function scopeOf({ audiences, sessions, excludePaths, asOf }: ChunkFilter): ChunkFilter {
  return {
    ...(audiences && { audiences }),
    ...(sessions && { sessions }),
    ...(excludePaths && { excludePaths }),
    ...(asOf !== undefined && { asOf }),
  }
}

async function describe(snapshot: StoreSnapshot, { name, value }: Condition, scope: ChunkFilter): Promise<string> {
  const names = await namesOf(snapshot, name, scope)
  const near = nearNames(value, names)
  const unmatched = `${NOTHING[name]} ${shownName(value)}.`
  if (near.length > 0) return `${unmatched} Near: ${near.map(shownName).join(', ')}.`
  const listed = name === 'path' ? topOf(names) : names
  if (listed.length === 0) return unmatched
  const rest = listed.length > MOST_LISTED ? ` and ${listed.length - MOST_LISTED} more` : ''
  return `${unmatched} There is ${listed.slice(0, MOST_LISTED).map(shownName).join(', ')}${rest}.`
}

const NOTHING: Readonly<Record<Condition['name'], string>> = {
  path: 'No indexed note is, or lies in,',
  tag: 'No indexed text has the tag',
  entity: 'No indexed text is about',
  kind: 'No indexed text is of the kind',
  source: 'No indexed note is of the source',
}

/** Names at the top level, folders before files. */
function topOf(paths: readonly string[]): readonly string[] {
  const top = paths.filter((path) => /^[^/]+\/?$/.test(path))
  return [...top.filter((path) => path.endsWith('/')), ...top.filter((path) => !path.endsWith('/'))]
}

/** The most frequent names first. */
async function namesOf(snapshot: StoreSnapshot, name: Condition['name'], scope: ChunkFilter): Promise<readonly string[]> {
  const counts = new Map<string, number>()
  for await (const chunk of newestChunks(snapshot, scope))
    for (const found of NAMES[name](chunk)) counts.set(found, (counts.get(found) ?? 0) + 1)
  return [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).map(([found]) => found)
}

const NAMES: Readonly<Record<Condition['name'], (chunk: SelectedChunk) => readonly string[]>> = {
  path: ({ document: { path } }) => {
    const folders = path.split('/').slice(0, -1)
    return [...folders.map((_, at) => `${folders.slice(0, at + 1).join('/')}/`), path]
  },
  tag: ({ attributes }) => attributes.tags ?? [],
  entity: ({ attributes }) => attributes.entities ?? [],
  kind: ({ attributes }) => [attributes.kind ?? 'note'],
  source: ({ document }) => [document.source],
}

async function* newestChunks(snapshot: StoreSnapshot, filter: ChunkFilter): AsyncGenerator<SelectedChunk> {
  let after: number | undefined
  for (let seen = 0; seen < MAX_CHUNKS; seen += PAGE) {
    const page = await snapshot.select(filter, { order: 'newest', limit: PAGE, ...(after !== undefined && { after }) })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.id
  }
}
