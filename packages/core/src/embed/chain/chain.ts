import { type Degradation, type EmbeddingProvider, fingerprint, type SpaceCoverage } from '@mnemark/spec'
import type { BreakerState, CircuitBreaker } from '../../calls/circuit-breaker.ts'
import { nameOf } from './link-name.ts'

/** A provider of the chain with its space and its health. */
export interface ChainLink {
  readonly provider: EmbeddingProvider
  readonly fingerprint: string
  readonly breaker: CircuitBreaker
}

/**
 * Makes the links in order, each space once: a link whose space an earlier one has is dropped, with a warning.
 * `makeBreaker` makes the breaker of each space.
 */
export function createChain(
  providers: readonly EmbeddingProvider[],
  makeBreaker: (fingerprint: string) => CircuitBreaker,
): { readonly links: readonly ChainLink[]; readonly warnings: readonly string[] } {
  const links: ChainLink[] = []
  const warnings: string[] = []
  for (const provider of providers) {
    const space = fingerprint(provider.space)
    const isKnown = links.some((link) => link.fingerprint === space)
    if (isKnown) warnings.push(`fallback ${nameOf(provider)} is the same as an earlier link of the chain and was dropped.`)
    else links.push({ provider, fingerprint: space, breaker: makeBreaker(space) })
  }
  return { links, warnings }
}

/** Health of a link, the input of choosing. */
export interface LinkHealth {
  readonly fingerprint: string
  /** Name shown to people. */
  readonly name: string
  /** Whether a call may be made now. */
  readonly isHealthy: boolean
  readonly cause: BreakerState['cause']
  readonly failingSinceMs: number | null
}

export function healthOf({ provider, fingerprint: space, breaker }: ChainLink): LinkHealth {
  const { cause, failingSinceMs } = breaker.state
  return { fingerprint: space, name: nameOf(provider), isHealthy: breaker.phase !== 'open', cause, failingSinceMs }
}

export type Coverage = Pick<SpaceCoverage, 'fingerprint' | 'filled' | 'missing' | 'failed'> & {
  /** The length of its vectors; null or absent = not known yet. */
  readonly dimensions?: number | null
}

/** Share of done inputs from which a space is complete enough to come before later links. */
export const COMPLETE_SHARE = 0.95

const inputsOf = ({ filled, missing, failed }: Coverage): number => filled + missing + failed

/** Share of inputs that are filled, null vectors included; 1 where there are no inputs, 0 for a space the store does not know. */
function filledShare(coverage: Coverage | undefined): number {
  if (coverage === undefined) return 0
  return inputsOf(coverage) === 0 ? 1 : coverage.filled / inputsOf(coverage)
}

/**
 * As `filledShare`, with refused inputs counted as done while at least half of all hold vectors: a model that takes
 * nearly everything is not passed over for the few texts it refuses.
 */
export function doneShare(coverage: Coverage | undefined): number {
  const share = filledShare(coverage)
  if (coverage === undefined || share < 0.5 || coverage.failed === 0) return share
  return (coverage.filled + coverage.failed) / inputsOf(coverage)
}

/** More than half of the texts refused: the service is at fault, not the texts. */
const refusesMost = (coverage: Coverage | undefined): boolean =>
  coverage !== undefined && coverage.failed * 2 > inputsOf(coverage)

export interface QueryChoice {
  /** Index of the link that embeds the query and whose space is searched; null = keywords. */
  readonly position: number | null
  /** Why the answer is less than requested. */
  readonly degraded: readonly Degradation[]
}

/**
 * Chooses the first healthy link whose space is complete, else the healthy one with the fullest space that holds
 * anything (texts without a vector are found by their words), else keywords. Says why the choice is less than a
 * complete first link. Pure: the same state gives the same answer.
 */
export function chooseQueryLink(links: readonly LinkHealth[], coverage: readonly Coverage[]): QueryChoice {
  if (links.length === 0) {
    const message = 'no embedding provider is set: keyword search only. Give one in `embeddings` for vectors.'
    return { position: null, degraded: [{ code: 'no-provider', message }] }
  }
  const coverageOf = ({ fingerprint }: LinkHealth) => coverage.find((each) => each.fingerprint === fingerprint)
  const complete = links.findIndex((link) => link.isHealthy && doneShare(coverageOf(link)) >= COMPLETE_SHARE)
  const chosen = complete === -1 ? fullest(links, coverageOf) : complete
  const link = links[chosen]
  if (link === undefined) return { position: null, degraded: links.map((each) => whyNot(each, coverageOf(each))) }
  const notice = complete === -1 ? [whyNot(link, coverageOf(link))] : []
  const [first] = links.slice(0, chosen).map((each) => whyNot(each, coverageOf(each)))
  if (first === undefined) return { position: chosen, degraded: notice }
  const message = `vectors of ${link.name} are used: ${first.message}`
  return { position: chosen, degraded: [{ code: 'fallback-provider', message }, ...notice] }
}

/** The healthy link with the largest share filled, the first of equals; -1 where none holds a vector. */
function fullest(links: readonly LinkHealth[], coverageOf: (link: LinkHealth) => Coverage | undefined): number {
  let best = { position: -1, share: 0 }
  for (const [position, link] of links.entries()) {
    const share = link.isHealthy ? filledShare(coverageOf(link)) : 0
    if (share > best.share) best = { position, share }
  }
  return best.position
}

/** Wording in messages for sending refused inputs again. Messages name options as programs write them; an app may reword them. */
export const FORCED_SYNC = 'a forced sync (`force: true`)'

function mostRefused(name: string, coverage: Coverage): string {
  return (
    `${name} refused ${coverage.failed} of ${inputsOf(coverage)} texts, so the fault is taken to be its own. ` +
    `Check its model, dimensions and address; ${FORCED_SYNC} sends them again.`
  )
}

function whyNot({ name, isHealthy, cause }: LinkHealth, coverage: Coverage | undefined): Degradation {
  if (isHealthy) {
    if (coverage !== undefined && refusesMost(coverage)) return { code: 'space-incomplete', message: mostRefused(name, coverage) }
    const percent = Math.floor(filledShare(coverage) * 100)
    const isRefused = coverage !== undefined && coverage.missing === 0
    const next = isRefused
      ? `The provider refused the rest; ${FORCED_SYNC} sends it again.`
      : 'The rest is found by its words until the next sync has filled it.'
    return { code: 'space-incomplete', message: `the vectors of ${name} are ${percent} % filled. ${next}` }
  }
  if (cause?.code === 'space-mismatch') return { code: 'space-paused', message: cause.message }
  return { code: 'provider-unavailable', message: cause?.message ?? `${name} does not answer.` }
}

export interface DocumentRules {
  readonly nowMs: number
  /** How long a link must have failed before the next one is filled. Default 10. */
  readonly fallbackAfterMinutes?: number | undefined
  /** Whether to fill the link after the primary always. Default false. */
  readonly isKeptWarm?: boolean | undefined
  /** True = a failing link is not waited for, however short its failure. Default false. */
  readonly isUrgent?: boolean | undefined
  /** Coverage of each space; a space that is missing here is empty. */
  readonly coverage: readonly Coverage[]
}
export interface DocumentChoice {
  readonly position: number
  readonly reason: 'primary' | 'keep-warm' | 'fallback'
  /** False while its breaker rests: nothing is sent yet, and the space keeps waiting. */
  readonly isReady: boolean
}

const WITHOUT_HOPE: ReadonlySet<string> = new Set(['auth', 'quota', 'refuses-most'])
export const FALLBACK_AFTER_MINUTES = 10

/**
 * Chooses the links whose spaces documents fill, each whole, in order. The primary always; a further link when each
 * before it has failed for `fallbackAfterMinutes`, or with `auth` or `quota`, or fails without a vector in its space
 * (there is nothing to wait for), or refused most texts; and the link after the primary while it is kept warm. Pure.
 */
export function chooseDocumentLinks(links: readonly LinkHealth[], rules: DocumentRules): readonly DocumentChoice[] {
  const choices: DocumentChoice[] = []
  // True while every link so far has given up.
  let hasNobody = true
  for (const [position, link] of links.entries()) {
    const isWarm = position === 1 && rules.isKeptWarm === true
    if (!hasNobody && !isWarm) break
    const reason = position === 0 ? 'primary' : hasNobody ? 'fallback' : 'keep-warm'
    choices.push({ position, reason, isReady: link.isHealthy })
    hasNobody &&= givesUpAtMs(link, rules) <= rules.nowMs
  }
  return choices
}

/** Time from which documents go to the link after this one; Infinity while it answers. */
export function givesUpAtMs({ fingerprint: space, failingSinceMs, cause }: LinkHealth, rules: DocumentRules): number {
  const coverage = rules.coverage.find((each) => each.fingerprint === space)
  if (refusesMost(coverage)) return Number.NEGATIVE_INFINITY
  if (failingSinceMs === null) return Number.POSITIVE_INFINITY
  const isHopeless = WITHOUT_HOPE.has(cause?.code ?? '') || (coverage?.filled ?? 0) === 0
  if (isHopeless || rules.isUrgent === true) return failingSinceMs
  return failingSinceMs + (rules.fallbackAfterMinutes ?? FALLBACK_AFTER_MINUTES) * 60_000
}
