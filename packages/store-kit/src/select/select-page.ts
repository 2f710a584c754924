import type { SelectedChunk, SelectOptions, StoredChunk } from '@mnemark/spec'
import { compareUtf8 } from '../byte-order.ts'

/** One page of these chunks in the order of `StoreSnapshot.select`. Throws TypeError where `after` is not one of them. */
export function selectPage(chunks: readonly StoredChunk[], { order, limit, after }: SelectOptions): readonly SelectedChunk[] {
  const sorted = chunks.toSorted((left, right) => (order === 'newest' ? byAge(left, right) : 0) || byPath(left, right))
  const last = after === undefined ? -1 : sorted.findIndex(({ id }) => id === after)
  if (after !== undefined && last === -1) throw new TypeError(`after: chunk ${after} does not pass the filter.`)
  return sorted.slice(last + 1, last + 1 + limit).map(({ id, document, ordinal, startLine, endLine, attributes }) => ({
    id,
    document,
    ordinal,
    startLine,
    endLine,
    attributes,
  }))
}

function byAge({ attributes: left }: StoredChunk, { attributes: right }: StoredChunk): number {
  const [leftDay, rightDay] = [left.to ?? left.from ?? '', right.to ?? right.from ?? '']
  return compareUtf8(rightDay, leftDay) || compareUtf8(right.time ?? '', left.time ?? '')
}

function byPath(left: StoredChunk, right: StoredChunk): number {
  const [a, b] = [left.document, right.document]
  return (
    compareUtf8(a.path, b.path) ||
    compareUtf8(a.source, b.source) ||
    (a.part ?? -1) - (b.part ?? -1) ||
    left.ordinal - right.ordinal ||
    left.id - right.id
  )
}
