import type { MemoryStore } from '@mnemark/spec'
import { ConfigError, StoreError } from '@mnemark/spec'
import type { Invocation } from '../command.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Settings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { CommandError, toFailure } from '../failure.ts'
import { findIndexPlace } from '../memory/index-place.ts'
import { openMemory, openNotes, openStore, setAsideIndex } from '../memory/open-memory.ts'
import { probeKeywords } from '../memory/probe-keywords.ts'
import { withProgress } from '../output/progress.ts'

interface Check {
  readonly name: 'runtime' | 'native' | 'configuration' | 'workspace' | 'index'
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly next?: string
}

/** Looks at everything Mnemark stands on; with --fix, repairs the index. Exit code 1 when a check fails. */
export async function doctor(invocation: Invocation): Promise<ExitCode> {
  const fixed: string[] = []
  const native = await checkNative()
  const checks: Check[] = [checkRuntime(), native]
  const settings = await checkConfiguration(invocation, checks)
  if (settings !== null && settings.switchedOffBy === null && native.status === 'ok') {
    checks.push(await checkWorkspace(settings), await checkIndex(settings, invocation, fixed))
  }
  invocation.console.document({ checks, fixed })
  for (const { name, status, message, next } of checks) {
    invocation.console.print(`${status.padEnd(7)}  ${name}: ${message}${next === undefined ? '' : `\n         ${next}`}`)
  }
  for (const what of fixed) invocation.console.print(`fixed    ${what}`)
  return checks.some(({ status }) => status === 'failed') ? EXIT.nothing : EXIT.done
}

function checkRuntime(): Check {
  const message = `Node ${process.version}, ICU ${process.versions.icu}, ${process.platform} ${process.arch}`
  // A Node built without full ICU cannot split Chinese, Japanese or Thai text into words.
  const hasWords = Intl.Segmenter.supportedLocalesOf(['ja', 'th', 'zh']).length === 3
  return hasWords
    ? { name: 'runtime', status: 'ok', message }
    : {
        name: 'runtime',
        status: 'failed',
        message: `${message}: without full ICU data`,
        next: 'Use a Node build with full ICU, as on nodejs.org.',
      }
}

async function checkNative(): Promise<Check> {
  try {
    const store = await openStore(':memory:')
    await store.close()
    return { name: 'native', status: 'ok', message: 'the SQLite engine loads' }
  } catch (error) {
    const { message } = toFailure(error)
    return { name: 'native', status: 'failed', message, next: 'Run pnpm rebuild better-sqlite3 (or npm rebuild better-sqlite3).' }
  }
}

/** The settings, or null where they cannot be used; what was found goes to `checks`. */
async function checkConfiguration(
  { globalOptions, currentFolder, environment }: Invocation,
  checks: Check[],
): Promise<Settings | null> {
  try {
    const settings = await loadSettings(globalOptions, currentFolder, environment)
    const file = settings.configFile ?? 'no file, defaults'
    if (settings.switchedOffBy !== null) {
      checks.push({
        name: 'configuration',
        status: 'warning',
        message: `${file}: memory is switched off by ${settings.switchedOffBy}`,
      })
      return settings
    }
    const unused = settings.notHonoured.map((key) => `${key} has no effect in this version`)
    const remarks = [...settings.warnings, ...unused]
    checks.push({
      name: 'configuration',
      status: settings.warnings.length === 0 ? 'ok' : 'warning',
      message: [file, ...remarks].join('; '),
    })
    return settings
  } catch (error) {
    // A wrong option is the caller's mistake and no finding.
    if (error instanceof CommandError || !ConfigError.isInstance(error)) throw error
    const { message, next } = toFailure(error)
    checks.push({ name: 'configuration', status: 'failed', message, next })
    return null
  }
}

async function checkWorkspace(settings: Settings): Promise<Check> {
  const { root, warnings } = (await openNotes(settings)).describe()
  if (root.problem !== null) {
    return {
      name: 'workspace',
      status: 'failed',
      message: `${root.configured}: ${root.problem}`,
      next: 'Check the folder, or name another.',
    }
  }
  const message = [root.configured, ...warnings].join('; ')
  return { name: 'workspace', status: warnings.length === 0 ? 'ok' : 'warning', message }
}

async function checkIndex(settings: Settings, invocation: Invocation, fixed: string[]): Promise<Check> {
  const isFixing = invocation.options.has('fix')
  const file = findIndexPlace(settings)
  if (file === null) return { name: 'index', status: 'ok', message: 'none yet: the first search makes it' }
  const problems = await problemsOf(file, isFixing ? fixed : null)
  if (problems.length === 0) return { name: 'index', status: 'ok', message: file }
  if (!isFixing) {
    return { name: 'index', status: 'failed', message: `${file}: ${problems.join('; ')}`, next: 'Run mnemark doctor --fix.' }
  }
  fixed.push(`the damaged index was set aside as ${await setAsideIndex(file)}`)
  await rebuild(settings, invocation)
  fixed.push('the index was built again from the notes')
  const left = await problemsOf(file, null)
  return left.length === 0
    ? { name: 'index', status: 'ok', message: file }
    : {
        name: 'index',
        status: 'failed',
        message: `${file}: ${left.join('; ')}`,
        next: 'Remove the file: nothing but the index is in it.',
      }
}

/** What is wrong with an index file; with `fixed`, after repairing what can be repaired in place. */
async function problemsOf(file: string, fixed: string[] | null): Promise<readonly string[]> {
  let store: MemoryStore
  try {
    store = await openStore(file)
  } catch (error) {
    return [damageOf(error)]
  }
  try {
    const found = await store.check()
    if (found.isHealthy || fixed === null) return found.isHealthy ? await probeKeywords(store) : found.problems
    const { repaired } = await store.check({ repair: true })
    fixed.push(...repaired)
    const left = await store.check()
    return left.isHealthy ? await probeKeywords(store) : left.problems
  } catch (error) {
    return [damageOf(error)]
  } finally {
    await store.close()
  }
}

/** The message of a damaged index; anything else is no finding about the index and is thrown on. */
function damageOf(error: unknown): string {
  if (StoreError.isInstance(error) && (error.code === 'corrupt' || error.code === 'schema-too-new')) return error.message
  throw error
}

async function rebuild(settings: Settings, { console }: Invocation): Promise<void> {
  const open = await openMemory(settings)
  try {
    await withProgress(console, (onProgress) => open.memory.sync({ reason: 'manual', onProgress }))
  } finally {
    await open.close()
  }
}
