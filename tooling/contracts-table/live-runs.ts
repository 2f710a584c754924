/** Runs of the adapters' examples with real accounts, and the record of them. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../workspace-packages.ts'
import type { Adapter } from './find-adapters.ts'

/** The day of the last good run, by adapter: `2026-11-30`. */
export type LiveRuns = Readonly<Record<string, string>>

const RECORD = 'tooling/contracts-table/live-runs.json'
/** Loading or downloading a model may take long. */
const TIMEOUT_MS = 15 * 60_000

export function readLiveRuns(root: string): LiveRuns {
  const value: unknown = JSON.parse(readFileSync(join(root, RECORD), 'utf8'))
  return Object.fromEntries(Object.entries(isRecord(value) ? value : {}).map(([name, day]) => [name, String(day)]))
}

export interface LiveOutcome {
  readonly adapter: string
  readonly kind: 'verified' | 'failed' | 'skipped'
  readonly detail: string
}

export interface LiveRequest {
  readonly root: string
  readonly adapters: readonly Adapter[]
  /** Adapters to run unconditionally. Empty: those with keys, if all of these are in the environment. */
  readonly names: readonly string[]
  readonly day: string
}

/** Runs the examples, one after the other, and records those that embedded something. */
export function runLive({ root, adapters, names, day }: LiveRequest): readonly LiveOutcome[] {
  const wanted = adapters.filter(({ name }) => names.length === 0 || names.includes(name))
  const outcomes = wanted.map((adapter) => runExample(root, adapter, names.length > 0))
  const verified = outcomes.filter(({ kind }) => kind === 'verified').map(({ adapter }) => [adapter, day])
  if (verified.length > 0) {
    const runs = { ...readLiveRuns(root), ...Object.fromEntries(verified) }
    writeFileSync(join(root, RECORD), `${JSON.stringify(runs, Object.keys(runs).toSorted(), 2)}\n`)
  }
  return outcomes
}

function runExample(root: string, { name, example, keyVariables }: Adapter, isNamed: boolean): LiveOutcome {
  const skipped = (detail: string): LiveOutcome => ({ adapter: name, kind: isNamed ? 'failed' : 'skipped', detail })
  if (example === undefined) return skipped('it has no example that calls anything')
  const missing = keyVariables.filter((variable) => (process.env[variable] ?? '').trim() === '')
  if (missing.length > 0) return skipped(`not set: ${missing.join(', ')}`)
  if (!isNamed && keyVariables.length === 0) return skipped('it needs no key, so it runs only when it is named')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=mnemark-source', '--no-warnings', join(root, example)],
    {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    },
  )
  // The examples print lengths of vectors, scores or the like: numbers.
  const hasEmbedded = status === 0 && /\d/.test(stdout)
  if (hasEmbedded) return { adapter: name, kind: 'verified', detail: stdout.trim().replaceAll(/\s+/g, ' ') }
  return { adapter: name, kind: 'failed', detail: `${example} ended with ${String(status)}\n${stderr.trim()}` }
}
