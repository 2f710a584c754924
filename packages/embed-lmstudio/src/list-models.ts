import {
  checkHeaders,
  failingFetch,
  failureError,
  freezeOptions,
  guardCall,
  guardedFetch,
  jsonOrText,
  notedFailure,
  requireKey,
  secretsOf,
} from '@mnemark/provider-kit'
import type { LMStudioServerOptions } from './options.ts'
import { serverAddress } from './server-address.ts'

/** A model on the server's disk. */
export interface LMStudioModel {
  /** The id to pass to `createLMStudio`. */
  readonly id: string
  /** Whether the server embeds with it; it takes some embedding models for language models. */
  readonly isEmbedding: boolean
  readonly isLoaded: boolean
  /** Tokens it takes as it is loaded. Absent where it is not, and where the server does not tell. */
  readonly loadedContextTokens?: number
  /** Tokens it can be loaded with. */
  readonly maxContextTokens?: number
}

const ID = 'lmstudio'

/**
 * Lists the server's models, loaded or not, through its own API (LM Studio 0.3.6 or newer). Rejects with a `ProviderError`:
 * `config` for invalid options, `unavailable` if no server runs, `bad-response` if it is not LM Studio or too old.
 */
export function listLMStudioModels(
  given: LMStudioServerOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly LMStudioModel[]> {
  const { signal, ...rest } = given
  const options = freezeOptions(rest)
  const headers = headersOf(options)
  const context = { provider: ID, model: 'list of models', secrets: secretsOf(undefined, headers), texts: [] }
  const call = { context, signal, timeoutMs: options.timeoutMs, lateness: 'no list' }
  return guardCall(call, (either) => readLists(getter(options, headers, either)))
}

function headersOf({ apiKey, headers }: LMStudioServerOptions): Readonly<Record<string, string>> {
  const checked = checkHeaders(ID, headers)
  return apiKey === undefined ? checked : { authorization: `Bearer ${requireKey(ID, apiKey)}`, ...checked }
}

type Getter = (path: string) => Promise<unknown>

function getter(options: LMStudioServerOptions, headers: Readonly<Record<string, string>>, signal: AbortSignal): Getter {
  const address = serverAddress(ID, options.baseUrl)
  const send = failingFetch(guardedFetch(new URL(address).origin, options.fetch))
  return async (path) => jsonOrText(await (await send(address + path, { headers, signal })).text())
}

/** Since 0.4 the server has an API that names the context of each loaded model; before that, another. */
async function readLists(get: Getter): Promise<readonly LMStudioModel[]> {
  const newer = listIn(await unlessAbsent(get('/api/v1/models')), 'models')
  if (newer !== undefined) return newer.flatMap(modelOfV1)
  const older = listIn(await unlessAbsent(get('/api/v0/models')), 'data')
  if (older !== undefined) return older.flatMap(modelOfV0)
  throw failureError({
    code: 'bad-response',
    summary: 'the server has no list of models that tells embedding models apart',
    nextStep: 'Check that LM Studio 0.3.6 or newer runs at the address.',
  })
}

/** A missing path is 404 behind a gateway; the server itself answers with a success that holds an error. */
async function unlessAbsent(reply: Promise<unknown>): Promise<unknown> {
  return reply.catch((error: unknown) => {
    if (typeof error === 'object' && error !== null && notedFailure(error)?.status === 404) return undefined
    throw error
  })
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

function listIn(reply: unknown, name: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = isRecord(reply) ? reply[name] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : undefined
}

const countOf = <Name extends string>(name: Name, value: unknown): Partial<Readonly<Record<Name, number>>> =>
  // The name of the one member is that of the type.
  Number.isSafeInteger(value) ? ({ [name]: value } as Readonly<Record<Name, number>>) : {}

function modelOfV1(entry: Readonly<Record<string, unknown>>): readonly LMStudioModel[] {
  const { key, type, loaded_instances: instances, max_context_length: most } = entry
  if (typeof key !== 'string') return []
  const loaded = Array.isArray(instances) ? instances.filter(isRecord) : []
  const { config } = loaded[0] ?? {}
  return [
    {
      id: key,
      isEmbedding: type === 'embedding',
      isLoaded: loaded.length > 0,
      ...countOf('loadedContextTokens', isRecord(config) ? config['context_length'] : undefined),
      ...countOf('maxContextTokens', most),
    },
  ]
}

function modelOfV0(entry: Readonly<Record<string, unknown>>): readonly LMStudioModel[] {
  const { id, type, state, loaded_context_length: context, max_context_length: most } = entry
  if (typeof id !== 'string') return []
  return [
    {
      id,
      isEmbedding: type === 'embeddings',
      isLoaded: state === 'loaded',
      ...countOf('loadedContextTokens', context),
      ...countOf('maxContextTokens', most),
    },
  ]
}
