import type { Block } from '../transcript/entry.ts'
import type { RequestMessage } from './answer-calls.ts'

type Json = Readonly<Record<string, unknown>>

/** Messages for `generateText` and `streamText` of the AI SDK (`ModelMessage[]`). */
export function toAISDK(messages: readonly RequestMessage[]): readonly Json[] {
  return grouped(messages).map((group): Json => {
    const [first] = group
    switch (first!.role) {
      case 'toolResult':
        return { role: 'tool', content: group.map(aiResult) }
      case 'system':
        return { role: 'system', content: textOfBlocks(first!.content) }
      case 'assistant':
        return { role: 'assistant', content: first!.content.flatMap(aiPart) }
      default:
        return { role: 'user', content: group.flatMap(({ content }) => content.flatMap(aiPart)) }
    }
  })
}

function aiPart(block: Block): readonly Json[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
      return [{ type: 'file', mediaType: block.mimeType, data: block.data }]
    case 'toolCall':
      return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments ?? {} }]
    default:
      return []
  }
}

function aiResult({ content, toolCallId, toolName, isError }: RequestMessage): Json {
  const value = textOfBlocks(content)
  return { type: 'tool-result', toolCallId, toolName, output: { type: isError === true ? 'error-text' : 'text', value } }
}

/** Messages of OpenAI's chat completions, and of every service that is compatible with them. */
export function toOpenAI(messages: readonly RequestMessage[]): readonly Json[] {
  return messages.map(({ role, content, toolCallId }): Json => {
    switch (role) {
      case 'system':
        return { role: 'system', content: textOfBlocks(content) }
      case 'toolResult':
        return { role: 'tool', tool_call_id: toolCallId, content: textOfBlocks(content) }
      case 'assistant': {
        const text = textOfBlocks(content.filter(({ type }) => type === 'text'))
        const calls = content.flatMap((block) => (block.type === 'toolCall' ? [openAICall(block)] : []))
        return { role: 'assistant', content: text === '' ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
      }
      default:
        return {
          role: 'user',
          content: content.some(({ type }) => type === 'image') ? content.flatMap(openAIPart) : textOfBlocks(content),
        }
    }
  })
}

function openAICall({ id, name, arguments: input }: Extract<Block, { type: 'toolCall' }>): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }
}

function openAIPart(block: Block): readonly Json[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type !== 'image') return []
  return [{ type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }]
}

export interface AnthropicRequest {
  /** The system messages together; '' where there are none. */
  readonly system: string
  readonly messages: readonly Json[]
}

/** Messages of Anthropic's API: roles take turns, the first is the user's, and results stand at the beginning of a user's message. */
export function toAnthropic(messages: readonly RequestMessage[]): AnthropicRequest {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => textOfBlocks(content))
  const turns: { role: string; content: Json[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.role === 'toolResult' ? [anthropicResult(message)] : message.content.flatMap(anthropicBlock)
    if (turns.length === 0 && role === 'assistant')
      turns.push({ role: 'user', content: [{ type: 'text', text: '(the conversation begins here)' }] })
    if (turns.at(-1)?.role === role) turns.at(-1)!.content.push(...content)
    else turns.push({ role, content: [...content] })
  }
  return { system: system.join('\n\n'), messages: turns }
}

function anthropicBlock(block: Block): readonly Json[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
      return [{ type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }]
    case 'toolCall':
      return [{ type: 'tool_use', id: anthropicId(block.id), name: block.name, input: block.arguments ?? {} }]
    default:
      return []
  }
}

function anthropicResult({ content, toolCallId = '', isError }: RequestMessage): Json {
  return {
    type: 'tool_result',
    tool_use_id: anthropicId(toolCallId),
    content: content.flatMap(anthropicBlock),
    ...(isError === true ? { is_error: true } : {}),
  }
}

/** Other services put signs into ids that this one refuses. */
function anthropicId(id: string): string {
  return id.replace(/[^\w-]/gu, '_')
}

/** Several results, or several messages of the user, are one message for some services. An assistant's stay apart. */
function grouped(messages: readonly RequestMessage[]): readonly (readonly RequestMessage[])[] {
  const groups: RequestMessage[][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    const joins = message.role === 'toolResult' || message.role === 'user'
    if (joins && last?.[0]?.role === message.role) last.push(message)
    else groups.push([message])
  }
  return groups
}

/** Text with a mark for each image, where a service takes text alone. */
function textOfBlocks(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : block.type === 'image' ? [`[${block.mimeType} not shown]`] : []))
    .join('\n')
}
