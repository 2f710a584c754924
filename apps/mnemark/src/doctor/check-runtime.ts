import type { Settings } from '../config/load-settings.ts'
import { toFailure } from '../failure.ts'
import { openStore, vectorExtensionOf } from '../memory/open/open-memory.ts'
import { describeExtension } from '../memory/repair/vector-scan.ts'
import type { Check } from './check.ts'

export function checkRuntime(): Check {
  const message = `Node ${process.version}, ICU ${process.versions.icu}, ${process.platform} ${process.arch}`
  // A Node built without full ICU cannot split Chinese, Japanese or Thai text into words.
  const hasWords = Intl.Segmenter.supportedLocalesOf(['ja', 'th', 'zh']).length === 3
  if (hasWords) return { name: 'runtime', status: 'ok', message }
  return {
    name: 'runtime',
    status: 'failed',
    message: `${message}: without full ICU data`,
    next: 'Use a Node build with full ICU, as on nodejs.org.',
  }
}

/** Checks the only native part: the SQLite engine. */
export async function checkNative(): Promise<Check> {
  try {
    const store = await openStore(':memory:')
    await store.close()
    return { name: 'native', status: 'ok', message: 'the SQLite engine loads' }
  } catch (error) {
    return {
      name: 'native',
      status: 'failed',
      message: `the SQLite engine does not load: ${toFailure(error).message}`,
      next: 'Run pnpm rebuild better-sqlite3 (or npm rebuild better-sqlite3).',
    }
  }
}

/** Checks whether sqlite-vec loads; null if it is neither configured nor installed. */
export async function checkExtension(settings: Settings): Promise<Check | null> {
  const store = await openStore(':memory:', { vectorExtension: vectorExtensionOf(settings) })
  try {
    const { path, version, problem } = await describeExtension(store)
    if (path === null) return null
    if (problem === undefined) return { name: 'native', status: 'ok', message: `sqlite-vec ${version} loads` }
    const next = 'Mend store.vector.extensionPath, or leave it out. Searches need no extension, only SQL queries on the index do.'
    return { name: 'native', status: 'warning', message: problem, next }
  } finally {
    await store.close()
  }
}
