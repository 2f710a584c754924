import { ConfigError, StoreError } from '@mnemark/spec'
import type { Settings } from '../config/load-settings.ts'
import { toFailure } from '../failure.ts'
import { openMemory } from '../memory/open/open-memory.ts'
import { askProviders } from '../providers/use/ask-providers.ts'
import type { AskedProvider } from '../providers/use/ask-providers.ts'
import { chooseLinks } from '../providers/choose/choose-links.ts'
import { findKey, lookForKey, missingKey, modelProviderOf } from '../providers/keys/find-key.ts'
import { KEY_VARIABLES } from '../providers/keys/key-variables.ts'
import type { UsableChain } from '../providers/use/usable-chain.ts'
import type { Check } from './check.ts'

/** Services that need a key, unless another URL is configured for them. */
const NEEDS_KEY = ['openai', 'gemini', 'voyage', 'mistral', 'github-copilot']

/** Lists the providers with a key and its source, never the key itself; and the links of the chain that lack one. */
export function checkKeys(settings: Settings): Check {
  const present = new Map<string, string>()
  try {
    const { links } = chooseLinks(settings)
    for (const link of links) {
      const key = findKey(link, settings)
      if (key !== null) present.set(link.id, key.from)
    }
    for (const id of [...Object.keys(KEY_VARIABLES), ...Object.keys(settings.config.models?.providers ?? {})]) {
      const key = lookForKey({ id, key: '', remote: { headers: {} }, local: {} }, settings)
      if (key !== null && !present.has(id)) present.set(id, key.from)
    }
    const list = [...present].map(([id, from]) => `${id} (${from})`)
    const message = list.length === 0 ? 'none: keywords need none' : `present for ${list.join(', ')}`
    const wanting = links.find(
      ({ id, remote }) =>
        NEEDS_KEY.includes(id) &&
        !present.has(id) &&
        remote.baseUrl === undefined &&
        modelProviderOf(id, settings).entry.baseUrl === undefined,
    )
    if (wanting === undefined) return { name: 'keys', status: 'ok', message }
    return { name: 'keys', status: 'warning', message: `${message}; none for ${wanting.id}`, next: missingKey(wanting) }
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    const { message, next } = toFailure(error)
    return { name: 'keys', status: 'failed', message, next }
  }
}

/** Asks each provider of the chain for one vector; reports if none may be asked. */
export async function checkProviders(settings: Settings): Promise<readonly Check[]> {
  const open = await openForAsking(settings)
  if (open === null) return []
  try {
    const asked = await askProviders(open.chain.providers)
    const { checkProxies } = await import('./check-proxies.ts')
    const proxies = checkProxies(open.chain.providers, settings.environment)
    return [...describeChain(open.chain), ...proxies, ...asked.map(describe)]
  } finally {
    await open.close()
  }
}

/** Null if the index or the configuration prevents it; other checks report that. */
async function openForAsking(settings: Settings): Promise<Awaited<ReturnType<typeof openMemory>> | null> {
  try {
    return await openMemory(settings, { isReadOnly: true, isBuiltInOnly: true })
  } catch (error) {
    if (ConfigError.isInstance(error) || StoreError.isInstance(error)) return null
    throw error
  }
}

function describeChain({ providers, degraded, consent }: UsableChain): readonly Check[] {
  const remarks = degraded.map(({ message }): Check => ({ name: 'provider', status: 'warning', message }))
  if (providers.length > 0 || remarks.length > 0) return remarks
  const message = consent === null ? 'none: search is by keywords' : `none: nothing may be sent to ${consent.host}`
  return [{ name: 'provider', status: 'ok', message }]
}

function describe({ provider, model, host, ms, dimensions, problem }: AskedProvider): Check {
  const name = `${provider} (${model}) at ${host}`
  if (problem !== undefined) return { name: 'provider', status: 'failed', message: problem.message }
  return { name: 'provider', status: 'ok', message: `${name} answers in ${ms} ms, ${dimensions ?? 'no'} dimensions` }
}
