const MEMORY_SEARCH = [
  'enabled',
  'provider',
  'fallback',
  'sources',
  'extraPaths',
  'chunking.tokens',
  'chunking.overlap',
  'query.maxResults',
  'query.minScore',
  'query.hybrid.vectorWeight',
  'query.hybrid.textWeight',
  'query.hybrid.candidateMultiplier',
  'query.hybrid.fusion',
  'query.hybrid.mmr.enabled',
  'query.hybrid.mmr.lambda',
  'query.hybrid.temporalDecay.enabled',
  'query.hybrid.temporalDecay.halfLifeDays',
  'store.kind',
  'store.path',
  'sync.watch',
  'sync.watchDebounceMs',
  'sync.intervalMinutes',
]
const AGENT = ['workspace', 'userTimezone', ...MEMORY_SEARCH.map((key) => `memorySearch.${key}`)]

/** The keys that change what this version does (`*` stands for a list index or a free name). Every other known key is reported as not honoured. */
export const HONOURED_KEYS: ReadonlySet<string> = new Set([
  ...AGENT.map((key) => `agents.defaults.${key}`),
  'agents.list.*.id',
  ...AGENT.map((key) => `agents.list.*.${key}`),
  'memory.backend',
  'memory.citations',
  ...MEMORY_SEARCH.map((key) => `memory.search.${key}`),
  'plugins.slots.memory',
])
