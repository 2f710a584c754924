import * as v from 'valibot'
import type { Config } from './config.ts'

// A message says what is allowed; the reader puts the key and the value in front of it. Objects are loose: unknown keys are
// warned about in `known-keys.ts`, which walks this schema, so that a key needs to be written down once.

const text = v.string('a text')
const flag = v.boolean('true or false')
const names = v.array(v.string('a text'), 'a list of texts')
const anything = v.record(v.string(), v.unknown(), 'an object')
const secret = v.union([v.string(), v.record(v.string(), v.unknown())], 'a text, or an object that says where the secret is kept')
const headers = v.record(v.string(), v.string('a text'), 'an object of texts')

function between(least: number, most: number): v.GenericSchema<unknown, number> {
  return v.custom<number>(
    (value) => typeof value === 'number' && value >= least && value <= most,
    most === Number.MAX_VALUE ? `a number from ${least}` : `a number from ${least} to ${most}`,
  )
}

function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): v.GenericSchema<unknown, number> {
  return v.custom<number>(
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
  )
}

function oneOf<const Names extends readonly string[]>(allowed: Names): v.GenericSchema<unknown, Names[number]> {
  return v.picklist(allowed, allowed.map((name) => `"${name}"`).join(', '))
}

/** Every member may be absent. */
function object<Entries extends Record<string, v.GenericSchema>>(
  entries: Entries,
): v.LooseObjectSchema<{ readonly [Key in keyof Entries]: v.ExactOptionalSchema<Entries[Key], undefined> }, string> {
  const optional = Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, v.exactOptional(schema)]))
  // Safe: the mapping above makes exactly this type, which Object.fromEntries cannot express.
  return v.looseObject(optional, 'an object') as never
}

const timeZone = v.custom<string>((value) => {
  try {
    return typeof value === 'string' && value !== '' && new Intl.DateTimeFormat('en', { timeZone: value }).format(0) !== ''
  } catch {
    return false
  }
}, 'a time zone of the IANA list, such as "Asia/Riyadh"')

const remote = object({
  baseUrl: text,
  apiKey: secret,
  headers,
  consent: flag,
  nonBatchConcurrency: whole(1),
  batch: object({
    enabled: flag,
    wait: flag,
    concurrency: whole(1),
    pollIntervalMs: whole(1),
    timeoutMinutes: between(0, Number.MAX_VALUE),
  }),
})
const local = object({
  modelPath: text,
  modelCacheDir: text,
  contextSize: v.union([whole(1), v.literal('auto')], 'a whole number from 1, or "auto"'),
})

const fallbackLink = v.union([
  v.string(),
  v.looseObject({
    provider: text,
    ...object({ model: text, outputDimensionality: whole(1), queryInputType: text, documentInputType: text, remote, local })
      .entries,
  }),
])

const hybrid = object({
  enabled: flag,
  vectorWeight: between(0, Number.MAX_VALUE),
  textWeight: between(0, Number.MAX_VALUE),
  candidateMultiplier: whole(1, 20),
  fusion: oneOf(['weighted', 'rrf']),
  mmr: object({ enabled: flag, lambda: between(0, 1) }),
  temporalDecay: object({
    enabled: flag,
    halfLifeDays: v.custom<number>((value) => Number.isFinite(value) && Number(value) > 0, 'a number of days above 0'),
  }),
})

const memorySearch = object({
  enabled: flag,
  provider: text,
  model: text,
  fallback: v.union(
    [fallbackLink, v.array(fallbackLink)],
    'a provider, or a list of providers or of objects such as { provider: "ollama", model: "nomic-embed-text" }',
  ),
  fallbackAfterMinutes: between(0, Number.MAX_VALUE),
  keepWarm: flag,
  sources: v.array(oneOf(['memory', 'sessions']), 'a list of "memory", "sessions"'),
  extraPaths: names,
  inputType: text,
  queryInputType: text,
  documentInputType: text,
  outputDimensionality: whole(1),
  remote,
  local,
  query: object({ maxResults: whole(1, 100), minScore: between(0, 1), hybrid }),
  chunking: object({ tokens: whole(1, 32_768), overlap: whole(0, 32_767) }),
  store: object({
    kind: oneOf(['sqlite', 'lancedb', 'postgres']),
    path: text,
    vector: object({ enabled: flag, extensionPath: text }),
  }),
  cache: object({ enabled: flag, maxEntries: whole(0) }),
  sync: object({
    onSessionStart: flag,
    onSearch: flag,
    watch: flag,
    watchDebounceMs: whole(0),
    intervalMinutes: between(0, Number.MAX_VALUE),
    embeddingBatchTimeoutSeconds: between(0, Number.MAX_VALUE),
    sessions: object({ deltaBytes: whole(0), deltaMessages: whole(0) }),
  }),
  limits: object({ dailyTokens: whole(0) }),
  multimodal: anything,
  experimental: object({ sessionMemory: flag }),
})

const agent = { workspace: text, userTimezone: timeZone, memorySearch, compaction: anything }

const scopeRule = object({
  action: oneOf(['allow', 'deny']),
  match: object({ chatType: oneOf(['direct', 'group', 'channel']), channel: text, keyPrefix: text, rawKeyPrefix: text }),
})
const qmd = object({
  command: text,
  searchMode: oneOf(['search', 'vsearch', 'query']),
  includeDefaultMemory: flag,
  paths: v.array(
    v.looseObject({ path: text, ...object({ pattern: text, name: text }).entries }, 'an object with a path'),
    'a list of objects with a path',
  ),
  sessions: object({ enabled: flag, retentionDays: between(0, Number.MAX_VALUE), exportDir: text }),
  update: object({
    interval: text,
    debounceMs: whole(0),
    onBoot: flag,
    waitForBootSync: flag,
    embedInterval: text,
    commandTimeoutMs: whole(1),
    updateTimeoutMs: whole(1),
    embedTimeoutMs: whole(1),
  }),
  limits: object({ maxResults: whole(1), maxSnippetChars: whole(1), maxInjectedChars: whole(1), timeoutMs: whole(1) }),
  scope: object({ default: oneOf(['allow', 'deny']), rules: v.array(scopeRule, 'a list of rules') }),
})

const provider = object({
  api: text,
  baseUrl: text,
  apiKey: secret,
  headers,
  model: text,
  dimensions: whole(1),
  inputType: v.union([v.string(), v.record(v.string(), v.unknown())], 'a text or an object'),
  limits: anything,
})

const schema: v.GenericSchema<unknown, Config> = object({
  agents: object({
    defaults: object(agent),
    list: v.array(
      v.looseObject({ id: v.pipe(text, v.minLength(1, 'a text')), ...object(agent).entries }, 'an object with an id'),
      'a list of agents',
    ),
  }),
  memory: object({ backend: oneOf(['builtin', 'qmd']), citations: oneOf(['on', 'off', 'auto']), qmd, search: memorySearch }),
  models: object({ providers: v.record(v.string(), provider, 'an object of providers') }),
  plugins: object({ slots: object({ memory: text }) }),
  session: anything,
  tools: object({ sessions: object({ visibility: oneOf(['self', 'tree', 'agent', 'all']) }) }),
  serve: anything,
  reflect: anything,
})

/** One value that is not allowed. `key` is the path from the top of the file. */
export interface SchemaIssue {
  readonly key: readonly (string | number)[]
  readonly value: unknown
  readonly allowed: string
}

export function checkConfig(
  input: unknown,
): { readonly isValid: true; readonly config: Config } | { readonly isValid: false; readonly issues: readonly SchemaIssue[] } {
  const lists = misplacedLists(input, knownKeys())
  if (lists.length > 0) return { isValid: false, issues: lists }
  const result = v.safeParse(schema, input)
  if (result.success) return { isValid: true, config: result.output }
  return {
    isValid: false,
    issues: result.issues.map((issue) => ({
      key: (issue.path ?? []).map((item) => (typeof item.key === 'number' ? item.key : String(item.key))),
      value: issue.input,
      allowed: issue.message,
    })),
  }
}

/** A list where an object belongs: valibot takes a list for an object with numbered keys. */
function misplacedLists(input: unknown, tree: KeyTree, key: readonly string[] = []): readonly SchemaIssue[] {
  if (!isObject(input) || tree.kind === 'value') return []
  if (tree.kind !== 'list' && Array.isArray(input)) return [{ key, value: input, allowed: 'an object' }]
  return Object.entries(input).flatMap(([name, value]) => {
    const child = tree.kind === 'object' ? tree.keys.get(name) : tree.kind === 'list' ? tree.item : tree.value
    return child === undefined ? [] : misplacedLists(value, child, [...key, name])
  })
}

/** The keys the schema knows, as a tree. */
export type KeyTree =
  | { readonly kind: 'object'; readonly keys: ReadonlyMap<string, KeyTree> }
  | { readonly kind: 'record'; readonly value: KeyTree }
  | { readonly kind: 'list'; readonly item: KeyTree }
  | { readonly kind: 'value' }

export function knownKeys(): KeyTree {
  return keysOf(schema)
}

function keysOf(node: object): KeyTree {
  if ('wrapped' in node && isObject(node.wrapped)) return keysOf(node.wrapped)
  if ('entries' in node && isObject(node.entries)) {
    return { kind: 'object', keys: new Map(Object.entries(node.entries).map(([key, member]) => [key, keysOf(member)])) }
  }
  if ('item' in node && isObject(node.item)) return { kind: 'list', item: keysOf(node.item) }
  if ('value' in node && isObject(node.value)) return { kind: 'record', value: keysOf(node.value) }
  return { kind: 'value' }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
