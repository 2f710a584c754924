import type { SearchReply } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Console } from './console.ts'
import { printable } from './isolate.ts'
import { formatExplanation, formatHit } from './format-hit.ts'
import { createPaint } from './paint.ts'
import { placesOf } from './show-place.ts'

/** A search reply for people: hits on stdout, what is less than was asked for on stderr. */
export async function printReply(console: Console, reply: SearchReply, notes: Pick<Workspace, 'place'>): Promise<void> {
  const paint = createPaint(console.hasColour)
  const showPlace = await placesOf(reply.hits, notes, console)
  if (reply.hits.length > 0) console.print(reply.hits.map((hit) => formatHit(hit, paint, showPlace)).join('\n\n'))
  if (reply.why !== undefined) {
    const explanation = reply.why.explain === undefined ? [] : formatExplanation(reply.why.explain).map((line) => `  ${line}`)
    console.print(
      [`${reply.hits.length > 0 ? '\n' : ''}Why: ${reply.why.reason}. ${reply.why.detail}`, ...explanation].join('\n'),
    )
  }
  noteLack(console, reply)
}

/** What the answer lacks, on stderr. */
export function noteLack(console: Console, reply: SearchReply): void {
  for (const { message } of reply.degraded) console.note(`mnemark: ${printable(message)}`)
  if (reply.hits.length === 0 && reply.mode !== 'unavailable') console.note('mnemark: nothing found')
}
