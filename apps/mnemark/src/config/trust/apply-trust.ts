import type { Scope } from '@mnemark/core/backend'
import type { Config } from '../schema/config.ts'
import { knownKeys } from '../schema/schema.ts'
import { hashOfKeys, holds, nameOf } from './trust-record.ts'
import { trustRecordOf } from './trust-list.ts'
import { findTrustedKeys, type TrustedKey, withoutKeys } from './trusted-keys.ts'

/** The part of a workspace's own configuration file that counts on this machine. */
export interface JudgedConfig {
  /** Without the keys that do not count. */
  readonly config: Config
  /** True if the file as it is was trusted: then it stands alone, else it goes on top of the user's own configuration. */
  readonly isAgreed: boolean
  readonly agreed: readonly TrustedKey[]
  readonly untrusted: readonly TrustedKey[]
  /** True if a person refused exactly these keys: they are reported, and not asked about again. */
  readonly isRefused: boolean
  /** Untrusted scope rules that still keep others out: ignoring them would let everybody in. */
  readonly narrowingScope: Scope | null
}

/** Removes from `config`, the file of the workspace `folder`, everything that needs trust and does not have it. */
export function applyTrust(config: Config, folder: string): JudgedConfig {
  const keys = findTrustedKeys(config, knownKeys(), folder)
  const record = trustRecordOf(folder)
  const isAgreed = record !== null && record.trustedAt !== null && holds(record, keys, folder)
  const agreed = isAgreed ? keys.filter((key) => Object.hasOwn(record.keys, nameOf(key))) : []
  const untrusted = keys.filter((key) => !agreed.includes(key))
  const isScopeUntrusted = untrusted.some(({ path }) => path[0] === 'memory' && path[1] === 'scope')
  return {
    // Safe: the schema requires no key.
    config: untrusted.length === 0 ? config : (withoutKeys(config, untrusted) as Config),
    isAgreed,
    agreed,
    untrusted,
    isRefused: untrusted.length > 0 && record?.refused === hashOfKeys(untrusted),
    narrowingScope: isScopeUntrusted ? (config.memory?.scope ?? null) : null,
  }
}
