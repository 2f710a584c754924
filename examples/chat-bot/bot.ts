import { join } from 'node:path'
import { openMemoryTools } from 'mnemark/tools'

/** A message as the bot's chat network hands it over. Who wrote it the network says, never the text. */
export interface Message {
  readonly kind: 'direct' | 'group'
  /** The person, or the group. */
  readonly from: string
  readonly text: string
}

/** Which chats may use the memory: the rules by session key. */
const RULES = join(import.meta.dirname, 'bot.json5')

/**
 * Writes down what begins with `remember:`, and searches the notes for everything else. Returns what to put before the bot's model beside the
 * message: notes, marked as data, or what was written or refused.
 */
export async function recall({ kind, from, text }: Message, workspace: string): Promise<string> {
  const caller = { sessionKey: `agent:main:chat:${kind}:${from}:main`, chatType: kind, channel: 'chat' } as const
  await using memory = await openMemoryTools({ workspace, config: RULES, caller })
  const [, fact] = /^remember:\s*(.+)$/isu.exec(text) ?? []
  const called =
    fact === undefined
      ? await memory.call('memory_search', { query: text, limit: 1 })
      : await memory.call('memory_append', { text: fact, to: 'daily' })
  return called.text
}
