import { describe, expect, test } from 'vitest'
import type { MemoryBackendTarget } from './backend-suite/backend-context.ts'
import { memoryBackendCases } from './backend-suite/memory-backend-cases.ts'
import { describeTarget, type ProviderDescription } from './provider-suite/describe-target.ts'
import { embeddingProviderCases } from './provider-suite/embedding-provider-cases.ts'
import { type EmbeddingProviderTarget, undeclaredCases } from './provider-suite/provider-target.ts'
import type { TextGeneratorTarget } from './generator-suite/generator-target.ts'
import { textGeneratorCases } from './generator-suite/text-generator-cases.ts'
import { rerankerCases } from './reranker-suite/reranker-cases.ts'
import type { RerankerTarget } from './reranker-suite/reranker-target.ts'
import type { ContractCase, Deviation } from './contract-case.ts'
import { describeDeviations } from './contract-case.ts'
import { absentStoreCases, memoryStoreCases } from './store-suite/memory-store-cases.ts'
import type { MemoryStoreTarget } from './store-suite/store-context.ts'

export type { Deviation, EmbeddingProviderTarget, MemoryBackendTarget, MemoryStoreTarget, RerankerTarget, TextGeneratorTarget }

/** Data for reporters in `task.meta.contract` of a contract case. */
export interface ContractMeta {
  readonly suite: string
  readonly id: string
  /** Why the case is known not to hold. */
  readonly deviation?: string
  /** Set for an embedding provider, with its case E2.stable. */
  readonly provider?: ProviderDescription
}

declare module 'vitest' {
  interface TaskMeta {
    contract?: ContractMeta
  }
}

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
    for (const [level, ids] of absentStoreCases(options))
      console.warn(`${name}: keeps no ${level}, so not checked: ${ids.join(', ')}`)
    register({ name, cases: memoryStoreCases(options, deviations), deviations })
  })
}

/** Registers the provider contract with vitest: `describeEmbeddingProvider('acme', { transport: 'http', create, wire, … })`. */
export function describeEmbeddingProvider(name: string, options: DescribeEmbeddingProviderOptions): void {
  const deviations = options.deviations ?? []
  describe(`embedding provider ${name}`, () => {
    for (const [part, ids] of undeclaredCases(options))
      console.warn(`${name}: no ${part} declared, so not checked: ${ids.join(', ')}`)
    const cases = embeddingProviderCases(options, deviations)
    register({ name, cases, deviations, describeAt: ['E2.stable', () => describeTarget(options)] })
  })
}

/** The backend under test, and the cases known not to hold. */
export interface DescribeMemoryBackendOptions extends MemoryBackendTarget {
  readonly deviations?: readonly Deviation[]
}

/** Registers the backend contract with vitest: `describeMemoryBackend('qmd', { open: (notes) => openOverFiles(notes) })`. */
export function describeMemoryBackend(name: string, options: DescribeMemoryBackendOptions): void {
  const deviations = options.deviations ?? []
  describe(`memory backend ${name}`, () => {
    register({ name, cases: memoryBackendCases(options, deviations), deviations })
  })
}

/** The generator under test, its service, and the cases known not to hold. */
export interface DescribeTextGeneratorOptions extends TextGeneratorTarget {
  readonly deviations?: readonly Deviation[]
}

/** Registers the contract of text generators with vitest: `describeTextGenerator('acme', { create, wire, misconfigured, options })`. */
export function describeTextGenerator(name: string, options: DescribeTextGeneratorOptions): void {
  const deviations = options.deviations ?? []
  describe(`text generator ${name}`, () => {
    register({ name, cases: textGeneratorCases(options, deviations), deviations })
  })
}

/** The reranker under test, its service, and the cases known not to hold. */
export interface DescribeRerankerOptions extends RerankerTarget {
  readonly deviations?: readonly Deviation[]
}

/** Registers the contract of rerankers with vitest: `describeReranker('acme', { create, wire, misconfigured, options })`. */
export function describeReranker(name: string, options: DescribeRerankerOptions): void {
  const deviations = options.deviations ?? []
  describe(`reranker ${name}`, () => {
    register({ name, cases: rerankerCases(options, deviations), deviations })
  })
}

interface Suite {
  readonly name: string
  readonly cases: readonly ContractCase[]
  readonly deviations: readonly Deviation[]
  /** The case whose report also describes the provider. */
  readonly describeAt?: readonly [id: string, describe: () => Promise<ProviderDescription>]
}

function register({ name, cases, deviations, describeAt }: Suite): void {
  if (deviations.length > 0) console.warn(describeDeviations(name, deviations))
  for (const { id, title, timeLimitMs, run } of cases) {
    test(`${id} ${title}`, { timeout: timeLimitMs }, async ({ task }) => {
      const deviation = deviations.find((each) => each.id === id)?.reason
      const meta = { suite: name, id, ...(deviation === undefined ? {} : { deviation }) }
      task.meta.contract = meta
      expect(await run()).toBeUndefined()
      if (describeAt?.[0] === id) task.meta.contract = { ...meta, provider: await describeAt[1]() }
    })
  }
}
