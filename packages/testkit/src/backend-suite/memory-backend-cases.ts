import type { ContractCase, Deviation } from '../contract-case.ts'
import { contractCase, withDeviations } from '../contract-case.ts'
import { type BackendCase, BackendContext, type MemoryBackendTarget } from './backend-context.ts'
import { listCases } from './list-cases.ts'
import { searchCases } from './search-cases.ts'
import { upkeepCases } from './upkeep-cases.ts'

/** A backend may begin with loading a model. */
const TIME_LIMIT_MS = 600_000

const ALL: readonly BackendCase[] = [...searchCases, ...upkeepCases, ...listCases]

/**
 * The whole backend contract as cases for any test runner. Each case opens its own backends and closes them.
 * Throws TypeError for a deviation that has no reason or names no case.
 */
export function memoryBackendCases(target: MemoryBackendTarget, deviations: readonly Deviation[] = []): readonly ContractCase[] {
  const cases = ALL.map((each) => contractCase({ ...each, timeLimitMs: TIME_LIMIT_MS }, () => runCase(target, each.run)))
  return withDeviations(cases, deviations)
}

async function runCase(target: MemoryBackendTarget, run: BackendCase['run']): Promise<void> {
  const context = new BackendContext(target)
  try {
    await run(context)
  } finally {
    await context.closeAll()
  }
}
