import type { KeywordBlock } from '@mnemark/spec'
import { compareUtf8 } from '../byte-order.ts'

/** Index of the last first key that is not above `key`, by UTF-8 bytes; -1 where all are above it. `firstKeys` must ascend. */
export function floorIndex(firstKeys: readonly string[], key: string): number {
  let from = 0
  let to = firstKeys.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const firstKey = firstKeys[middle]
    if (firstKey !== undefined && compareUtf8(firstKey, key) <= 0) from = middle + 1
    else to = middle
  }
  return from - 1
}

/** For each key the block that would hold it, like `StoreSnapshot.blocks` for one segment. `blocks` must ascend. */
export function findBlocks(blocks: readonly KeywordBlock[], keys: readonly string[]): readonly KeywordBlock[] {
  const firstKeys = blocks.map(({ firstKey }) => firstKey)
  return keys.flatMap((key) => blocks[floorIndex(firstKeys, key)] ?? [])
}

/** The blocks of a scan from `key` on, beginning with the one that would hold it; all of them without a key. */
export function blocksFrom(blocks: readonly KeywordBlock[], key: string | undefined): readonly KeywordBlock[] {
  if (key === undefined) return blocks
  return blocks.slice(
    Math.max(
      floorIndex(
        blocks.map(({ firstKey }) => firstKey),
        key,
      ),
      0,
    ),
  )
}
