import { describe, expect, test } from 'vitest'
import { embeddingProviderCases } from './provider-suite/embedding-provider-cases.ts'
import { type EmbeddingProviderTarget, undeclaredCases } from './provider-suite/provider-target.ts'
import type { ContractCase, Deviation } from './store-suite/contract-case.ts'
import { describeDeviations } from './store-suite/contract-case.ts'
import { memoryStoreCases } from './store-suite/memory-store-cases.ts'
import type { MemoryStoreTarget } from './store-suite/store-context.ts'

export type { Deviation, EmbeddingProviderTarget, MemoryStoreTarget }

export interface DescribeMemoryStoreOptions extends MemoryStoreTarget {
  /** Cases known not to hold, each with its reason; printed, counted, and failing once they hold. */
  readonly deviations?: readonly Deviation[]
}

/** The provider under test, its service, and the cases known not to hold. */
export type DescribeEmbeddingProviderOptions = EmbeddingProviderTarget & { readonly deviations?: readonly Deviation[] }

/** Registers the store contract with vitest: `describeMemoryStore('sqlite', { create: () => openTemporary(), reopen: openAgain })`. */
export function describeMemoryStore(name: string, options: DescribeMemoryStoreOptions): void {
  const deviations = options.deviations ?? []
  describe(`memory store ${name}`, () => {
    register(name, memoryStoreCases(options, deviations), deviations)
  })
}

/** Registers the provider contract with vitest: `describeEmbeddingProvider('acme', { transport: 'http', create, wire, … })`. */
export function describeEmbeddingProvider(name: string, options: DescribeEmbeddingProviderOptions): void {
  const deviations = options.deviations ?? []
  describe(`embedding provider ${name}`, () => {
    for (const [part, ids] of undeclaredCases(options))
      console.warn(`${name}: no ${part} declared, so not checked: ${ids.join(', ')}`)
    register(name, embeddingProviderCases(options, deviations), deviations)
  })
}

function register(name: string, cases: readonly ContractCase[], deviations: readonly Deviation[]): void {
  if (deviations.length > 0) console.warn(describeDeviations(name, deviations))
  for (const { id, title, run } of cases) {
    test(`${id} ${title}`, async () => {
      expect(await run()).toBeUndefined()
    })
  }
}
