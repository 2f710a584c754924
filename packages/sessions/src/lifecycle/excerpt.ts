import type { SessionMessage } from '../transcript/entry.ts'
import { textOf } from '../transcript/entry.ts'
import { hearReply } from './silence.ts'

/** The last things that were said in a session, for a note about it. */
export interface Excerpt {
  readonly sessionId: string
  readonly key: string
  readonly lines: readonly { readonly role: 'user' | 'assistant'; readonly speaker?: string; readonly text: string }[]
}

/** True for what a person or the assistant said: no tools, no machinery, no silence. */
export function isSaid(message: SessionMessage): message is SessionMessage & { readonly role: 'user' | 'assistant' } {
  if (message.role === 'user') return (message.origin ?? 'person') === 'person' && textOf(message.content).trim() !== ''
  return message.role === 'assistant' && hearReply(textOf(message.content)).kind === 'text'
}

/** Null where nothing was said. */
export function excerptOf(
  { id, key }: { readonly id: string; readonly key: string },
  messages: Iterable<SessionMessage>,
  maxLines: number,
): Excerpt | null {
  const lines: Excerpt['lines'][number][] = []
  for (const message of messages) {
    if (!isSaid(message)) continue
    const text = message.role === 'assistant' ? hearReply(textOf(message.content)).text : textOf(message.content)
    lines.push({ role: message.role, ...(message.speaker === undefined ? {} : { speaker: message.speaker }), text })
    if (lines.length > maxLines) lines.shift()
  }
  return lines.length === 0 ? null : { sessionId: id, key, lines }
}
