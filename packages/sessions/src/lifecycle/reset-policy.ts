import { ConfigError } from '@mnemark/spec'
import type { ChatType } from '../transcript/entry.ts'
import { sessionDay } from './session-day.ts'
import type { SessionKey } from './session-key.ts'

export interface ResetRule {
  /** `both`: whichever comes first. */
  readonly mode: 'off' | 'daily' | 'idle' | 'both'
  /** Hour of the user's clock at which a day begins, 0 to 23. Default: 4. */
  readonly atHour?: number
  /** Minutes without a person's message; 0 = never. */
  readonly idleMinutes?: number
}

export interface ResetPolicy extends Partial<ResetRule> {
  readonly byChatType?: Readonly<Partial<Record<ChatType, ResetRule>>>
  /** Comes before the chat type. */
  readonly byChannel?: Readonly<Record<string, ResetRule>>
}

export const DEFAULT_RESET: Required<ResetRule> = { mode: 'daily', atHour: 4, idleMinutes: 0 }

export type ResetReason = 'daily' | 'idle' | 'new' | 'reset'

/** The most specific rule: of the channel, else of the chat type, else of all. Jobs and hooks are never reset by time. */
export function ruleFor({ kind, chatType, channel }: SessionKey, policy: ResetPolicy): Required<ResetRule> {
  if (kind === 'cron' || kind === 'hook') return { ...DEFAULT_RESET, mode: 'off' }
  const specific = (channel === null ? undefined : policy.byChannel?.[channel]) ?? policy.byChatType?.[chatType]
  const { mode, atHour, idleMinutes } = specific ?? policy
  return {
    mode: mode ?? DEFAULT_RESET.mode,
    atHour: atHour ?? DEFAULT_RESET.atHour,
    idleMinutes: idleMinutes ?? DEFAULT_RESET.idleMinutes,
  }
}

/**
 * Why a message of a person begins a new session; null where it does not. Only `lastMs`, the last message of a person, counts, or the beginning
 * where there was none. A clock that jumps back resets nothing.
 */
export function staleBy(
  rule: Required<ResetRule>,
  { lastMs, nowMs, timeZone }: { readonly lastMs: number; readonly nowMs: number; readonly timeZone: string | undefined },
): 'daily' | 'idle' | null {
  const { mode, atHour, idleMinutes } = rule
  const isDaily = mode === 'daily' || mode === 'both'
  if (isDaily && sessionDay(lastMs, { timeZone, atHour }) < sessionDay(nowMs, { timeZone, atHour })) return 'daily'
  const isIdle = (mode === 'idle' || mode === 'both') && idleMinutes > 0
  return isIdle && nowMs - lastMs > idleMinutes * 60_000 ? 'idle' : null
}

/** @throws ConfigError `invalid-value` naming the key of the configuration */
export function checkResetPolicy(policy: ResetPolicy): void {
  const rules: readonly (readonly [string, Partial<ResetRule>])[] = [
    ['reset', policy],
    ...Object.entries(policy.byChatType ?? {}).map(([name, rule]) => [`reset.byChatType.${name}`, rule] as const),
    ...Object.entries(policy.byChannel ?? {}).map(([name, rule]) => [`reset.byChannel.${name}`, rule] as const),
  ]
  for (const [name, { mode, atHour = 0, idleMinutes = 0 }] of rules) {
    if (mode !== undefined && !['off', 'daily', 'idle', 'both'].includes(mode)) {
      throw new ConfigError('invalid-value', `${name}.mode: expected off, daily, idle or both, got ${String(mode)}`)
    }
    if (!Number.isInteger(atHour) || atHour < 0 || atHour > 23) {
      throw new ConfigError('invalid-value', `${name}.atHour: expected a whole number from 0 to 23, got ${String(atHour)}`)
    }
    if (!Number.isFinite(idleMinutes) || idleMinutes < 0) {
      throw new ConfigError('invalid-value', `${name}.idleMinutes: expected minutes, 0 or more, got ${String(idleMinutes)}`)
    }
  }
}
