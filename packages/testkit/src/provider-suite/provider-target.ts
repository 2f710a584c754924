import type { EmbeddingProvider } from '@mnemark/spec'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { OptionSet, ProviderOption, ProviderSetup } from '../service-suite/service-target.ts'

/** Option sets that change the fingerprint. null = the adapter has no such choice, and its space must show none. */
export interface SpaceVariations {
  readonly model: OptionSet
  readonly dimensions: OptionSet | null
  readonly variant: OptionSet | null
}

interface CommonTarget {
  /** Options that the constructor must refuse, such as `{ apiKey: '' }`; at least one. */
  readonly misconfigured?: readonly OptionSet[]
  readonly variations?: SpaceVariations
}

export interface HttpProviderTarget extends CommonTarget {
  readonly transport: 'http'
  create(setup: ProviderSetup): EmbeddingProvider
  /** The service's side, or a function that makes it: `openaiCompatibleWire(…)` for compatible servers. */
  readonly wire: EmbeddingWire | (() => EmbeddingWire)
  /** Every option that must reach the service. */
  readonly options?: readonly ProviderOption[]
}

/** An in-process model: no wire, so no wire cases. */
export interface InProcessProviderTarget extends CommonTarget {
  readonly transport: 'in-process'
  create(setup: Pick<ProviderSetup, 'set'>): EmbeddingProvider
  readonly inputTypes: 'symmetric' | 'distinct'
  readonly reportsUsage: boolean
}

export type EmbeddingProviderTarget = HttpProviderTarget | InProcessProviderTarget

/** Parts that a target may leave undeclared, and the cases left out with each. A runner prints them, so that no gap goes unseen. */
const OPTIONAL_PARTS = {
  misconfigured: ['E1.config'],
  variations: ['E2.moves', 'E14.dimensions'],
  options: ['E14'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The ids of the cases that are left out, by the missing part of the target. */
export function undeclaredCases(target: EmbeddingProviderTarget): ReadonlyMap<string, readonly string[]> {
  const parts = Object.entries(OPTIONAL_PARTS).filter(([part]) => part !== 'options' || target.transport === 'http')
  return new Map(parts.filter(([part]) => Reflect.get(target, part) === undefined))
}
