import { rmSync, statSync } from 'node:fs'
import type { MemoryStore } from '@mnemark/spec'
import { ConfigError, StoreError } from '@mnemark/spec'
import type { NamedModule } from '../config/files/load-module.ts'
import type { Settings } from '../config/load-settings.ts'
import { toFailure } from '../failure.ts'
import { findIndexPlace } from '../memory/index/index-place.ts'
import type { IndexPlace } from '../memory/index/index-place.ts'
import { openMemory, openStore } from '../memory/open/open-memory.ts'
import type { OpenMemory } from '../memory/open/open-memory.ts'
import { probeKeywords } from '../memory/repair/probe-keywords.ts'
import type { KeywordProbe } from '../memory/repair/probe-keywords.ts'
import { lastRepair } from '../memory/repair/repair-record.ts'
import { setAsideIndex } from '../memory/index/set-aside-index.ts'
import { takeOverVectors } from '../memory/repair/take-over-vectors.ts'
import type { Console } from '../terminal/console.ts'
import { stoppableSync } from '../memory/fresh/stoppable-sync.ts'
import type { Check } from './check.ts'

export interface IndexCheckOptions {
  readonly isFixing: boolean
  readonly console: Console
  /** Repairs are added here. */
  readonly fixed: string[]
}

/** Checks every row and page of the index; with `isFixing`, repairs it from its intact parts, else rebuilds it. */
export async function checkIndex(settings: Settings, options: IndexCheckOptions): Promise<readonly Check[]> {
  if (settings.storeModule !== null) return [await checkOwnStore(settings, settings.storeModule, options)]
  const place = findIndexPlace(settings)
  if (place === null) return [{ name: 'index', status: 'ok', message: 'none yet: the first search makes it' }]
  const { listDamagedStores } = await import('@mnemark/store-sqlite/repair')
  // Listed before the check: what this run sets aside stays, so that it can be examined.
  const earlier = listDamagedStores(place.file).flat()
  const health = await checkHealth(settings, place, options)
  const isRemoving = options.isFixing && health.status === 'ok'
  if (isRemoving && earlier.length > 0) await takeOverFirst(place.file)
  const copies = checkCopies(earlier, { ...options, isFixing: isRemoving })
  return copies === null ? [health] : [health, copies]
}

/** The health report of a store from the user's own module. */
async function checkOwnStore(settings: Settings, module: NamedModule, { isFixing, fixed }: IndexCheckOptions): Promise<Check> {
  try {
    const { openOwnStore } = await import('../memory/index/own-store.ts')
    const store = await openOwnStore(module, settings, !isFixing)
    try {
      const { isHealthy, problems, repaired } = await store.check({ repair: isFixing })
      fixed.push(...repaired)
      if (isHealthy) return { name: 'index', status: 'ok', message: `kept by ${module.name} (${store.kind})` }
      const message = `kept by ${module.name}: ${problems.join('; ')}`
      return { name: 'index', status: 'failed', message, next: 'Run mnemark doctor --fix.' }
    } finally {
      await store.close()
    }
  } catch (error) {
    const { message, next } = toFailure(error)
    return { name: 'index', status: 'failed', message, next }
  }
}

async function checkHealth(settings: Settings, place: IndexPlace, options: IndexCheckOptions): Promise<Check> {
  const { file } = place
  const found = await inspect(file)
  if (found.problems.length === 0) return { name: 'index', status: 'ok', message: [file, ...found.remarks].join('; ') }
  const message = `${file}: ${found.problems.join('; ')}`
  if (found.isFatal)
    return { name: 'index', status: 'failed', message, next: found.next ?? 'Choose another place with --state DIR.' }
  if (!options.isFixing) return { name: 'index', status: 'failed', message, next: 'Run mnemark doctor --fix.' }
  return fix(settings, place, options)
}

/** A process may have been killed before taking over; vectors not taken now would be deleted with the files. */
async function takeOverFirst(file: string): Promise<void> {
  const store = await openStore(file)
  try {
    await takeOverVectors(file, store)
  } finally {
    await store.close()
  }
}

interface Inspection {
  readonly problems: readonly string[]
  /** True if nothing can be done here: the file is not ours, or from a newer version. */
  readonly isFatal: boolean
  readonly next?: string
  readonly remarks: readonly string[]
}

async function inspect(file: string): Promise<Inspection> {
  try {
    const store = await openStore(file)
    try {
      const { isHealthy, problems } = await store.check()
      if (!isHealthy) return { problems, isFatal: false, remarks: [] }
      const probe = await probeKeywords(store)
      return { problems: probe.problems, isFatal: false, remarks: await remarksOf(store, probe) }
    } finally {
      await store.close()
    }
  } catch (error) {
    return damageOf(error)
  }
}

async function remarksOf(store: MemoryStore, { searches }: KeywordProbe): Promise<readonly string[]> {
  const repair = await lastRepair(store)
  return [
    ...(searches === 0 ? [] : [`${searches} searches agree with counting everything`]),
    ...(repair === null ? [] : [`last repaired ${repair.at.slice(0, 10)}: ${repair.message}`]),
  ]
}

/** A store that cannot be opened is a finding; so is one that another process or the disk blocks. */
function damageOf(error: unknown): Inspection {
  if (!StoreError.isInstance(error)) throw error
  const { message, next } = toFailure(error)
  return { problems: [message], isFatal: error.code !== 'corrupt', next, remarks: [] }
}

/** Opening and syncing repairs on its own; what only a whole look finds is repaired first, and what is left is set aside. */
async function fix(settings: Settings, place: IndexPlace, options: IndexCheckOptions): Promise<Check> {
  options.fixed.push(...(await repairInPlace(place.file)))
  await rebuild(settings, options)
  const left = await inspect(place.file)
  if (left.problems.length > 0 && !left.isFatal) await replace(settings, place, options)
  const { problems } = await inspect(place.file)
  if (problems.length === 0) return { name: 'index', status: 'ok', message: place.file }
  const message = `${place.file}: ${problems.join('; ')}`
  return { name: 'index', status: 'failed', message, next: 'Remove the file: nothing but the index is in it.' }
}

async function repairInPlace(file: string): Promise<readonly string[]> {
  try {
    const store = await openStore(file)
    try {
      return (await store.check({ repair: true })).repaired
    } finally {
      await store.close()
    }
  } catch (error) {
    if (StoreError.isInstance(error) && error.code === 'corrupt') return []
    throw error
  }
}

async function replace(settings: Settings, place: IndexPlace, options: IndexCheckOptions): Promise<void> {
  const { fileIdentity } = await import('@mnemark/store-sqlite/repair')
  const damage = new StoreError('corrupt', `The index ${place.file} is damaged.`)
  const moved = await setAsideIndex({ ...place, identity: fileIdentity(place.file) }, damage)
  if (moved !== null) options.fixed.push(`the damaged index was set aside as ${moved}`)
  await rebuild(settings, options)
  options.fixed.push('the index was built again from the notes')
}

async function rebuild(settings: Settings, { console, fixed }: IndexCheckOptions): Promise<void> {
  const open = await openToRebuild(settings)
  try {
    await stoppableSync({ open, settings, console }, { reason: 'manual' })
    fixed.push(...open.takeRepairs().map(({ message }) => message))
  } finally {
    await open.close()
  }
}

/** With vectors, so that lost ones are made again; a wrong provider configuration is a separate finding. */
async function openToRebuild(settings: Settings): Promise<OpenMemory> {
  try {
    return await openMemory(settings, { isBuiltInOnly: true })
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    return openMemory(settings, { vectors: 'none', isBuiltInOnly: true })
  }
}

/** Reports quarantined indexes: they hold nothing that the notes do not have. */
function checkCopies(files: readonly string[], { isFixing, fixed }: IndexCheckOptions): Check | null {
  if (files.length === 0) return null
  const megabytes = files.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0) / 1e6
  const message = `${files.length} files of damaged indexes beside it, ${megabytes.toFixed(1)} MB`
  if (!isFixing) return { name: 'index', status: 'warning', message, next: 'mnemark doctor --fix removes them.' }
  for (const path of files) rmSync(path, { force: true })
  fixed.push(`removed ${message.replace(' beside it', '')}`)
  return null
}
