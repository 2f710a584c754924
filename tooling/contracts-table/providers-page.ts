import { contractCaseIds } from './contract-cases.ts'
import type { Adapter } from './find-adapters.ts'
import type { LiveRuns } from './live-runs.ts'
import type { Outcomes } from './outcomes.ts'
import { replaced, rowsBetween, section } from './generated-section.ts'
import { FACT_COLUMNS, factsOf, fileFactsOf } from './provider-facts.ts'
import { deviationLines, markdownOutcomes, markdownTable } from './render.ts'
import type { CaseResult } from './run-contracts.ts'

export const PROVIDERS_PAGE = 'docs/providers.md'

const SECTIONS = { providers: section('providers'), contracts: section('contracts') } as const

export interface PageContent {
  readonly adapters: readonly Adapter[]
  readonly results: readonly CaseResult[]
  readonly outcomes: Outcomes
  readonly liveRuns: LiveRuns
}

/** The page with its two generated sections as they are now. Throws where a mark is missing. */
export function writtenPage(page: string, content: PageContent): string {
  const path = PROVIDERS_PAGE
  const withProviders = replaced({ path, text: page }, SECTIONS.providers, providersSection(content))
  return replaced({ path, text: withProviders }, SECTIONS.contracts, contractsSection(content))
}

function providersSection({ adapters, results, liveRuns }: PageContent): string {
  return markdownTable(
    FACT_COLUMNS,
    adapters.map((adapter) => factsOf(adapter, results, liveRuns)),
  )
}

function contractsSection({ outcomes, liveRuns }: PageContent): string {
  const never = outcomes.adapters.filter((name) => liveRuns[name] === undefined)
  const suites = [...outcomes.suites].map(([name, list]) => `${name} ${list.length}`).join(', ')
  const deviations = deviationLines(outcomes).map((line) => `- ${line}`)
  return [
    markdownOutcomes(outcomes),
    `Suites of each: ${suites}.`,
    ...(deviations.length === 0 ? [] : [`Deviations, each with its reason:\n\n${deviations.join('\n')}`]),
    `Never run with a real account: ${never.length === 0 ? 'none' : never.join(', ')}.`,
  ].join('\n\n')
}

/** Places of the page that no longer match the adapters and the contract, found without running them; empty if all match. */
export function stalePlaces(page: string, adapters: readonly Adapter[]): readonly string[] {
  const names = adapters.map(({ name }) => name)
  const [[, ...columns] = [], ...rows] = rowsBetween(page, SECTIONS.contracts)
  const facts = rowsBetween(page, SECTIONS.providers).slice(1)
  const reasons = adapters.flatMap((adapter) => adapter.reasons)
  const contracts = page.slice(page.indexOf(SECTIONS.contracts.begin))
  const written = [...contracts.matchAll(/^- \[\d+\] .*$/gm)].map(
    ([line]) => reasons.find((reason) => line.endsWith(`: ${reason}`)) ?? line,
  )
  return [
    ...differences('deviations', written, reasons),
    ...differences('adapters of the table', columns, names),
    ...differences(
      'cases of the table',
      rows.map(([id]) => id ?? ''),
      contractCaseIds(),
    ),
    ...differences(
      'providers, keys and default models',
      facts.map((cells) => cells.slice(0, 3).join(' ')),
      adapters.map((adapter) => fileFactsOf(adapter).join(' ')),
    ),
  ]
}

function differences(what: string, written: readonly string[], actual: readonly string[]): readonly string[] {
  const missing = actual.filter((each) => !written.includes(each))
  const extra = written.filter((each) => !actual.includes(each))
  return [
    ...(missing.length === 0 ? [] : [`${what}: missing ${missing.join(', ')}`]),
    ...(extra.length === 0 ? [] : [`${what}: no longer there ${extra.join(', ')}`]),
  ]
}
