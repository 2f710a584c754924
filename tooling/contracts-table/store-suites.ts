import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder } from '../workspace-packages.ts'
import { outcomesOf, type Outcomes } from './outcomes.ts'
import { caseResult, runSuites } from './run-contracts.ts'

/** Another contract than that of providers, with the way its suites are found and named. */
export interface OtherContract {
  readonly title: string
  readonly call: string
  readonly namePattern: string
}

export const OTHER_CONTRACTS: readonly OtherContract[] = [
  { title: 'Stores', call: 'describeMemoryStore(', namePattern: 'memory store ' },
  { title: 'Backends', call: 'describeMemoryBackend(', namePattern: 'memory backend ' },
]

/** A contract of models beside embeddings, whose adapters are packages with a prefix and whose table stands on a page. */
export interface ModelContract extends OtherContract {
  readonly section: string
  readonly prefix: string
}

export const MODEL_CONTRACTS: readonly ModelContract[] = [
  {
    title: 'Text generators',
    call: 'describeTextGenerator(',
    namePattern: '^text generator ',
    section: 'generators',
    prefix: 'generate-',
  },
  { title: 'Rerankers', call: 'describeReranker(', namePattern: '^reranker ', section: 'rerankers', prefix: 'rerank-' },
]

/** The suites of a contract's adapters, by the adapter; those of examples are not among them. */
export function modelSuites(root: string, contract: ModelContract): ReadonlyMap<string, readonly string[]> {
  const folder = `packages/${contract.prefix}`
  const files = findSuites(root, contract).filter((file) => file.startsWith(folder))
  return Map.groupBy(files, (file) => adapterOf(contract, file))
}

const adapterOf = ({ prefix }: ModelContract, file: string): string => file.split('/')[1]?.slice(prefix.length) ?? file

/** Adapters of a contract of models by cases, all suites of each together. */
export function runModels(
  root: string,
  contract: ModelContract,
  files: readonly string[] = [...modelSuites(root, contract).values()].flat(),
): Outcomes {
  const results = runSuites(root, files, contract.namePattern).flatMap(({ file, contracts }) =>
    contracts.map((each) => caseResult(adapterOf(contract, file), each)),
  )
  return outcomesOf(results, [...new Set(results.map(({ adapter }) => adapter))].toSorted(), [])
}

const FOLDERS: readonly string[] = ['packages', 'apps', 'examples']

/** The tests of packages, apps and examples that run a contract, as paths from the root. */
export function findSuites(root: string, { call }: OtherContract): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    filesUnder(join(root, folder), '.test.ts')
      .filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file))
      .map((file) => `${folder}/${file}`),
  ).filter((file) => readFileSync(join(root, file), 'utf8').includes(call))
}

/** Stores, or backends, by cases; the columns are the names that the suites give them. */
export function runOther(root: string, contract: OtherContract, files: readonly string[] = findSuites(root, contract)): Outcomes {
  const reported = runSuites(root, files, contract.namePattern).flatMap(({ contracts }) => contracts)
  const names = [...new Set(reported.map(({ suite }) => suite))].toSorted()
  return outcomesOf(
    reported.map((each) => caseResult(each.suite, each)),
    names,
    [],
  )
}
