import type { WireRequest } from '../protocol-servers/wire/exchange.ts'

/** The key every protocol server of a suite accepts, and no error may show. */
export const SECRET = 'sk-mnemark-0f1e2d3c4b5a69788796a5b4c3d2e1f0'

/** Options of the adapter under test, to be spread over its usual ones. */
export type OptionSet = Readonly<Record<string, unknown>>

export interface ProviderSetup {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  /** Always `SECRET`. */
  readonly apiKey: string
  /** Options that this case needs; spread them last. */
  readonly set: OptionSet
}

/** An option and how it shows in a request. */
export interface ProviderOption {
  readonly set: OptionSet
  /** True for a request made with the option, false for one made without. */
  expect(body: Readonly<Record<string, unknown>>, request: WireRequest): boolean
}

export interface ServiceCase<Session> {
  readonly id: string
  readonly title: string
  readonly run: (session: Session) => Promise<void>
}
