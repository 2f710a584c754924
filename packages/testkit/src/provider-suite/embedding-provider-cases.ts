import assert from 'node:assert/strict'
import { type ContractCase, contractCase, type Deviation, withDeviations } from '../contract-case.ts'
import { absentBatchCase, batchCases } from './batch-cases.ts'
import { commonCases, limitCases } from './common-cases.ts'
import { failureCases } from '../service-suite/failure-cases.ts'
import { httpOnlyCases } from './http-cases.ts'
import { type HttpSession, openHttpSession } from './http-session.ts'
import { InProcessSession, inProcessCases } from './in-process-cases.ts'
import { type ServiceCase } from '../service-suite/service-target.ts'
import {
  type EmbeddingProviderTarget,
  type HttpProviderTarget,
  type InProcessProviderTarget,
  undeclaredCases,
} from './provider-target.ts'
import { replyCases } from './reply-cases.ts'

/**
 * The provider contract as cases for any test runner, in the order of their ids. Deviations are cases known not to
 * hold; each fails as soon as its case passes.
 */
export function embeddingProviderCases(
  target: EmbeddingProviderTarget,
  deviations: readonly Deviation[] = [],
): readonly ContractCase[] {
  const undeclared = [...undeclaredCases(target).values()].flat()
  const cases = target.transport === 'http' ? httpContract(target) : inProcessContract(target)
  return withDeviations(cases.filter(({ id }) => !undeclared.includes(id)).toSorted(byId), deviations)
}

const byId = (left: ContractCase, right: ContractCase): number => left.id.localeCompare(right.id, 'en', { numeric: true })

/** These must hold without a request; the sessions that record know. */
const quietly = (candidate: ServiceCase<HttpSession>): ServiceCase<HttpSession> => ({
  ...candidate,
  run: async (session) => {
    await candidate.run(session)
    assert.equal(session.server.requests.length, 0, 'no request is made')
  },
})

const isQuiet = ({ id }: ServiceCase<never>): boolean => ['E1.config', 'E9.before'].includes(id)

function httpContract(target: HttpProviderTarget): readonly ContractCase[] {
  const wire = typeof target.wire === 'function' ? target.wire() : target.wire
  const common = commonCases.map((candidate) => (isQuiet(candidate) ? quietly(candidate) : candidate))
  const cases = [
    ...common,
    ...limitCases.map(quietly),
    ...httpOnlyCases,
    ...replyCases(wire),
    ...failureCases('E', wire),
    ...batchCases(wire),
  ]
  return cases.map((each) =>
    contractCase(each, async () => {
      await using session = await openHttpSession(target, wire)
      await each.run(session)
    }),
  )
}

function inProcessContract(target: InProcessProviderTarget): readonly ContractCase[] {
  return [...inProcessCases, absentBatchCase].map((each) =>
    contractCase(each, async () => {
      await using session = new InProcessSession(target)
      await each.run(session)
    }),
  )
}
