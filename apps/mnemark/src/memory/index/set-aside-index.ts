import { rmSync } from 'node:fs'
import type { StoreError } from '@mnemark/spec'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import type { IndexPlace } from './index-place.ts'

/** Older copies are deleted, so that a failing disk does not fill with copies of data that can be rebuilt. */
const KEPT_COPIES = 2

export interface DamagedIndex extends Pick<IndexPlace, 'file' | 'isOwn'> {
  /** Identifies the damaged file. */
  readonly identity: string | null
}

/**
 * Quarantines a damaged index: moves it away with its side files and returns its new name; null if another process has already
 * replaced it. Throws CommandError for a file that only `store.path` calls an index: it may be anything, so it is left alone.
 */
export async function setAsideIndex({ file, isOwn, identity }: DamagedIndex, error: StoreError): Promise<string | null> {
  const { hasIndexHead, listDamagedStores, setAsideDamagedStore } = await import('@mnemark/store-sqlite/repair')
  if (!isOwn && !hasIndexHead(file)) {
    throw new CommandError('not-an-index', error.message.split(' `mnemark doctor')[0] ?? error.message, {
      exitCode: EXIT.broken,
      next: `Nothing was done to ${file}. Name another file with store.path, or move this one away.`,
    })
  }
  const moved = setAsideDamagedStore(file, identity)
  for (const set of listDamagedStores(file).slice(KEPT_COPIES)) for (const path of set) rmSync(path, { force: true })
  return moved.at(-1) ?? null
}
