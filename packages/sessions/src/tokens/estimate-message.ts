import { estimateTokens } from '@mnemark/core/text'
import type { Block, SessionMessage } from '../transcript/entry.ts'
import { blocksOf } from './binary.ts'

/** Services ask between 1,000 and 1,600 tokens for an image, whatever its bytes. */
export const IMAGE_TOKENS = 1_200
/** Role and separators. */
const MESSAGE_TOKENS = 4

/** Counts the tokens of a text: that of the model where it has one. */
export type CountTokens = (text: string) => number

/** Tokens of a message in a request, roughly. Bytes never count as text, and thoughts are not sent again. */
export function estimateMessage({ content, toolName }: SessionMessage, count: CountTokens = estimateTokens): number {
  const blocks = blocksOf(content)
  return blocks.reduce((sum, block) => sum + estimateBlock(block, count), MESSAGE_TOKENS + (toolName === undefined ? 0 : 2))
}

function estimateBlock(block: Block, count: CountTokens): number {
  switch (block.type) {
    case 'text':
      return count(block.text)
    case 'image':
      return IMAGE_TOKENS
    case 'toolCall':
      return count(`${block.name} ${JSON.stringify(block.arguments) ?? ''}`)
    default:
      return 0
  }
}
