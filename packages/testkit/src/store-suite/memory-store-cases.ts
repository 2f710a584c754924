import { connectionCases } from './connection-cases.ts'
import type { ContractCase, Deviation } from './contract-case.ts'
import { withDeviations } from './contract-case.ts'
import { documentCases } from './document-cases.ts'
import { filterCases } from './filter-cases.ts'
import { jobCases } from './job-cases.ts'
import { leaseCases } from './lease-cases.ts'
import { lifecycleCases } from './lifecycle-cases.ts'
import { segmentCases } from './segment-cases.ts'
import { snapshotCases } from './snapshot-cases.ts'
import type { MemoryStoreTarget, StoreCase } from './store-context.ts'
import { StoreContext } from './store-context.ts'
import { vectorCases } from './vector-cases.ts'
import { vectorScanCases } from './vector-scan-cases.ts'
import { vectorUpkeepCases } from './vector-upkeep-cases.ts'

const ALL: readonly StoreCase[] = [
  ...lifecycleCases,
  ...documentCases,
  ...segmentCases,
  ...snapshotCases,
  ...filterCases,
  ...vectorCases,
  ...vectorUpkeepCases,
  ...vectorScanCases,
  ...leaseCases,
  ...connectionCases,
  ...jobCases,
]

/**
 * The whole store contract as cases for any test runner. Each case makes its own store and closes it.
 * Throws TypeError for a deviation that has no reason or names no case.
 */
export function memoryStoreCases(target: MemoryStoreTarget, deviations: readonly Deviation[] = []): readonly ContractCase[] {
  const cases = ALL.map(({ id, title, run }) => ({ id, title, run: () => runCase(target, run) }))
  return withDeviations(cases, deviations)
}

async function runCase(target: MemoryStoreTarget, run: StoreCase['run']): Promise<void> {
  const context = new StoreContext(target)
  try {
    await run(context)
  } finally {
    await context.closeAll()
  }
}
