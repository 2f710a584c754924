import { blocksOf } from '../tokens/binary.ts'
import type { Block, SessionMessage } from '../transcript/entry.ts'

/** Long results are mostly data; their beginnings say what they were. */
const MAX_RESULT_CHARACTERS = 2_000

/** Hides secrets. It is given whole messages, before anything is cut. */
export type Redact = (text: string) => string | Promise<string>

/** A message as labelled text for a model that is to read the conversation, not to go on with it. '' for one without words. */
export async function labelledText(
  message: SessionMessage,
  { redact = same, maxCharacters }: { readonly redact?: Redact | undefined; readonly maxCharacters: number },
): Promise<string> {
  const text = blocksOf(message.content)
    .map(wordsOfBlock)
    .filter((words) => words.trim() !== '')
    .join('\n')
  if (text === '') return ''
  const limit = message.role === 'toolResult' ? Math.min(MAX_RESULT_CHARACTERS, maxCharacters) : maxCharacters
  return `${labelOf(message)}: ${cut(await redact(text), limit)}`
}

function same(text: string): string {
  return text
}

function wordsOfBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
      return `[${block.mimeType}]`
    case 'toolCall':
      return `[calls ${block.name} with ${JSON.stringify(block.arguments) ?? 'nothing'}]`
    default:
      return ''
  }
}

function labelOf({ role, speaker, toolName, origin }: SessionMessage): string {
  if (role === 'toolResult') return `Result of ${toolName ?? 'a tool'}`
  if (role === 'assistant') return 'Assistant'
  if (role === 'system' || (origin !== undefined && origin !== 'person')) return 'System'
  return speaker === undefined ? 'User' : `User ${speaker}`
}

function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  // Never between the halves of a character.
  const kept = text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/u, '')
  return `${kept} [${text.length - kept.length} characters more]`
}
