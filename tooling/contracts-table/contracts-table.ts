/**
 * `pnpm test:contracts` runs the contract of every provider, generator, reranker, store and backend, prints a table of each by cases, and
 * writes the generated sections of docs/providers.md and docs/models.md. `pnpm test:live [ADAPTER...]` runs the adapters' examples with real accounts and records the day of each success.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractCaseIds } from './contract-cases.ts'
import { findAdapters } from './find-adapters.ts'
import { readLiveRuns, runLive } from './live-runs.ts'
import { MODELS_PAGE, writtenModels } from './models-page.ts'
import { outcomesOf, type Outcomes } from './outcomes.ts'
import { PROVIDERS_PAGE, writtenPage } from './providers-page.ts'
import { countOutcomes, deviationLines, textOutcomes } from './render.ts'
import { ContractRunError, runContracts } from './run-contracts.ts'
import { MODEL_CONTRACTS, OTHER_CONTRACTS, runModels, runOther } from './store-suites.ts'

const ROOT = join(import.meta.dirname, '../..')

function printContracts(): void {
  const adapters = findAdapters(ROOT)
  const liveRuns = readLiveRuns(ROOT)
  const results = runContracts(ROOT, adapters)
  const names = adapters.map(({ name }) => name)
  const outcomes = outcomesOf(results, names, contractCaseIds())
  const counts = countOutcomes(outcomes)
  console.log('Providers\n')
  const never = names.filter((name) => liveRuns[name] === undefined)
  printOutcomes(outcomes)
  console.log(`\nNever run with a real account: ${never.join(', ') || 'none'}`)
  for (const { name } of adapters.filter(({ suites }) => suites.length === 0)) console.error(`${name} runs no contract suite`)
  if (counts.fails > 0 || adapters.some(({ suites }) => suites.length === 0)) {
    console.error(`\n${PROVIDERS_PAGE} is left as it is.`)
    process.exitCode = 1
    return
  }
  const page = join(ROOT, PROVIDERS_PAGE)
  writeFileSync(page, writtenPage(readFileSync(page, 'utf8'), { adapters, results, outcomes, liveRuns }))
  console.log(`\nWritten to ${PROVIDERS_PAGE}.`)
}

function printOutcomes(outcomes: Outcomes): void {
  const counts = countOutcomes(outcomes)
  console.log(textOutcomes(outcomes))
  console.log(
    `\n✓ holds ${counts.holds}   [n] deviates ${counts.deviates}   – not applicable ${counts['not-applicable']}   ✗ fails ${counts.fails}`,
  )
  const deviations = deviationLines(outcomes)
  console.log(['', `Deviations:${deviations.length === 0 ? ' none' : ''}`, ...deviations].join('\n'))
}

/** Stores and backends, a table each. */
function printOthers(): void {
  for (const contract of OTHER_CONTRACTS) {
    const outcomes = runOther(ROOT, contract)
    console.log(`\n${contract.title}\n`)
    printOutcomes(outcomes)
    if (countOutcomes(outcomes).fails > 0) process.exitCode = 1
  }
}

/** Text generators and rerankers, a table each, written to their page. */
function printModels(): void {
  const page = join(ROOT, MODELS_PAGE)
  for (const contract of MODEL_CONTRACTS) {
    const outcomes = runModels(ROOT, contract)
    console.log(`\n${contract.title}\n`)
    printOutcomes(outcomes)
    if (countOutcomes(outcomes).fails > 0) {
      console.error(`\n${MODELS_PAGE} is left as it is.`)
      process.exitCode = 1
    } else writeFileSync(page, writtenModels(readFileSync(page, 'utf8'), contract, outcomes))
  }
}

function printLive(names: readonly string[]): void {
  const adapters = findAdapters(ROOT)
  const unknown = names.filter((name) => !adapters.some((adapter) => adapter.name === name))
  if (unknown.length > 0) {
    console.error(
      `test:live: no adapter is called ${unknown.join(', ')}. There are: ${adapters.map(({ name }) => name).join(', ')}.`,
    )
    process.exitCode = 2
    return
  }
  const outcomes = runLive({ root: ROOT, adapters, names, day: new Date().toISOString().slice(0, 10) })
  for (const { adapter, kind, detail } of outcomes) console.log(`${adapter}: ${kind} (${detail})`)
  if (outcomes.some(({ kind }) => kind === 'failed')) process.exitCode = 1
  if (outcomes.some(({ kind }) => kind === 'verified')) console.log('Run pnpm test:contracts to write it into the documentation.')
}

if (import.meta.main) {
  const [option, ...names] = process.argv.slice(2)
  try {
    if (option === '--live') printLive(names)
    else {
      printContracts()
      printModels()
      printOthers()
    }
  } catch (error) {
    if (!(error instanceof ContractRunError)) throw error
    console.error(`test:contracts: ${error.message}`)
    process.exitCode = 1
  }
}
