import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makePlace, serve, TOKEN } from '../memory-place.ts'
import { NOT_APPLICABLE } from './not-applicable.ts'
import { withToken } from './with-token.ts'

const require = createRequire(import.meta.url)
const PROGRAM = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')

/** The result of one scenario of the suite. */
export interface Outcome {
  readonly scenario: string
  readonly passed: number
  readonly failed: readonly string[]
  /** Why it does not apply; null where it has to pass. */
  readonly reason: string | null
}

/** Runs the official suite against `mnemark serve` over a small memory, every scenario. Rejects where the suite itself does not run. */
export async function runSuite(): Promise<readonly Outcome[]> {
  const place = makePlace({ 'MEMORY.md': '# Memory\n\n- VLAN 10 is for guests\n' })
  const results = mkdtempSync(join(tmpdir(), 'mnemark-conformance-'))
  const server = await serve(place)
  const door = await withToken(server.url, TOKEN)
  try {
    const listed = await run(['list', '--server'])
    const scenarios = [...listed.matchAll(/^ {2}- (\S+)/gmu)].map(([, name = '']) => name)
    await run(['server', '--suite', 'all', '--url', `${door.url}/mcp`, '--output-dir', results])
    return scenarios.map((scenario) => readOutcome(scenario, results))
  } finally {
    door.close()
    await server.stop()
    place.remove()
    rmSync(results, { recursive: true, force: true })
  }
}

/** The problems with these outcomes, in words; empty if all is as expected. */
export function problemsOf(outcomes: readonly Outcome[]): readonly string[] {
  const known = new Set(outcomes.map(({ scenario }) => scenario))
  const gone = Object.keys(NOT_APPLICABLE).filter((scenario) => !known.has(scenario))
  return [
    ...outcomes.flatMap(problemOf),
    ...gone.map((scenario) => `${scenario} is not in the suite any more: take it out of not-applicable.ts`),
  ]
}

function problemOf({ scenario, passed, failed, reason }: Outcome): readonly string[] {
  const isPassed = passed > 0 && failed.length === 0
  if (reason === null) return isPassed ? [] : [`${scenario} failed: ${failed.join('; ') || 'it checked nothing'}`]
  return isPassed ? [`${scenario} passes: take it out of not-applicable.ts`] : []
}

function readOutcome(scenario: string, results: string): Outcome {
  const folder = readdirSync(results).find((name) => name.replace(/-\d{4}-\d{2}-\d{2}T.*$/u, '') === `server-${scenario}`)
  const checks: readonly Check[] =
    folder === undefined ? [] : JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'))
  return {
    scenario,
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: checks.filter(({ status }) => status === 'FAILURE').map(({ id, errorMessage }) => errorMessage ?? id),
    reason: NOT_APPLICABLE[scenario] ?? null,
  }
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** Runs the suite and returns its output. It exits with 1 whenever a scenario fails, so its code says nothing. */
async function run(argv: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (stdout.trim() === '') throw new Error(`the conformance suite printed nothing; it said: ${stderr}`)
  return stdout
}
