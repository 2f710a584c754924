import type { Block, SessionMessage } from '../transcript/entry.ts'

/** Unbroken base64 of this length is taken for bytes, not words. */
const MIN_RUN = 1_024
/** Longer than any prefix of a data URL. */
const PREFIX = 160
const DATA_URL = /data:([\w-]{1,40}\/[\w.+-]{1,80});base64,$/iu

const IS_BASE64 = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') IS_BASE64[letter.charCodeAt(0)] = 1

/** The content of a message as blocks: images written as data URLs become images, other bytes written as text become a mark. */
export function blocksOf(content: SessionMessage['content']): readonly Block[] {
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return blocks.flatMap((block) => (block.type === 'text' ? blocksOfText(block.text) : [block]))
}

function blocksOfText(text: string): readonly Block[] {
  const blocks: Block[] = []
  let words = ''
  let at = 0
  for (const { start, end } of base64Runs(text)) {
    const before = text.slice(Math.max(at, start - PREFIX), start)
    const prefix = DATA_URL.exec(before)
    const mimeType = prefix?.[1]?.toLowerCase()
    if (mimeType === undefined && end - start < MIN_RUN) continue
    words += text.slice(at, start - (prefix?.[0].length ?? 0))
    at = end
    if (mimeType?.startsWith('image/') !== true) {
      words += binaryMark(end - start, mimeType)
      continue
    }
    if (words.trim() !== '') blocks.push({ type: 'text', text: words })
    words = ''
    blocks.push({ type: 'image', data: text.slice(start, end), mimeType })
  }
  const rest = words + text.slice(at)
  if (rest.trim() !== '' || blocks.length === 0) blocks.push({ type: 'text', text: rest })
  return blocks
}

/** Stands in a text where bytes were. */
export function binaryMark(characters: number, mimeType = 'data'): string {
  return `[${mimeType} left out, ${Math.floor((characters * 3) / 4)} bytes]`
}

/** Long runs of base64, and those that follow `base64,`. A loop: an expression would keep a place to go back to for each character. */
function* base64Runs(text: string): Generator<{ readonly start: number; readonly end: number }> {
  if (text.length < MIN_RUN && !text.includes(';base64,')) return
  for (let start = 0; start < text.length; ) {
    let end = start
    while (IS_BASE64[text.charCodeAt(end)] === 1) end += 1
    const isMarked = end > start && text.slice(start - 7, start) === 'base64,'
    const length = end - start
    while (length > 0 && end < start + length + 2 && text[end] === '=') end += 1
    if (length >= MIN_RUN || isMarked) yield { start, end }
    start = Math.max(end, start + 1)
  }
}
