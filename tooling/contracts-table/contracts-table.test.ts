import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { contractCaseIds } from './contract-cases.ts'
import { type Adapter, findAdapters } from './find-adapters.ts'
import { readLiveRuns, runLive } from './live-runs.ts'
import { MODELS_PAGE, modelColumns, writtenModels } from './models-page.ts'
import { markOf, outcomesOf } from './outcomes.ts'
import { PROVIDERS_PAGE, stalePlaces, writtenPage } from './providers-page.ts'
import { countOutcomes, deviationLines, textOutcomes } from './render.ts'
import { type CaseResult, runContracts } from './run-contracts.ts'
import { findSuites, MODEL_CONTRACTS, OTHER_CONTRACTS, runModels, runOther } from './store-suites.ts'

const ROOT = join(import.meta.dirname, '../..')
const adapters = findAdapters(ROOT)
const page = readFileSync(join(ROOT, PROVIDERS_PAGE), 'utf8')

const result = (adapter: string, id: string, members: Partial<CaseResult> = {}): CaseResult => ({
  adapter,
  suite: adapter,
  id,
  hasPassed: true,
  deviation: undefined,
  provider: undefined,
  ...members,
})

test('docs/providers.md has every adapter and every case of the contract, with their keys and default models', () => {
  expect(stalePlaces(page, adapters), 'run pnpm test:contracts').toEqual([])
})

test('every adapter runs the contract', () => {
  expect(adapters.filter(({ suites }) => suites.length === 0).map(({ path }) => path)).toEqual([])
})

test('the record of live runs names adapters and days', () => {
  for (const [name, day] of Object.entries(readLiveRuns(ROOT))) {
    expect(adapters.map((adapter) => adapter.name)).toContain(name)
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

test('what of the page is out of date is named', () => {
  const [first] = adapters
  const added = { ...first!, name: 'acme', path: 'packages/embed-acme', reasons: ['it cannot count'] }
  expect(stalePlaces(page, [...adapters, added])).toEqual([
    'deviations: missing it cannot count',
    'adapters of the table: missing acme',
    expect.stringContaining('[acme](../packages/embed-acme/README.md)'),
  ])
  expect(stalePlaces(page, adapters.slice(1))).toContain(`adapters of the table: no longer there ${first?.name}`)
  expect(stalePlaces(page.replace('\n| E12 |', '\n| E99 |'), adapters)).toEqual([
    'cases of the table: missing E12',
    'cases of the table: no longer there E99',
  ])
})

test('the contract has cases of services with and without jobs, and of models in this process, in order', () => {
  const ids = contractCaseIds()
  for (const id of ['E1.config', 'E9.during', 'E9.silence', 'E11.quota', 'E14', 'E16.absent', 'E16.life'])
    expect(ids).toContain(id)
  expect(ids.indexOf('E2.moves')).toBeLessThan(ids.indexOf('E10'))
})

const SAMPLE: readonly CaseResult[] = [
  result('b', 'E1', { suite: 'b, one', deviation: 'it cannot' }),
  result('b', 'E1', { suite: 'b, two', deviation: 'it cannot' }),
  result('b', 'E2', { suite: 'b, one' }),
  result('b', 'E2', { suite: 'b, two', hasPassed: false }),
  result('a', 'E1'),
  result('a', 'E7', { deviation: 'nor can it' }),
]

test('an adapter with several suites has the worst of their outcomes; what no suite has does not apply', () => {
  const outcomes = outcomesOf(SAMPLE, ['a', 'b'], ['E1', 'E2', 'E3'])
  const marks = outcomes.cases.map((id) => [id, ...outcomes.adapters.map((adapter) => markOf(outcomes.of(id, adapter)))])
  expect(marks).toEqual([
    ['E1', '✓', '[2]'],
    ['E2', '–', '✗'],
    ['E3', '–', '–'],
    ['E7', '[1]', '–'],
  ])
  expect(deviationLines(outcomes)).toEqual(['[1] E7, a: nor can it', '[2] E1, b, one; b, two: it cannot'])
  expect(countOutcomes(outcomes)).toEqual({ holds: 1, deviates: 2, fails: 1, 'not-applicable': 4 })
  expect(textOutcomes(outcomes).split('\n').slice(0, 2)).toEqual(['    a    b', 'E1  ✓    [2]'])
})

test('writing the page keeps what people wrote, and is the same the second time', () => {
  const content = { adapters, results: SAMPLE, outcomes: outcomesOf(SAMPLE, ['a', 'b'], []), liveRuns: { a: '2026-11-30' } }
  const written = writtenPage(page, content)
  expect(writtenPage(written, content)).toBe(written)
  expect(written).toContain('Never run with a real account: b.')
  expect(written.slice(0, written.indexOf('<!--'))).toBe(page.slice(0, page.indexOf('<!--')))
  expect(() => writtenPage('# Embedding providers', content)).toThrow('lacks the line <!-- providers')
})

test('a run tells each case of an adapter, its deviations, and how the provider describes itself', () => {
  const copilot = adapters.filter(({ name }) => name === 'github-copilot')
  const results = runContracts(ROOT, copilot)
  expect(results.length).toBeGreaterThan(40)
  expect(results.filter(({ deviation }) => deviation !== undefined)).toEqual([
    expect.objectContaining({ adapter: 'github-copilot', id: 'E12', hasPassed: true }),
  ])
  const providers = results.flatMap(({ provider }) => provider ?? [])
  expect(providers).toEqual([
    expect.objectContaining({ model: copilot[0]?.defaultModel, inputTypes: 'symmetric', hasBatch: false }),
  ])
})

test('stores and backends have a table each, with a column for each that runs the suite', () => {
  const [stores, backends] = OTHER_CONTRACTS
  expect(findSuites(ROOT, stores!)).toEqual(
    expect.arrayContaining([
      'packages/store-sqlite/src/contract.test.ts',
      'packages/testkit/src/in-memory-store.test.ts',
      'examples/custom-store/key-value-store.test.ts',
    ]),
  )
  expect(findSuites(ROOT, backends!)).toEqual(['apps/mnemark/test/find/backends.test.ts'])
  const outcomes = runOther(ROOT, stores!, [
    'packages/testkit/src/in-memory-store.test.ts',
    'examples/custom-store/key-value-store.test.ts',
  ])
  expect(outcomes.adapters).toEqual(['in-memory', 'key-value'])
  expect(outcomes.of('G1', 'key-value')).toEqual({ kind: 'holds' })
  expect(outcomes.of('V1', 'in-memory')).toEqual({ kind: 'holds' })
  expect(outcomes.of('V1', 'key-value')).toEqual({ kind: 'not-applicable' })
})

test('docs/models.md has a column for each generator and each reranker', () => {
  const models = readFileSync(join(ROOT, MODELS_PAGE), 'utf8')
  for (const contract of MODEL_CONTRACTS) {
    const { written, actual } = modelColumns(ROOT, models, contract)
    expect(written, 'run pnpm test:contracts').toEqual(actual)
  }
})

test('the suites of an adapter are one column, and writing its table keeps what people wrote', () => {
  const [generators] = MODEL_CONTRACTS
  const outcomes = runModels(ROOT, generators!, ['packages/generate-openai-compatible/src/create.test.ts'])
  expect(outcomes.adapters).toEqual(['openai-compatible'])
  expect(outcomes.suites.get('openai-compatible')?.length).toBe(3)
  expect(outcomes.of('T6.against', 'openai-compatible')).toEqual({ kind: 'holds' })
  const models = readFileSync(join(ROOT, MODELS_PAGE), 'utf8')
  const written = writtenModels(models, generators!, outcomes)
  expect(writtenModels(written, generators!, outcomes)).toBe(written)
  expect(written.slice(0, written.indexOf('<!--'))).toBe(models.slice(0, models.indexOf('<!--')))
  expect(() => writtenModels('# Models', generators!, outcomes)).toThrow('lacks the line <!-- generators')
})

/** A repository with the example of one adapter, and nothing else. */
function repositoryWith(example: string): string {
  const root = mkdtempSync(join(tmpdir(), 'live-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'tooling/contracts-table'), { recursive: true })
  writeFileSync(join(root, 'tooling/contracts-table/live-runs.json'), '{ "b": "2026-01-02" }')
  writeFileSync(join(root, 'example.mjs'), example)
  return root
}

test('an example runs live where its keys are set, and its day is recorded where it embedded something', () => {
  const live: Adapter = { ...adapters[0]!, name: 'a', example: 'example.mjs', keyVariables: ['KEY_OF_A_TEST'] }
  const day = '2026-11-30'
  const kinds = (root: string, adapter: Adapter, names: readonly string[] = []) =>
    runLive({ root, adapters: [adapter], names, day }).map(({ kind, detail }) => `${kind}: ${detail}`)
  const good = repositoryWith('console.log(`[ 512 ]`)')
  expect(kinds(good, live)).toEqual(['skipped: not set: KEY_OF_A_TEST'])
  expect(kinds(good, live, ['a'])).toEqual(['failed: not set: KEY_OF_A_TEST'])
  expect(kinds(good, { ...live, keyVariables: [] })).toEqual([expect.stringMatching(/^skipped: it needs no key/)])
  expect(readLiveRuns(good)).toEqual({ b: '2026-01-02' })
  vi.stubEnv('KEY_OF_A_TEST', 'set')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(kinds(good, live)).toEqual(['verified: [ 512 ]'])
  expect(readLiveRuns(good)).toEqual({ a: day, b: '2026-01-02' })
  const bad = repositoryWith('throw new Error(`the key was refused`)')
  expect(kinds(bad, live)).toEqual([expect.stringContaining('the key was refused')])
  expect(readLiveRuns(bad)).toEqual({ b: '2026-01-02' })
})
