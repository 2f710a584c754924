import { describe, expect, test } from 'vitest'
import type { Deviation } from './store-suite/contract-case.ts'
import { describeDeviations } from './store-suite/contract-case.ts'
import { memoryStoreCases } from './store-suite/memory-store-cases.ts'
import type { MemoryStoreTarget } from './store-suite/store-context.ts'

export type { Deviation, MemoryStoreTarget }

export interface DescribeMemoryStoreOptions extends MemoryStoreTarget {
  /** Cases known not to hold, each with its reason; printed, counted, and failing once they hold. */
  readonly deviations?: readonly Deviation[]
}

/** Registers the store contract with vitest: `describeMemoryStore('sqlite', { create: () => openTemporary(), reopen: openAgain })`. */
export function describeMemoryStore(name: string, options: DescribeMemoryStoreOptions): void {
  const deviations = options.deviations ?? []
  describe(`memory store ${name}`, () => {
    if (deviations.length > 0) console.warn(describeDeviations(name, deviations))
    for (const { id, title, run } of memoryStoreCases(options, deviations)) {
      test(`${id} ${title}`, async () => {
        await expect(run()).resolves.toBeUndefined()
      })
    }
  })
}
