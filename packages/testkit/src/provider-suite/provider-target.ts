import type { EmbeddingProvider } from '@mnemark/spec'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { WireRequest } from '../protocol-servers/wire/exchange.ts'

/** The key that every protocol server of the suite accepts, and that no error may show. */
export const SECRET = 'sk-mnemark-0f1e2d3c4b5a69788796a5b4c3d2e1f0'

/** Options of the adapter under test, to be spread over its usual ones. */
export type OptionSet = Readonly<Record<string, unknown>>

export interface ProviderSetup {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  /** Always `SECRET`. */
  readonly apiKey: string
  /** Options of this case; spread them last. */
  readonly set: OptionSet
}

/** An option and its effect on a request. */
export interface ProviderOption {
  readonly set: OptionSet
  /** True for a request made with the option, false for one made without. */
  expect(body: Readonly<Record<string, unknown>>, request: WireRequest): boolean
}

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

export type ProviderCase<Session> = {
  readonly id: string
  readonly title: string
  readonly run: (session: Session) => Promise<void>
}

/** Optional parts of a target, with the cases that are missing without them; a runner prints them, so that gaps are visible. */
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
