import type { StoreLevel } from '@mnemark/spec'
import { connectionCases } from './connection-cases.ts'
import type { ContractCase, Deviation } from '../contract-case.ts'
import { contractCase, withDeviations } from '../contract-case.ts'
import { documentCases } from './document-cases.ts'
import { filterCases } from './filter-cases.ts'
import { jobCases } from './job-cases.ts'
import { leaseCases } from './lease-cases.ts'
import { lifecycleCases } from './lifecycle-cases.ts'
import { segmentCases } from './segment-cases.ts'
import { snapshotCases } from './snapshot-cases.ts'
import type { MemoryStoreTarget, StoreCase } from './store-context.ts'
import { LEVELS, levelsOf, StoreContext } from './store-context.ts'
import { vectorCases } from './vector-cases.ts'
import { vectorScanCases } from './vector-scan-cases.ts'
import { vectorUpkeepCases } from './vector-upkeep-cases.ts'

const ALL: readonly StoreCase[] = [
  ...lifecycleCases,
  ...documentCases,
  ...needing(['keywords'], segmentCases),
  ...snapshotCases,
  ...filterCases,
  ...needing(['vectors'], vectorCases),
  ...needing(['vectors'], vectorUpkeepCases),
  ...needing(['vectors'], vectorScanCases),
  ...leaseCases,
  ...connectionCases,
  ...jobCases,
]

function needing(needs: readonly StoreLevel[], cases: readonly StoreCase[]): readonly StoreCase[] {
  return cases.map((each) => ({ ...each, needs: [...needs, ...(each.needs ?? [])] }))
}

/**
 * The store contract for the target's levels, as cases for any test runner. Each case makes its own store and closes
 * it. Throws TypeError for a deviation that has no reason or names no case.
 */
export function memoryStoreCases(target: MemoryStoreTarget, deviations: readonly Deviation[] = []): readonly ContractCase[] {
  const cases = ALL.filter(isFor(target)).map((each) => contractCase(each, () => runCase(target, each.run)))
  return withDeviations(cases, deviations)
}

/** The ids of the cases that are left out, by the missing level. */
export function absentStoreCases(target: Pick<MemoryStoreTarget, 'levels'>): ReadonlyMap<StoreLevel, readonly string[]> {
  const absent = LEVELS.filter((level) => !levelsOf(target).includes(level))
  const idsOf = (level: StoreLevel): readonly string[] => ALL.flatMap(({ id, needs = [] }) => (needs.includes(level) ? id : []))
  return new Map(absent.map((level) => [level, idsOf(level)]))
}

function isFor(target: MemoryStoreTarget): (each: StoreCase) => boolean {
  const levels = levelsOf(target)
  return ({ needs = [] }) => needs.every((level) => levels.includes(level))
}

async function runCase(target: MemoryStoreTarget, run: StoreCase['run']): Promise<void> {
  const context = new StoreContext(target)
  try {
    await run(context)
  } finally {
    await context.closeAll()
  }
}
