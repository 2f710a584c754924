import type { NewMessage } from '../../sessions/session.ts'

/** A turn of a made-up conversation: the same for the same number, so that one that a kill interrupted can be said again. */
export interface Turn {
  /** In ms since 1970. */
  readonly atMs: number
  /** Appended one after another, each list in one write. */
  readonly steps: readonly (readonly NewMessage[])[]
}

const DAY_MS = 86_400_000
/** Clocks in Berlin go back on the 25th. */
const BEGIN = Date.parse('2026-10-01T06:00:00Z')
export const TIME_ZONE = 'Europe/Berlin'
const WORDS = 'printer floor VLAN Huda pnpm lunch Bergen budget invoice train river meeting green logo night'.split(' ')
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'

/** Turns fill the days evenly, from eight in the morning to two at night. */
export function turnAt(number: number, turnsPerDay: number): Turn {
  const day = Math.floor(number / turnsPerDay)
  const atMs = BEGIN + day * DAY_MS + Math.floor(((number % turnsPerDay) / turnsPerDay) * 18 * 3_600_000)
  const calls = Array.from({ length: number % 4 }, (_, index) => `t${number}c${index}`)
  const words = Array.from({ length: 60 }, (_, index) => WORDS[(number * 7 + index * index) % WORDS.length]).join(' ')
  const asked: NewMessage = {
    id: `t${number}u`,
    role: 'user',
    content:
      number % 10 === 3
        ? [
            { type: 'text', text: `what is this, ${number}? ${words}` },
            { type: 'image', data: PIXEL.repeat(20), mimeType: 'image/png' },
          ]
        : `question ${number}: ${words}`,
  }
  const called: readonly NewMessage[] = [
    {
      id: `t${number}t`,
      role: 'assistant',
      content: calls.map((id) => ({ type: 'toolCall', id, name: 'look', arguments: { for: words } })),
      usage: usageOf(number),
    },
  ]
  // Every twentieth turn a result never comes.
  const results = calls
    .filter((_, index) => !(number % 20 === 7 && index === 1))
    .map((id): NewMessage => ({ id: `${id}r`, role: 'toolResult', toolCallId: id, toolName: 'look', content: `result ${words}` }))
  const answered: NewMessage = { id: `t${number}a`, role: 'assistant', content: `answer ${number}: ${words}`, usage: usageOf(number) }
  const tools = calls.length === 0 ? [] : [called, ...results.map((result) => [result])]
  return { atMs, steps: [[asked], ...tools, [answered]] }
}

/** Figures of a provider that sums cached tokens over its calls. */
function usageOf(number: number): NonNullable<NewMessage['usage']> {
  return { input: 100 + (number % 13), output: 20, cacheRead: 1_000 + number, cacheWrite: 3 }
}
