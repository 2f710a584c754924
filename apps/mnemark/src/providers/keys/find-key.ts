import { ConfigError } from '@mnemark/spec'
import type { ModelProviderConfig } from '../../config/schema/config.ts'
import { expandVariables } from '../../config/expand-variables.ts'
import type { Found } from '../../config/resolve/layers.ts'
import type { LinkSettings } from '../../config/resolve/settings.ts'
import { findProfileKey } from './auth-profiles.ts'
import { isOwnHost, KEY_VARIABLES } from './key-variables.ts'
import type { ProviderSources } from './provider-context.ts'
import { resolveSecret } from './resolve-secret.ts'

/** Other names that OpenClaw uses for a provider. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { gemini: ['google'], bedrock: ['amazon-bedrock'] }

/** The part of a link that says where its key is. */
export type KeyedLink = Pick<LinkSettings, 'id' | 'remote'>

export interface FoundKey {
  readonly value: string
  /** Its source, for people: a key of the configuration, a file, or a variable. */
  readonly from: string
}

/** The entry of `models.providers` for an id, with its key. */
export function modelProviderOf(
  id: string,
  { config }: Pick<ProviderSources, 'config'>,
): { readonly key: string; readonly entry: ModelProviderConfig } {
  const entries = config.models?.providers ?? {}
  const name = [id, ...(OTHER_NAMES[id] ?? [])].find((each) => Object.hasOwn(entries, each)) ?? id
  return { key: `models.providers.${name}`, entry: entries[name] ?? {} }
}

/** The key of one link: its own, then `models.providers`, then OpenClaw's profiles, then the environment. Throws ConfigError for a variable that is not set. */
export function findKey(link: KeyedLink, sources: ProviderSources): FoundKey | null {
  const own = link.remote.apiKey
  if (own !== undefined) return { value: resolveSecret(own, sources), from: own.key }
  const { key, entry } = modelProviderOf(link.id, sources)
  if (entry.apiKey !== undefined) {
    const found = { key: `${key}.apiKey`, value: entry.apiKey }
    return { value: resolveSecret(found, sources), from: found.key }
  }
  // A provider under a user's own name has only its configured key.
  return KEY_VARIABLES[link.id] === undefined ? null : (profileKey(link.id, sources) ?? environmentKey(link, sources))
}

/** The configured URL of a link: its own, else that of its entry. Throws ConfigError for a variable that is not set. */
export function baseUrlOf(link: KeyedLink, sources: ProviderSources): string | undefined {
  const own = link.remote.baseUrl
  const { key, entry } = modelProviderOf(link.id, sources)
  const written = own ?? (entry.baseUrl === undefined ? undefined : { key: `${key}.baseUrl`, value: entry.baseUrl })
  if (written === undefined) return undefined
  refuseSecret(written)
  return expandVariables(written.value, written.key, sources.environment)
}

/** Many programs resolve, log and show a URL: it must not hold a key. */
function refuseSecret({ key, value }: Found<string>): void {
  const names = [...value.matchAll(/(?<!\$)\$\{(\w{1,200})\}/gu)].map((match) => match[1] ?? '')
  const name = names.find((each) => /KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH/iu.test(each))
  if (name === undefined) return
  throw new ConfigError('invalid-value', `${key} puts ${name} into an address. Give a key as remote.apiKey or in a header.`)
}

/** As `findKey`, for a provider nobody configured: a variable that is not set means no key. */
export function lookForKey(link: LinkSettings, sources: ProviderSources): FoundKey | null {
  if (link.remote.apiKey !== undefined) return findKey(link, sources)
  try {
    return findKey(link, sources)
  } catch (error) {
    if (ConfigError.isInstance(error)) return null
    throw error
  }
}

function profileKey(id: string, sources: ProviderSources): FoundKey | null {
  const found = findProfileKey([id, ...(OTHER_NAMES[id] ?? [])], sources)
  if (found === null) return null
  const key = `${found.profile} in ${found.file}`
  return { value: resolveSecret({ key, value: found.secret }, sources), from: key }
}

/** Such a key was made for the service: another host gets a key only if one is configured for that host. */
function environmentKey(link: KeyedLink, sources: ProviderSources): FoundKey | null {
  const { id } = link
  const { environment } = sources
  const baseUrl = baseUrlOf(link, sources)
  if (baseUrl !== undefined && !isOwnHost(id, baseUrl)) return null
  const variable = KEY_VARIABLES[id]?.find((name) => (environment[name] ?? '').trim() !== '')
  return variable === undefined ? null : { value: environment[variable] ?? '', from: variable }
}

/** The next step if a provider needs a key and none is found; `baseUrl` if an address is set, `ownPlace` the key of the configuration for it. */
export function missingKey({ id }: Pick<LinkSettings, 'id'>, baseUrl?: string, ownPlace = 'memorySearch.remote.apiKey'): string {
  const variable = KEY_VARIABLES[id]?.[0]
  const places = [ownPlace, `models.providers.${id}.apiKey`]
  if (baseUrl !== undefined && !isOwnHost(id, baseUrl)) {
    const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the address that is set'
    const keyless = id === 'cohere' ? 'cohere-compatible' : 'openai-compatible'
    const example = variable === undefined ? '' : `, for example to "\${${variable}}"`
    return (
      `${id}: no key for ${host}. A key of the environment goes to the service's own hosts only. Set ${places.join(' or ')}` +
      `${example}, or provider "${keyless}" for a server that takes none.`
    )
  }
  return `${id}: no key. Set ${variable === undefined ? '' : `${variable} in the environment, `}${places.join(' or ')}.`
}
