import * as v from 'valibot'
import type { AgentConfig, Config } from './config.ts'
import { isObject } from './is-object.ts'
import { keysOf } from './key-tree.ts'
import type { KeyTree } from './key-tree.ts'
import { memorySearch } from './sections/memory-search-schema.ts'
import { generate, rerank } from './sections/models-schema.ts'
import { OPENCLAW_KEYS } from './openclaw-keys.ts'
import { qmd } from './sections/qmd-schema.ts'
import { anything, classed, flag, headers, key, object, oneOf, secret, text, timeZone, whole } from './schema-values.ts'
import { scope } from './sections/scope-schema.ts'
import { compaction, session } from './sections/session-schema.ts'
import { serve } from './sections/serve-schema.ts'

// The whole file. Objects are loose: `known-keys.ts` walks this schema and warns about unknown keys, so that a key is written
// down only once. The reference page is made from it too.

const agent = {
  workspace: classed(
    'inside',
    key(text, {
      means: 'the folder of notes when `--workspace` is not given; relative to the file, `~/` allowed',
      default: 'the nearest folder upwards with `MEMORY.md` or `memory/`',
    }),
  ),
  userTimezone: classed('finding', key(timeZone, { means: 'days are counted in it', default: "the system's" })),
  dateOrder: classed(
    'finding',
    key(oneOf(['dmy', 'mdy']), {
      means: 'how `03/04/2026` and `03-04-2026` are meant in names, headings, front matter and questions: day or month first',
      default: "what the names of a note's folder prove; else such a date names no day, and `doctor` says so",
    }),
  ),
  memorySearch,
  compaction: classed('trusted', compaction),
}

const listedAgent: v.GenericSchema<unknown, AgentConfig & { readonly id: string }> = v.looseObject(
  {
    id: classed('finding', key(v.pipe(text, v.minLength(1, 'a text')), { means: 'as `--agent` names it' })),
    ...object({ ...OPENCLAW_KEYS.agent, ...agent }).entries,
  },
  'an object with an id',
)

const provider = object({
  ...OPENCLAW_KEYS.modelProvider,
  api: key(text, {
    means:
      'what the server speaks, for an id of your own: `"openai"` (any server with `/v1/embeddings` or chat completions), `"ollama"`, `"gemini"`, `"voyage"`, `"mistral"`, `"lmstudio"`',
  }),
  module: key(text, {
    means:
      'a module of your own that exports `createProvider(options)`, and for `models.generate` and `models.rerank` `createGenerator` and `createReranker`: a path from the folder of this file, or a package ([how](add-a-provider.md#without-touching-this-repository))',
  }),
  options: key(anything, { means: 'handed to that module as `options.options`, `${NAME}` in texts filled in' }),
  baseUrl: key(text, { means: 'where it is; requests go nowhere else' }),
  apiKey: key(secret, { means: 'its key; `google` holds the key of `gemini`' }),
  headers: key(headers, { means: 'sent with every request' }),
  model: key(text, { means: 'the embedding model, where `memorySearch` names none' }),
  dimensions: key(whole(1), { means: 'length of vector to ask for, where `memorySearch` names none' }),
  inputType: key(v.union([v.string(), v.record(v.string(), v.unknown())], 'a text or an object'), {
    means: 'as in `memorySearch`, where that names none',
  }),
  limits: key(
    object({
      maxInputs: whole(1),
      maxInputTokens: whole(1),
      maxRequestTokens: whole(1),
      maxRequestBytes: whole(1),
      concurrency: whole(1),
    }),
    {
      means:
        'what the server takes: `maxInputs` texts a request, `maxInputTokens` a text, `maxRequestTokens`, `maxRequestBytes`; `concurrency` requests at a time',
      default: "the provider's",
    },
  ),
})

const secretProvider = object({
  source: key(oneOf(['env', 'file', 'exec']), {
    means: '`"env"`: variables; `"file"`: a file; `"exec"` is not followed, since it runs a program',
  }),
  path: key(text, { means: 'the file' }),
  mode: key(oneOf(['json', 'singleValue']), {
    means: '`"json"`: `id` is a JSON pointer into the file; `"singleValue"`: the file is the secret',
    default: '`"json"`',
  }),
})

const schema: v.GenericSchema<unknown, Config> = object({
  ...OPENCLAW_KEYS.top,
  agents: object({
    defaults: object({ ...OPENCLAW_KEYS.agentDefaults, ...agent }),
    list: key(v.array(listedAgent, 'a list of agents'), {
      means: 'what differs for one agent, key by key; another `provider` takes no model, address or key from the defaults',
    }),
  }),
  memory: object({
    backend: classed(
      'trusted',
      key(oneOf(['builtin', 'qmd']), {
        means: 'who answers: the built-in engine, or the installed `qmd` program ([docs/qmd.md](qmd.md))',
        default: '`"builtin"`',
      }),
      ['builtin'],
    ),
    citations: classed(
      'finding',
      key(oneOf(['on', 'off', 'auto']), { means: 'whether a snippet ends with its source', default: '`"auto"`' }),
    ),
    scope: classed(
      'trusted',
      key(scope, {
        means:
          'who may search and read, by `chatType`, `channel` and session key; the first rule that fits decides, else `default`',
        default: 'everybody',
      }),
    ),
    qmd: classed('trusted', qmd),
    search: key(memorySearch, { means: 'the same keys as `memorySearch`, in the newer place; the usual place wins' }),
  }),
  models: object({
    ...OPENCLAW_KEYS.models,
    providers: v.record(v.string(), classed('trusted', provider), 'an object of providers'),
    generate,
    rerank,
  }),
  plugins: object({
    ...OPENCLAW_KEYS.plugins,
    slots: object({ memory: classed('finding', key(text, { means: '`"none"` switches memory off' })) }),
  }),
  secrets: object({
    providers: v.record(v.string(), classed('trusted', secretProvider), 'an object of places of secrets'),
    defaults: classed('trusted', key(anything, { means: 'which of them is meant where a key names none', isUnused: true })),
    resolution: classed('trusted', key(anything, { means: 'how many are looked up at a time', isUnused: true })),
  }),
  session: classed('trusted', session),
  tools: object({
    ...OPENCLAW_KEYS.tools,
    sessions: classed(
      'trusted',
      object({
        enabled: key(flag, {
          means: '`true`: agents have the tools `sessions_list` and `sessions_history`',
          default: '`false`',
        }),
        visibility: key(oneOf(['self', 'tree', 'agent', 'all']), {
          means: 'which conversations a session may see ([who sees what](http-api.md#sessions))',
          default: '`"tree"`: its own and those it started',
        }),
      }),
    ),
  }),
  bank: object({
    enabled: classed(
      'finding',
      key(flag, { means: '`true`: agents have the tools of the bank: `memory_recall` and `memory_retain`', default: '`false`' }),
    ),
  }),
  serve: classed('trusted', serve),
  workspaces: v.record(
    v.string(),
    classed(
      'finding',
      key(text, {
        means: "the folder that `-w NAME` means; counts in the user's own file only, where `mnemark workspace add` writes it",
      }),
    ),
    'an object of folders by name',
  ),
  reflect: classed('trusted', key(anything, { means: 'reflection', isUnused: true })),
})

/** An invalid value. `key` is the path from the top of the file. */
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

/** A list in place of an object: valibot accepts a list as an object with numbered keys. */
function misplacedLists(input: unknown, tree: KeyTree, path: readonly string[] = []): readonly SchemaIssue[] {
  if (!isObject(input) || tree.kind === 'value' || tree.kind === 'either') return []
  if (tree.kind !== 'list' && Array.isArray(input)) return [{ key: path, value: input, allowed: 'an object' }]
  return Object.entries(input).flatMap(([name, value]) => {
    const child = tree.kind === 'object' ? tree.keys.get(name) : tree.kind === 'list' ? tree.item : tree.value
    return child === undefined ? [] : misplacedLists(value, child, [...path, name])
  })
}

export function knownKeys(): KeyTree {
  return keysOf(schema)
}
