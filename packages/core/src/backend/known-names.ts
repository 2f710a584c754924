import {
  type ChunkFilter,
  ConfigError,
  type CreateMemoryOptions,
  type ListQuery,
  type MemorySettings,
  type ReadRequest,
  type SearchOverrides,
  type SearchQuery,
} from '@mnemark/spec'

/** Names every member of a shape, so that a new one is a compile error here. */
type Names<Shape> = Readonly<Record<keyof Shape, true>>

const OPTIONS: Names<CreateMemoryOptions> = {
  store: true,
  workspace: true,
  sources: true,
  reader: true,
  caller: true,
  embeddings: true,
  closes: true,
  annotators: true,
  reranker: true,
  settings: true,
  mayEmbed: true,
  mayRerank: true,
  now: true,
  sleep: true,
}
const OVERRIDES: Names<SearchOverrides> = {
  minScore: true,
  mmr: true,
  temporalDecay: true,
  fusion: true,
  vectorWeight: true,
  keywordsOnly: true,
  rerank: true,
}
const SETTINGS: Names<MemorySettings> = {
  ...OVERRIDES,
  chunkTokens: true,
  chunkOverlap: true,
  maxResults: true,
  candidateMultiplier: true,
  citations: true,
  syncOnSearch: true,
  timeZone: true,
  language: true,
  dateOrder: true,
  keepWarm: true,
  fallbackAfterMinutes: true,
  vectorsOnly: true,
  requiresVectors: true,
  requestedProvider: true,
  dailyTokens: true,
  maxUnreferencedVectors: true,
  batch: true,
  embedding: true,
  reranking: true,
}
const FILTER: Names<ChunkFilter> = {
  sources: true,
  paths: true,
  excludePaths: true,
  since: true,
  until: true,
  asOf: true,
  kinds: true,
  entities: true,
  tags: true,
  sessions: true,
  audiences: true,
  all: true,
}
const QUERY: Names<SearchQuery> = {
  text: true,
  limit: true,
  caller: true,
  filter: true,
  explain: true,
  why: true,
  overrides: true,
  signal: true,
}
const REQUEST: Names<ReadRequest> = { path: true, from: true, lines: true, quoteHash: true, caller: true, signal: true }

const LIST: Names<ListQuery> = { caller: true, filter: true, order: true, limit: true, after: true, tags: true, signal: true }

/** Names that other libraries use for the same option, and members that belong one level deeper. */
const IN_OPTIONS: Readonly<Record<string, string>> = {
  ...below('settings', SETTINGS),
  embedding: 'embeddings',
  embedder: 'embeddings',
  provider: 'embeddings',
  providers: 'embeddings',
  documents: 'workspace',
  topK: 'settings.maxResults',
  limit: 'settings.maxResults',
}
const IN_SETTINGS: Readonly<Record<string, string>> = { topK: 'maxResults', k: 'maxResults', limit: 'maxResults' }
const IN_QUERY: Readonly<Record<string, string>> = {
  ...below('overrides', OVERRIDES),
  ...below('filter', FILTER),
  topK: 'limit',
  k: 'limit',
  maxResults: 'limit',
  query: 'text',
  q: 'text',
  path: 'filter.paths',
  tag: 'filter.tags',
}

const IN_LIST: Readonly<Record<string, string>> = { ...below('filter', FILTER), topK: 'limit', k: 'limit', cursor: 'after' }

function below(name: string, names: Readonly<Record<string, true>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(names).map((member) => [member, `${name}.${member}`]))
}

/** Rejects with ConfigError `unknown-key` for a member that would be ignored, here and in `settings`. */
export async function refuseUnknownOptions(options: CreateMemoryOptions): Promise<void> {
  await refuse('createMemory', options, OPTIONS, IN_OPTIONS)
  await refuse('createMemory settings', options.settings, SETTINGS, IN_SETTINGS)
}

/** As `refuseUnknownOptions`, for a query, its filter and its overrides. */
export async function refuseUnknownQuery({ ...query }: Partial<SearchQuery>): Promise<void> {
  await refuse('search', query, QUERY, IN_QUERY)
  await refuse('search overrides', query.overrides, OVERRIDES, {})
  await refuse('search filter', query.filter, FILTER, {})
}

export async function refuseUnknownList({ ...query }: Partial<ListQuery>): Promise<void> {
  await refuse('list', query, LIST, IN_LIST)
  await refuse('list filter', query.filter, FILTER, {})
}

export async function refuseUnknownRequest({ ...request }: Partial<ReadRequest>): Promise<void> {
  await refuse('read', request, REQUEST, {})
}

async function refuse(
  where: string,
  given: unknown,
  known: Readonly<Record<string, true>>,
  instead: Readonly<Record<string, string>>,
): Promise<void> {
  if (typeof given !== 'object' || given === null) return
  // A null member counts as left out, whatever its name.
  const unknown = Object.entries(given).find(
    ([name, value]) => !Object.hasOwn(known, name) && value !== null && value !== undefined,
  )
  if (unknown === undefined) return
  const [name] = unknown
  const { nearNames, shownName } = await import('../query/near-names.ts')
  const near = Object.hasOwn(instead, name) ? instead[name] : nearNames(name, Object.keys(known))[0]
  const advice = near === undefined ? `Known: ${Object.keys(known).join(', ')}.` : `Did you mean ${near}?`
  throw new ConfigError('unknown-key', `${where}: there is no option ${shownName(name)}. ${advice}`)
}
