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
