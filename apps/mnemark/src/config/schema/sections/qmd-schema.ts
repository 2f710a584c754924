import * as v from 'valibot'
import { parseDuration } from '../duration.ts'
import type { QmdConfig } from '../qmd-settings.ts'
import { between, flag, key, object, oneOf, text, whole } from '../schema-values.ts'
import { scope } from './scope-schema.ts'

const duration: v.GenericSchema<unknown, string> = v.custom<string>(
  (value) => typeof value === 'string' && parseDuration(value) !== null,
  'a duration such as "5m", "90s" or "0"',
)

const path = v.looseObject(
  {
    path: key(text, { means: 'a folder or a file, absolute, relative to the workspace, or with `~/`' }),
    ...object({
      pattern: key(text, { means: 'a glob below it', default: '`"**/*.md"`' }),
      name: key(text, {
        means: 'the name of the collection; files outside the workspace are `qmd/<name>/<path>`',
        default: 'that of the folder',
      }),
    }).entries,
  },
  'an object with a path',
)

/** The keys of `memory.qmd`. */
export const qmd: v.GenericSchema<unknown, QmdConfig> = object({
  command: key(text, { means: 'the program: a name on the PATH or a path, with or without arguments', default: '`"qmd"`' }),
  searchMode: key(oneOf(['search', 'vsearch', 'query']), {
    means: '`"search"`: keywords, no models; `"vsearch"`: vectors; `"query"`: both and reranking',
    default: '`"search"`',
  }),
  includeDefaultMemory: key(flag, { means: 'whether the notes themselves are collections', default: 'true' }),
  paths: key(v.array(path, 'a list of objects with a path'), { means: 'more collections; `extraPaths` are some already' }),
  sessions: object({
    enabled: key(flag, { means: 'whether the folder of exported sessions is a collection', default: 'false' }),
    retentionDays: key(between(0), { means: 'how long exported sessions are kept', isUnused: true }),
    exportDir: key(text, { means: 'the folder of exported sessions', default: '`sessions` in the home of QMD' }),
  }),
  update: object({
    interval: key(duration, { means: 'between two updates of a process that stays; `"0"`: none by itself', default: '`"5m"`' }),
    debounceMs: key(whole(0), { means: 'least time between two updates nobody asked for', default: '15000' }),
    onBoot: key(flag, { means: 'update when a process that stays starts', default: 'true' }),
    waitForBootSync: key(flag, { means: 'let searches wait for that update', default: 'false' }),
    embedInterval: key(duration, { means: 'between two `embed` runs', default: 'after each update' }),
    commandTimeoutMs: key(whole(1), { means: 'longest time for a small command', default: '30000' }),
    updateTimeoutMs: key(whole(1), { means: 'longest time for an update', default: '120000' }),
    embedTimeoutMs: key(whole(1), {
      means: 'longest time for an `embed`; the next goes on where it stopped',
      default: '1800000',
    }),
  }),
  limits: object({
    maxResults: key(whole(1, 100), { means: 'hits per answer', default: '6' }),
    maxSnippetChars: key(whole(20), { means: 'longest snippet', default: '700' }),
    maxInjectedChars: key(whole(20), { means: 'longest sum of all snippets of an answer' }),
    timeoutMs: key(whole(1), { means: 'longest time for a search; then the built-in engine answers', default: '4000' }),
  }),
  scope: key(scope, {
    means: 'who may search and read where `memory.scope` is not set; guards the built-in engine too',
    default: 'direct chats',
  }),
  fallback: key(oneOf(['builtin', 'none']), { means: 'who answers while QMD cannot', default: '`"builtin"`' }),
  coolDown: key(duration, { means: 'how long QMD is left alone after a failure', default: '`"1m"`' }),
})
