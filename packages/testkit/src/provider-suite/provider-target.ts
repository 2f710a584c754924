import type { EmbeddingProvider } from '@mnemark/spec'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { WireRequest } from '../protocol-servers/wire/exchange.ts'

/** The key every protocol server of the suite accepts, and no error may show. */
export const SECRET = 'sk-mnemark-0f1e2d3c4b5a69788796a5b4c3d2e1f0'

/** Options of the adapter under test, to be spread over its usual ones. */
export type OptionSet = Readonly<Record<string, unknown>>

export interface ProviderSetup {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  /** Always `SECRET`. */
  readonly apiKey: string
  /** What this case wants different; spread it last. */
  readonly set: OptionSet
}

/** An option and how it shows in a request. */
export interface ProviderOption {
  readonly set: OptionSet
  /** True for a request made with the option, false for one made without. */
  expect(body: Readonly<Record<string, unknown>>, request: WireRequest): boolean
}

/** Option sets that move the fingerprint. null = the adapter has no such choice, and its space must show none. */
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
  /** The service's side, or what makes it: `openaiCompatibleWire(…)` for servers of that kind. */
  readonly wire: EmbeddingWire | (() => EmbeddingWire)
  /** Every option that is meant to reach the service. */
  readonly options?: readonly ProviderOption[]
}

/** For models in this process: no wire, so no wire cases. */
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

/** What a target may leave undeclared, with the cases that are then not there; a runner prints them, so that no gap goes unseen. */
const OPTIONAL_PARTS = {
  misconfigured: ['E1.config'],
  variations: ['E2.moves', 'E14.dimensions'],
  options: ['E14'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The ids of the cases that have nothing to check, by the part of the target that is missing. */
export function undeclaredCases(target: EmbeddingProviderTarget): ReadonlyMap<string, readonly string[]> {
  const parts = Object.entries(OPTIONAL_PARTS).filter(([part]) => part !== 'options' || target.transport === 'http')
  return new Map(parts.filter(([part]) => Reflect.get(target, part) === undefined))
}
