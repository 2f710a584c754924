import type { Block, SessionMessage, Usage } from '../transcript/entry.ts'

/** A message of a reply of the AI SDK (`result.responseMessages`, before version 7 `result.response.messages`), by the part of its shape that is used. */
export interface AISDKReplyMessage {
  readonly role: string
  readonly content: string | readonly object[]
}

export interface AISDKReplyUsage {
  /** Name of the model that answered. */
  readonly model?: string
  /** All steps together: `result.usage`, before version 7 `result.totalUsage`. */
  readonly total?: AISDKUsage
  /** The last step, which tells the size of the context: `result.finalStep.usage`, before version 7 `result.usage`. */
  readonly last?: AISDKUsage
}

/** Token counts as the AI SDK states them. */
export interface AISDKUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly totalTokens?: number | undefined
  readonly inputTokenDetails?: {
    readonly cacheReadTokens?: number | undefined
    readonly cacheWriteTokens?: number | undefined
  }
}

type Part = Readonly<Record<string, unknown>>

/** The messages of a reply of the AI SDK, for `append`. What it used stands with the last message of the assistant. */
export function messagesFromAISDK(messages: readonly AISDKReplyMessage[], used: AISDKReplyUsage = {}): readonly SessionMessage[] {
  const read = messages.flatMap(({ role, content }): readonly SessionMessage[] => {
    const parts: readonly Part[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content.map((part) => ({ ...part }))
    const results = parts.flatMap(resultOf)
    const blocks = role === 'assistant' ? parts.flatMap(blockOf) : []
    return [...(blocks.length === 0 ? [] : [{ role: 'assistant' as const, content: blocks }]), ...results]
  })
  const last = read.findLastIndex(({ role }) => role === 'assistant')
  const usage = usageOf(used)
  return read.map((message, index) => ({
    ...message,
    ...(message.role === 'assistant' && used.model !== undefined ? { model: used.model } : {}),
    ...(index === last && usage !== null ? { usage } : {}),
  }))
}

function blockOf(part: Part): readonly Block[] {
  switch (part['type']) {
    case 'text':
      return [{ type: 'text', text: String(part['text']) }]
    case 'reasoning':
      return [{ type: 'thinking', thinking: String(part['text']) }]
    case 'tool-call':
      return [
        { type: 'toolCall', id: String(part['toolCallId']), name: String(part['toolName']), arguments: part['input'] ?? {} },
      ]
    case 'file':
      return imageOf(part)
    default:
      return []
  }
}

/** Files other than images given as text are left out. */
function imageOf({ mediaType, data }: Part): readonly Block[] {
  const isImage = typeof mediaType === 'string' && mediaType.startsWith('image/') && typeof data === 'string'
  return isImage ? [{ type: 'image', data, mimeType: mediaType }] : []
}

function resultOf(part: Part): readonly SessionMessage[] {
  if (part['type'] !== 'tool-result') return []
  const output: Part = typeof part['output'] === 'object' && part['output'] !== null ? { ...part['output'] } : {}
  const { type, value } = output
  const content = typeof value === 'string' ? value : (JSON.stringify(value ?? output['reason'] ?? null) ?? '')
  const isError = typeof type === 'string' && (type.startsWith('error') || type === 'execution-denied')
  const names = { toolCallId: String(part['toolCallId']), toolName: String(part['toolName']) }
  return [{ role: 'toolResult', content, ...names, ...(isError ? { isError } : {}) }]
}

function usageOf({ total, last }: AISDKReplyUsage): Usage | null {
  const sums = total ?? last
  if (sums === undefined) return null
  const cacheRead = sums.inputTokenDetails?.cacheReadTokens ?? 0
  const cacheWrite = sums.inputTokenDetails?.cacheWriteTokens ?? 0
  const size = last ?? total
  const totalTokens = size?.totalTokens ?? (size?.inputTokens ?? 0) + (size?.outputTokens ?? 0)
  return {
    input: Math.max(0, (sums.inputTokens ?? 0) - cacheRead - cacheWrite),
    output: sums.outputTokens ?? 0,
    cacheRead,
    cacheWrite,
    ...(totalTokens > 0 ? { totalTokens } : {}),
  }
}
