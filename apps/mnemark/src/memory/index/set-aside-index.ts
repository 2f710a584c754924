import { rmSync } from 'node:fs'
import type { StoreError } from '@mnemark/spec'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import type { IndexPlace } from './index-place.ts'

/** Older ones go, so that a failing disk is not filled with copies of what can be built again. */
const KEPT_COPIES = 2

export interface DamagedIndex extends Pick<IndexPlace, 'file' | 'isOwn'> {
  /** Which file it was that turned out to be damaged. */
  readonly identity: string | null
}

/**
 * Moves a damaged index away with its side files and returns its new name; null where another process has put another in its
 * place. Throws CommandError for a file that only `store.path` says is an index: it may be anything, so it is left alone.
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
