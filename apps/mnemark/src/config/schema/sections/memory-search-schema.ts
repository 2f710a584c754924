import * as v from 'valibot'
import type { MemorySearchConfig } from '../config.ts'
import {
  anything,
  between,
  classed,
  flag,
  headers,
  key,
  languageTag,
  object,
  oneOf,
  secret,
  text,
  texts,
  whole,
} from '../schema-values.ts'

const inputType = v.union(
  [v.string(), v.record(v.string(), v.unknown())],
  '"symmetric", an input type, { prefix: { query, document } } or { query: {…}, document: {…} }',
)

const address = {
  baseUrl: key(text, { means: 'another address of the service; https, or http on this machine or network' }),
  apiKey: key(secret, { means: 'comes before every other place of a key' }),
  headers: key(headers, { means: 'sent with every request' }),
  nonBatchConcurrency: key(whole(1), { means: 'requests at a time', default: "the provider's" }),
}
const batch = object({
  enabled: key(flag, {
    means:
      'texts go into offline jobs of OpenAI, Gemini, Voyage or Mistral: cheaper, and hours later; see [batch jobs](batch.md)',
    default: '`false`',
  }),
  wait: key(flag, { means: '`false`: jobs are made, and a later `index` collects them', default: '`true`' }),
  concurrency: key(whole(1), { means: 'jobs at the service at a time', default: '2' }),
  pollIntervalMs: key(whole(1), { means: 'between two looks at a job, at first; grows to a minute', default: '2000' }),
  timeoutMinutes: key(between(0), { means: 'ends the wait, not the jobs', default: '60' }),
  rest: key(oneOf(['inline', 'batch']), {
    means: 'texts whose job ended without them go by requests, or into one more job',
    default: '`"inline"`',
  }),
})
const remote = object({
  ...address,
  consent: classed(
    'trusted',
    key(flag, { means: '`true`: notes may go to the host that `auto` finds; `false`: never, and nobody is asked' }),
    [false],
  ),
  batch,
})
const local = object({
  modelPath: key(text, {
    means: 'a GGUF file (relative to the workspace), `hf:user/repository/file.gguf`, or an address it is fetched from',
  }),
  modelCacheDir: key(text, { means: 'where fetched models are kept', default: '`~/.node-llama-cpp/models`' }),
  contextSize: key(v.union([whole(1), v.literal('auto')], 'a whole number from 1, or "auto"'), {
    means: 'tokens of context; `"auto"` is the most the model takes',
    default: "2048, or the model family's if that is less",
  }),
})

const model = key(text, { means: 'the embedding model', default: "the provider's usual one" })
const outputDimensionality = key(whole(1), { means: 'length of vector to ask for', default: "the model's" })
const queryInputType = key(text, { means: 'as `inputType`, for queries alone' })
const documentInputType = key(text, { means: 'as `inputType`, for documents alone' })

const fallbackLink = v.union([
  v.string(),
  v.looseObject({
    provider: key(text, { means: 'as `provider` above, but not `"auto"`' }),
    ...object({
      model,
      outputDimensionality,
      inputType: key(inputType, { means: 'as above' }),
      queryInputType,
      documentInputType,
      remote: object(address),
      local,
    }).entries,
  }),
])

const hybrid = object({
  enabled: key(flag, { means: '`false`: where a query has a vector, vectors alone answer', default: '`true`' }),
  vectorWeight: key(between(0), { means: 'only its proportion to `textWeight` counts', default: "the embedder's" }),
  textWeight: key(between(0), { means: 'only its proportion to `vectorWeight` counts', default: "the embedder's" }),
  candidateMultiplier: key(whole(1, 20), { means: 'candidates looked at for each wanted hit', default: '`4`' }),
  fusion: key(oneOf(['weighted', 'rrf']), { means: 'how keyword and vector lists are joined', default: '`"weighted"`' }),
  mmr: object({
    enabled: key(flag, { means: 'hits that differ from each other', default: '`false`' }),
    lambda: key(between(0, 1), { means: '1 is relevance alone, 0 difference alone', default: '`0.7`' }),
  }),
  temporalDecay: object({
    enabled: key(flag, { means: 'recent notes first, among dated ones', default: '`false`' }),
    halfLifeDays: key(
      v.custom<number>((value) => Number.isFinite(value) && Number(value) > 0, 'a number of days above 0'),
      { means: 'after so many days a score is halved', default: '`30`' },
    ),
  }),
})

const store = object({
  kind: key(oneOf(['sqlite', 'lancedb', 'postgres']), {
    means: 'where the index is kept; `"sqlite"` is the one this version has',
    default: '`"sqlite"`',
  }),
  path: classed(
    'inside',
    key(text, {
      means: 'the index file; `{agentId}`, `~/…`, relative to the workspace',
      default: '`.mnemark/{agentId}.sqlite`',
    }),
  ),
  module: classed(
    'trusted',
    key(text, {
      means:
        'a module of your own that exports `createStore(options)` and keeps the index instead: a path from the folder of this file, or a package',
    }),
  ),
  options: classed(
    'trusted',
    key(anything, { means: 'handed to that module as `options.options`, `${NAME}` in texts filled in' }),
  ),
  vector: object({
    enabled: key(flag, {
      means:
        '`false`: SQL queries on the index go without `sqlite-vec`; searches never need it (`provider: "none"` is what makes no vectors)',
      default: '`true`',
    }),
    extensionPath: classed(
      'trusted',
      key(text, {
        means: 'the loadable file of `sqlite-vec`; `~/…`, relative to the workspace',
        default: 'that of the npm package, if installed',
      }),
    ),
  }),
})

const sync = object({
  onSessionStart: key(flag, { means: 'servers bring the index up to date when a session starts', default: '`true`' }),
  onSearch: key(flag, { means: '`false`: a search answers from the last sync, without a look at the files', default: '`true`' }),
  watch: key(flag, { means: 'long-lived processes follow changes as they happen', default: '`true`' }),
  watchDebounceMs: key(whole(0), { means: 'how long it must be quiet before changes are taken in', default: '`1500`' }),
  intervalMinutes: key(between(0), { means: 'minutes between two looks at everything; `0` is none', default: '`0`' }),
  indexLargeFolder: key(flag, {
    means: '`true`: a first index of more than 2,000 notes or 50 MB is made unasked, by an MCP server too',
    default: '`false`',
  }),
  embeddingBatchTimeoutSeconds: key(between(1), {
    means: 'how long one request with documents may take',
    default: '120, or 600 on this machine or network',
  }),
  sessions: key(object({ deltaBytes: whole(0), deltaMessages: whole(0) }), {
    means: 'how much of a transcript must be new',
    isUnused: true,
  }),
})

/** The keys of `memorySearch`, and of `memory.search` in newer files. */
export const memorySearch: v.GenericSchema<unknown, MemorySearchConfig> = object({
  enabled: classed('finding', key(flag, { means: '`false` switches memory off', default: '`true`' })),
  provider: classed(
    'trusted',
    key(text, {
      means: 'who makes vectors: `"auto"`, `"none"` (keywords only, on purpose), a provider, or a name of `models.providers`',
      default: '`"auto"`',
    }),
    ['none'],
  ),
  model: classed('trusted', model),
  fallback: classed(
    'trusted',
    key(
      v.union(
        [fallbackLink, v.array(fallbackLink)],
        'a provider, or a list of providers or of objects such as { provider: "ollama", model: "nomic-embed-text" }',
      ),
      {
        means:
          'who makes vectors while the provider fails, in order; `"none"`: nobody else ever gets a note; an object has settings of its own',
        default: '`"none"`',
      },
    ),
    ['none'],
  ),
  fallbackAfterMinutes: classed(
    'trusted',
    key(between(0), {
      means: 'how long the provider must have failed before documents go to the next one',
      default: '`10`',
    }),
  ),
  keepWarm: classed(
    'trusted',
    key(flag, { means: 'keep the vectors of the first fallback up to date always', default: '`false`' }),
    [false],
  ),
  sources: classed(
    'finding',
    key(v.array(oneOf(['memory', 'sessions']), 'a list of "memory", "sessions"'), {
      means: 'what is searched; sessions are not part of this version, and each answer says so',
      default: '`["memory"]`',
    }),
  ),
  extraPaths: classed(
    'inside',
    key(texts, {
      means: 'more files, folders (with all below) and globs; absolute, `~/…`, or relative to the workspace',
      default: '`[]`',
    }),
  ),
  inputType: classed(
    'trusted',
    key(inputType, {
      means: 'how the model tells a query from a document, for servers and models that want it',
      default: "the provider's",
    }),
  ),
  queryInputType: classed('trusted', queryInputType),
  documentInputType: classed('trusted', documentInputType),
  outputDimensionality: classed('trusted', outputDimensionality),
  remote: classed('trusted', remote),
  local: classed('trusted', local),
  query: classed(
    'finding',
    object({
      maxResults: key(whole(1, 100), { means: 'hits in an answer', default: '`6`' }),
      language: key(languageTag, {
        means: 'of translations of one page, the one ranked where the question does not tell its language',
        default: "the system's",
      }),
      minScore: key(between(0, 1), { means: 'for candidates without a keyword match', default: '`0.35`' }),
      hybrid,
    }),
  ),
  chunking: classed(
    'finding',
    object({
      tokens: key(whole(1, 32_768), { means: 'size of a chunk', default: '`400`' }),
      overlap: key(whole(0, 32_767), {
        means: 'less than `tokens`; where only `tokens` is set, at most a fifth of it',
        default: '`80`',
      }),
    }),
  ),
  store: classed('finding', store),
  cache: classed(
    'trusted',
    object({
      enabled: key(flag, { means: 'keep vectors of texts that are gone, for when they come back', default: '`true`' }),
      maxEntries: key(whole(0), { means: 'how many of them, the least recently used go first', default: '`50000`' }),
    }),
  ),
  sync: classed('finding', sync),
  limits: classed(
    'trusted',
    object({
      dailyTokens: key(whole(0), { means: 'tokens of documents sent for embedding in a day, at most', default: 'no limit' }),
    }),
    [0],
  ),
  multimodal: classed('trusted', key(anything, { means: 'images and audio', isUnused: true })),
  experimental: classed('finding', key(object({ sessionMemory: flag }), { means: 'search in transcripts', isUnused: true })),
})
