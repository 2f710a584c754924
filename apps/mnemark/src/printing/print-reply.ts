import type { SearchReply } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Invocation } from '../command.ts'
import type { Console } from '../terminal/console.ts'
import { printable } from '../terminal/isolate.ts'
import { formatExplanation, formatHit } from './format-hit.ts'
import { createPaint } from '../terminal/paint.ts'
import { printPaged } from './print-paged.ts'
import { placesOf } from './show-place.ts'

/** Prints a search reply for people: hits on stdout, shortcomings on stderr. */
export async function printReply(
  reply: SearchReply,
  notes: Pick<Workspace, 'place'>,
  invocation: Pick<Invocation, 'console' | 'options' | 'environment'>,
): Promise<void> {
  const { console } = invocation
  const paint = createPaint(console.hasColour)
  const showPlace = await placesOf(reply.hits, notes, console)
  const parts = reply.hits.map((hit) => formatHit(hit, paint, showPlace))
  if (reply.why !== undefined) {
    const explanation = reply.why.explain === undefined ? [] : formatExplanation(reply.why.explain).map((line) => `  ${line}`)
    parts.push([`Why: ${reply.why.reason}. ${reply.why.detail}`, ...explanation].join('\n'))
  }
  if (parts.length > 0) await printPaged(invocation.console.wrapped(parts.join('\n\n')), invocation)
  noteLack(console, reply)
}

/** Prints on stderr what the answer lacks. */
export function noteLack(console: Console, reply: SearchReply): void {
  for (const { message } of reply.degraded) console.note(`mnemark: ${printable(message)}`)
  if (reply.hits.length === 0 && reply.mode !== 'unavailable') console.note('mnemark: nothing found')
}
