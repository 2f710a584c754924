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

/** The tests could not run, or not to their end. */
export class ContractRunError extends Error {
  override name = 'ContractRunError'
}

/** Runs the contract suites of these adapters under vitest. Throws ContractRunError where there is no report, or a file that failed. */
export function runContracts(root: string, adapters: readonly Adapter[]): readonly CaseResult[] {
  const files = adapters.flatMap(({ suites }) => suites)
  return runSuites(root, files, '^embedding provider ').flatMap(({ file, contracts }) => {
    const adapter = adapters.find(({ suites }) => suites.includes(file))
    return adapter === undefined ? [] : contracts.map((contract) => caseResult(adapter.name, contract))
  })
}

/** A case as its test reports it. */
interface ReportedCase extends ContractMeta {
  readonly hasPassed: boolean
}

interface ReportedFile {
  readonly file: string
  readonly contracts: readonly ReportedCase[]
}

/** Runs the cases in these files whose full names match. Throws ContractRunError where there is no report, or a file without a case. */
export function runSuites(root: string, files: readonly string[], namePattern: string): readonly ReportedFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'))
  try {
    const report = join(folder, 'report.json')
    const args = ['run', '--testNamePattern', namePattern, '--reporter=json', `--outputFile=${report}`, ...files]
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { stderr } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (!existsSync(report)) throw new ContractRunError(`vitest wrote no report:\n${stderr}`)
    return readReport(JSON.parse(readFileSync(report, 'utf8')), root, files)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function readReport(report: unknown, root: string, files: readonly string[]): readonly ReportedFile[] {
  return listOf(isRecord(report) ? report['testResults'] : undefined).flatMap((result) => {
    if (!isRecord(result)) return []
    const file = relative(root, String(result['name'])).replaceAll('\\', '/')
    if (!files.includes(file)) return []
    const contracts = listOf(result['assertionResults']).flatMap(reportedCase)
    if (contracts.length === 0) throw new ContractRunError(`${file} ran no case of the contract: ${String(result['message'])}`)
    return [{ file, contracts }]
  })
}

function reportedCase(result: unknown): readonly ReportedCase[] {
  const { status, meta } = isRecord(result) ? result : {}
  const contract = isRecord(meta) ? meta['contract'] : undefined
  // Safe: the testkit of this checkout writes this form.
  return isRecord(contract) ? [{ ...(contract as unknown as ContractMeta), hasPassed: status === 'passed' }] : []
}

export function caseResult(adapter: string, { suite, id, deviation, provider, hasPassed }: ReportedCase): CaseResult {
  return { adapter, suite, id, hasPassed, deviation, provider }
}
