import type { SearchReply } from '@mnemark/spec'
import type { Console } from './console.ts'
import { printable } from './isolate.ts'
import { formatExplanation, formatHit } from './format-hit.ts'
import { createPaint } from './paint.ts'

/** A search reply for people: hits on stdout, what is less than was asked for on stderr. */
export function printReply(console: Console, reply: SearchReply): void {
  const paint = createPaint(console.hasColour)
  if (reply.hits.length > 0) console.print(reply.hits.map((hit, index) => formatHit(hit, index + 1, paint)).join('\n\n'))
  if (reply.why !== undefined) {
    const explanation = reply.why.explain === undefined ? [] : formatExplanation(reply.why.explain).map((line) => `  ${line}`)
    console.print(
      [`${reply.hits.length > 0 ? '\n' : ''}Why: ${reply.why.reason}. ${reply.why.detail}`, ...explanation].join('\n'),
    )
  }
  for (const { message } of reply.degraded) console.note(`mnemark: ${printable(message)}`)
  if (reply.hits.length === 0 && reply.mode !== 'unavailable') console.note('mnemark: nothing found')
}
