import { sha256 } from '@mnemark/spec'

const MAX_BYTES = 120
const SEPARATORS = /[\s/\\:*?"<>|\p{Cc}]+/gu
const NO_NAME = /[^\p{L}\p{M}\p{N}\u200c\-._'’()&+,]+/gu
const ENDS = /^[-.]{1,200}|(?<![-.])[-.]{1,200}$/g
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * The file name of an entity's page, without its suffix: letters, marks and digits of every script as they are, other
 * signs as `-`, at most 120 bytes. A name without letters and digits is `entity-` and a hash.
 */
export function entitySlug(name: string): string {
  const plain = name.normalize('NFC').replace(SEPARATORS, '-').replace(NO_NAME, '').slice(0, 1_000).replace(ENDS, '')
  if (!/[\p{L}\p{N}]/u.test(plain)) return `entity-${sha256(name).slice(0, 6)}`
  const slug = DEVICE.test(plain) ? `_${plain}` : plain
  return bytesOf(slug) <= MAX_BYTES ? slug : `${cut(slug, MAX_BYTES - 7)}-${sha256(name).slice(0, 6)}`
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** The longest beginning of whole graphemes within a number of bytes. */
function cut(text: string, bytes: number): string {
  let end = 0
  let used = 0
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += bytesOf(segment)
    if (used > bytes) break
    end = index + segment.length
  }
  return text.slice(0, end)
}
