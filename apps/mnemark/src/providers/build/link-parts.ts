import { ConfigError } from '@mnemark/spec'
import type { EmbeddingLimits } from '@mnemark/spec'
import { expandAll, expandVariables } from '../../config/expand-variables.ts'
import type { NamedModule } from '../../config/files/load-module.ts'
import type { LinkSettings } from '../../config/resolve/settings.ts'
import { show } from '../../config/files/show-value.ts'
import { baseUrlOf, findKey, modelProviderOf } from '../keys/find-key.ts'
import { inputTypesOf } from './input-types.ts'
import type { InputTypes } from './input-types.ts'
import type { ProviderSources } from '../keys/provider-context.ts'
import { isBuiltIn } from '../../config/schema/provider-ids.ts'
import type { ProviderId } from '../../config/schema/provider-ids.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'

/** One link with everything looked up, as its adapter needs it. */
export interface LinkParts {
  readonly link: LinkSettings
  /** The adapter for it; unused if a module is configured. */
  readonly adapter: ProviderId
  /** The module configured for it. */
  readonly module?: NamedModule
  /** A server of `OPENAI_COMPATIBLE_SERVERS` that `api` names. */
  readonly server?: string
  readonly apiKey?: string
  readonly baseUrl?: string
  readonly headers: Readonly<Record<string, string>>
  readonly model?: string
  readonly dimensions?: number
  readonly types?: InputTypes
  readonly limits: Partial<EmbeddingLimits>
}

/** Names that OpenClaw and others use for the protocols. */
const APIS: Readonly<Record<string, ProviderId>> = {
  openai: 'openai-compatible',
  'openai-completions': 'openai-compatible',
  'openai-responses': 'openai-compatible',
  google: 'gemini',
  'google-generative-ai': 'gemini',
  'bedrock-converse-stream': 'bedrock',
}
const SERVERS = ['vllm', 'tei', 'nim', 'openRouter', 'deepInfra', 'jina']

/** Throws ConfigError for a variable that is not set, an unknown `api`, or an unknown form of input type. */
export function partsOf(link: LinkSettings, sources: ProviderSources): LinkParts {
  const { key, entry } = modelProviderOf(link.id, sources)
  const expand = (text: string, at: string): string => expandVariables(text, at, sources.environment)
  const baseUrl = baseUrlOf(link, sources)
  const dimensions = link.outputDimensionality ?? entry.dimensions
  const types = inputTypesOf(link, entry.inputType)
  const apiKey = findKey(link, sources)?.value
  const model = link.model ?? entry.model
  const { nonBatchConcurrency: concurrency } = link.remote
  return {
    link,
    ...(entry.module === undefined
      ? speaks(link.id, `${key}.api`, entry.api)
      : ownModule(link.id, {
          key: `${key}.module`,
          name: entry.module,
          options: expandAll(entry.options ?? {}, `${key}.options`, sources.environment),
        })),
    ...withoutUndefined({ apiKey, baseUrl }),
    headers: {
      ...mapped(entry.headers ?? {}, (value, name) => expand(value, `${key}.headers.${name}`)),
      ...mapped(link.remote.headers, (header) => expand(header.value, header.key)),
    },
    ...(model !== undefined && { model: withoutProvider(model, link.id, baseUrl) }),
    ...withoutUndefined({ dimensions, types }),
    limits: { ...entry.limits, ...withoutUndefined({ concurrency }) },
  }
}

function ownModule(id: string, module: NamedModule): Pick<LinkParts, 'adapter' | 'module'> {
  if (!isBuiltIn(id)) return { adapter: 'openai-compatible', module }
  throw new ConfigError('invalid-value', `${module.key}: "${id}" is a provider of Mnemark's own. Give yours another name.`)
}

function speaks(id: string, key: string, api: string | undefined): Pick<LinkParts, 'adapter' | 'server'> {
  if (isBuiltIn(id)) return { adapter: id }
  const server = SERVERS.find((name) => name.toLowerCase() === api?.toLowerCase())
  if (server !== undefined) return { adapter: 'openai-compatible', server }
  const adapter = api === undefined ? undefined : (APIS[api] ?? api)
  if (adapter !== undefined && isBuiltIn(adapter) && adapter !== 'local') return { adapter }
  const allowed = ['openai', 'gemini', 'voyage', 'mistral', 'bedrock', 'ollama', 'lmstudio', ...SERVERS]
  throw new ConfigError(
    'invalid-value',
    `${key} is ${api === undefined ? 'missing' : show(api)}; allowed: ${allowed.map((name) => `"${name}"`).join(', ')}`,
  )
}

/**
 * OpenClaw also writes `openai/text-embedding-3-small`; at your own host, such as a router, this may be the model's real name.
 */
function withoutProvider(model: string, id: string, baseUrl: string | undefined): string {
  return baseUrl === undefined && model.startsWith(`${id}/`) ? model.slice(id.length + 1) : model
}

function mapped<Value>(
  entries: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name.toLowerCase(), change(value, name)]))
}
