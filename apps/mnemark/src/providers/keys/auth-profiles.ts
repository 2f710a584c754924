import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject } from '../../config/schema/is-object.ts'
import { CONFIG_FILE } from '../../config/files/config-file.ts'
import type { Secret } from '../../config/schema/schema-values.ts'
import type { ProviderSources } from './provider-context.ts'

/** A key that OpenClaw keeps for a provider, and its file. */
export interface ProfileKey {
  readonly secret: Secret
  readonly file: string
  readonly profile: string
}

/**
 * The first API key among the profiles that OpenClaw keeps beside its configuration file, of the agent or of `main`. Logins
 * (`oauth`, `token`) are for chat and do not count, except for GitHub Copilot, whose login is its only key.
 */
export function findProfileKey(
  providers: readonly string[],
  { agentId, trustedFile }: Pick<ProviderSources, 'agentId' | 'trustedFile'>,
): ProfileKey | null {
  // A folder of notes is not searched: a file that came with it would pass for the user's key.
  if (trustedFile === null || basename(trustedFile) === CONFIG_FILE) return null
  for (const agent of new Set([agentId, 'main'])) {
    const file = join(dirname(trustedFile), 'agents', agent, 'agent', 'auth-profiles.json')
    const found = firstKey(readProfiles(file), providers)
    if (found !== null) return { ...found, file }
  }
  return null
}

/** An absent or broken file has no profiles: it belongs to OpenClaw, and the environment may hold the key. */
function readProfiles(file: string): Readonly<Record<string, unknown>> {
  try {
    const store: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(store) ? { ...store } : {}
  } catch {
    return {}
  }
}

function firstKey(
  { profiles, order }: Readonly<Record<string, unknown>>,
  providers: readonly string[],
): Omit<ProfileKey, 'file'> | null {
  if (!isObject(profiles)) return null
  const preferred = providers.flatMap((id) => (isObject(order) ? [Reflect.get(order, id)].flat() : []))
  for (const profile of new Set([...preferred.map(String), ...Object.keys(profiles)])) {
    const secret = keyOf(Reflect.get(profiles, profile), providers)
    if (secret !== null) return { secret, profile }
  }
  return null
}

function keyOf(profile: unknown, providers: readonly string[]): Secret | null {
  if (!isObject(profile)) return null
  const { provider, type, key, keyRef, token, tokenRef }: Readonly<Record<string, unknown>> = { ...profile }
  if (!providers.some((id) => id === provider)) return null
  if (type === 'api_key') return asSecret(key) ?? asSecret(keyRef)
  return type === 'token' && provider === 'github-copilot' ? (asSecret(token) ?? asSecret(tokenRef)) : null
}

function asSecret(value: unknown): Secret | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (!isObject(value)) return null
  const { source, id, provider }: Readonly<Record<string, unknown>> = { ...value }
  if (typeof source !== 'string' || typeof id !== 'string') return null
  return { source, id, ...(typeof provider === 'string' && { provider }) }
}
