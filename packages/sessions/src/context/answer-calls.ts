import { blocksOf } from '../tokens/binary.ts'
import type { Block, SessionMessage } from '../transcript/entry.ts'

/** A message as a request needs it. */
export interface RequestMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'toolResult'
  readonly content: readonly Block[]
  /** Set for a tool result. */
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
}

type CallBlock = Extract<Block, { type: 'toolCall' }>

interface Call {
  readonly block: CallBlock
  result: SessionMessage | null
}

/** The answer to a call that nobody answered, as after a crash or an abort. */
const INTERRUPTED = 'interrupted: this call was not finished and has no result'

/**
 * Makes messages fit for any service: every call is answered exactly once, right behind the message that made it, and there is no result
 * without its call. The stored lines stay as they are. Pure.
 */
export function answerCalls(messages: readonly SessionMessage[]): readonly RequestMessage[] {
  const calls = collectCalls(messages)
  return messages.flatMap((message, index) => requestsOf(message, calls.get(index) ?? []))
}

/** The calls of each assistant's message, with ids that are used once, and the result of each: the first one that follows it. */
function collectCalls(messages: readonly SessionMessage[]): ReadonlyMap<number, readonly Call[]> {
  const calls = new Map<number, Call[]>()
  const waiting = new Map<string, Call>()
  const used = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'toolResult') {
      const call = waiting.get(message.toolCallId ?? '')
      if (call !== undefined) call.result ??= message
      continue
    }
    if (message.role !== 'assistant') continue
    const own = new Map<string, Call>()
    for (const block of blocksOf(message.content)) {
      if (block.type !== 'toolCall' || own.has(block.id)) continue
      const call = { block: { ...block, id: unusedId(block.id, used) }, result: null }
      own.set(block.id, call)
      waiting.set(block.id, call)
    }
    calls.set(index, [...own.values()])
  }
  return calls
}

/** Some services number calls from 0 in each answer; a request must not hold one id twice. */
function unusedId(id: string, used: Set<string>): string {
  let unused = id
  for (let count = 2; used.has(unused); count += 1) unused = `${id}_${count}`
  used.add(unused)
  return unused
}

function requestsOf(message: SessionMessage, calls: readonly Call[]): readonly RequestMessage[] {
  switch (message.role) {
    case 'toolResult':
      return []
    case 'assistant': {
      const said = blocksOf(message.content).filter(
        (block) => block.type === 'image' || (block.type === 'text' && block.text.trim() !== ''),
      )
      const content = [...said, ...calls.map(({ block }) => block)]
      return content.length === 0 ? [] : [{ role: 'assistant', content }, ...calls.map(answerOf)]
    }
    default: {
      const content = withSpeaker(blocksOf(message.content), message.speaker)
      return content.length === 0 ? [] : [{ role: message.role === 'system' ? 'system' : 'user', content }]
    }
  }
}

function answerOf({ block: { id, name }, result }: Call): RequestMessage {
  const content = result === null ? [] : blocksOf(result.content).filter(({ type }) => type === 'text' || type === 'image')
  const isError = result === null || result.isError === true
  const shown: readonly Block[] = result === null ? [{ type: 'text', text: INTERRUPTED }] : content
  return { role: 'toolResult', content: shown, toolCallId: id, toolName: name, isError }
}

/** In chats of several people each line says whose it is. */
function withSpeaker(blocks: readonly Block[], speaker: string | undefined): readonly Block[] {
  const shown = blocks.filter((block) => block.type === 'image' || (block.type === 'text' && block.text.trim() !== ''))
  if (speaker === undefined) return shown
  const first = shown.findIndex(({ type }) => type === 'text')
  return shown.map((block, index) =>
    index === first && block.type === 'text' ? { ...block, text: `${speaker}: ${block.text}` } : block,
  )
}
