import type { DocumentContent } from '@mnemark/spec'
import { parseDocument } from '../document/parse-document.ts'
import { type ChunkDraft, type ChunkOptions, chunkDocument } from './chunk-document.ts'

export interface ChunkTextOptions extends ChunkOptions {
  /** Path of the text, with `/`: a date in it dates the chunks. Default: none. */
  readonly path?: string
}

/**
 * Cuts Markdown into chunks of whole lines, in order: at headings, blank lines and list items, code and tables whole
 * where they fit. Every text is an exact part of the given one and has at most `tokens` (400), of which `overlap` (80)
 * repeat the chunk before. Throws RangeError or TypeError for impossible sizes.
 */
export function chunkText(
  text: string | DocumentContent,
  { path = 'text.md', ...options }: ChunkTextOptions = {},
): readonly ChunkDraft[] {
  const content = typeof text === 'string' ? { text } : text
  const parsed = parseDocument({ source: 'text', path }, content, { dateOrder: options.dateOrder })
  return chunkDocument(parsed, content, options)
}
