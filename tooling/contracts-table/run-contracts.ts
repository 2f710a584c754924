import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { ContractMeta } from '../../packages/testkit/src/vitest.ts'
import { isRecord } from '../workspace-packages.ts'
import type { Adapter } from './find-adapters.ts'

/** One case of one suite, as it ran. */
export interface CaseResult {
  /** The adapter's name. */
  readonly adapter: string
  readonly suite: string
  readonly id: string
  readonly hasPassed: boolean
  readonly deviation: string | undefined
  readonly provider: ContractMeta['provider']
}

/** The tests could not be run at all, or not to their end. */
export class ContractRunError extends Error {
  override name = 'ContractRunError'
}

/** Runs the contract suites of these adapters under vitest. Throws ContractRunError where there is no report, or a file that failed. */
export function runContracts(root: string, adapters: readonly Adapter[]): readonly CaseResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'))
  try {
    const report = join(folder, 'report.json')
    const files = adapters.flatMap(({ suites }) => suites)
    const args = ['run', '--testNamePattern', '^embedding provider ', '--reporter=json', `--outputFile=${report}`, ...files]
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { stderr } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (!existsSync(report)) throw new ContractRunError(`vitest wrote no report:\n${stderr}`)
    return readReport(JSON.parse(readFileSync(report, 'utf8')), root, adapters)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function readReport(report: unknown, root: string, adapters: readonly Adapter[]): readonly CaseResult[] {
  return listOf(isRecord(report) ? report['testResults'] : undefined).flatMap((file) => {
    if (!isRecord(file)) return []
    const path = relative(root, String(file['name'])).replaceAll('\\', '/')
    const adapter = adapters.find(({ suites }) => suites.includes(path))
    if (adapter === undefined) return []
    const results = listOf(file['assertionResults']).flatMap((result) => caseResult(adapter.name, result))
    if (results.length === 0) throw new ContractRunError(`${path} ran no case of the contract: ${String(file['message'])}`)
    return results
  })
}

function caseResult(adapter: string, result: unknown): readonly CaseResult[] {
  const { status, meta } = isRecord(result) ? result : {}
  const contract = isRecord(meta) ? meta['contract'] : undefined
  if (!isRecord(contract)) return []
  // Written by the testkit of this checkout, in this form.
  const { suite, id, deviation, provider } = contract as unknown as ContractMeta
  return [{ adapter, suite, id, hasPassed: status === 'passed', deviation, provider }]
}
