import type { CompactionSettings, MaintenancePolicy, ResetPolicy } from '@mnemark/sessions'
import * as v from 'valibot'
import { OPENCLAW_KEYS } from '../openclaw-keys.ts'
import { between, flag, key, object, oneOf, text, whole } from '../schema-values.ts'

const never = v.literal(false)

const rule = {
  mode: key(oneOf(['off', 'daily', 'idle', 'both']), {
    means: "what begins a new session with a person's next message: a new day, a silence, or whichever comes first",
    default: '`"daily"`',
  }),
  atHour: key(whole(0, 23), { means: "the hour of the user's clock at which a day begins", default: '4' }),
  idleMinutes: key(between(0), { means: 'how long a silence is; 0 is none', default: '0' }),
}

const specific = v.looseObject({ ...object(rule).entries, mode: rule.mode }, 'an object with a mode')

/** `agents.defaults.compaction`: when the older part of a conversation gives way to a summary, and what is saved before. */
export const compaction: v.GenericSchema<unknown, CompactionSettings> = object({
  ...OPENCLAW_KEYS.compaction,
  enabled: key(flag, { means: '`false`: only by hand, or where a provider reports an overflow', default: '`true`' }),
  threshold: key(between(0.01, 1), { means: 'the share of the window at which it comes', default: '0.8' }),
  minMessages: key(whole(0), { means: 'fewer messages since the last one are left alone', default: '6' }),
  reserveTokensFloor: key(whole(0), {
    means: 'tokens kept free for the answer, at most a quarter of the window',
    default: '20000',
  }),
  keepRecentTokens: key(whole(0), {
    means: 'tokens of the latest messages that stay as they are, at most a quarter of the window',
    default: '20000',
  }),
  memoryFlush: object({
    ...OPENCLAW_KEYS.memoryFlush,
    enabled: key(flag, { means: '`false`: nothing is saved to the notes before a compaction', default: '`true`' }),
    softThresholdTokens: key(whole(0), {
      means: 'so many tokens before the compaction, but not below half of the window',
      default: '4000',
    }),
    systemPrompt: key(text, { means: 'the instructions to the chat model that writes the notes', default: 'built in' }),
    prompt: key(text, {
      means: 'the question to it; `NO_REPLY` is its answer where nothing is to be saved',
      default: 'built in',
    }),
  }),
})

/** `session`: when conversations begin anew, and when old ones go. */
export const session: v.GenericSchema<unknown, { readonly reset?: ResetPolicy; readonly maintenance?: MaintenancePolicy }> =
  object({
    ...OPENCLAW_KEYS.session,
    reset: object({
      ...rule,
      byChatType: object({ direct: specific, group: specific, channel: specific, thread: specific }),
      byChannel: v.record(v.string(), specific, 'an object of rules by channel'),
    }),
    maintenance: object({
      ...OPENCLAW_KEYS.maintenance,
      mode: key(oneOf(['enforce', 'warn']), { means: '`"warn"`: nothing is removed, only reported', default: '`"enforce"`' }),
      pruneAfter: key(
        v.union([v.literal(0), never, v.pipe(v.string(), v.regex(/^[1-9]\d{0,4}[dwm]$/u))], '"30d", "8w", "6m", 0 or false'),
        { means: 'the age at which a transcript is removed; the main session never is', default: '`"30d"`' },
      ),
      maxEntries: key(v.union([whole(1), never], 'a whole number from 1, or false'), {
        means: 'sessions that are kept',
        default: 'any number',
      }),
      diskBudget: key(v.union([whole(1), never], 'a whole number of bytes, or false'), {
        means: 'bytes of all transcripts; above it the oldest go',
        default: 'no limit',
      }),
      lowWater: key(between(0.01, 1), { means: 'the share of the budget that is left then', default: '0.8' }),
    }),
  })
