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
  /** True where somebody agreed to the file as it is: then it stands alone, else on top of the user's own configuration. */
  readonly isAgreed: boolean
  readonly agreed: readonly TrustedKey[]
  readonly untrusted: readonly TrustedKey[]
  /** True where a person has said no to just these keys: they are named, and not asked about again. */
  readonly isRefused: boolean
  /** Rules of who may ask that do not count as they are, and still keep others out: ignored, they would let everybody in. */
  readonly narrowingScope: Scope | null
}

/** Takes out of `config`, the file of the workspace `folder`, what only counts once it is trusted. */
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
