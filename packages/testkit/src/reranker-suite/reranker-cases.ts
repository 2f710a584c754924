import assert from 'node:assert/strict'
import { type ContractCase, contractCase, type Deviation, withDeviations } from '../contract-case.ts'
import type { RerankWire } from '../protocol-servers/rerank/rerank-wire.ts'
import {
  cancelledBeforeCase,
  cancelledDuringCases,
  endlessCase,
  misconfigurationCase,
  noAnswerCase,
  optionCase,
  quietCase,
} from '../service-suite/call-cases.ts'
import { failureCases } from '../service-suite/failure-cases.ts'
import { openRerankerSession, type RerankerCase, type RerankerTarget } from './reranker-target.ts'
import { scoreCasesOf } from './score-cases.ts'

/**
 * The contract of rerankers as cases for any test runner, in the order of their ids. Deviations are cases known not to hold; each fails
 * on the day its case passes.
 */
export function rerankerCases(target: RerankerTarget, deviations: readonly Deviation[] = []): readonly ContractCase[] {
  const wire = typeof target.wire === 'function' ? target.wire() : target.wire
  const cases = casesOf(wire).map((each) =>
    contractCase(each, async () => {
      await using session = await openRerankerSession(target, wire)
      await each.run(session)
    }),
  )
  return withDeviations(cases.toSorted(byId), deviations)
}

const byId = (left: ContractCase, right: ContractCase): number => left.id.localeCompare(right.id, 'en', { numeric: true })

/** The case must hold without a request, which its session would have recorded. */
const quietly = (candidate: RerankerCase): RerankerCase => ({
  ...candidate,
  run: async (session) => {
    await candidate.run(session)
    assert.equal(session.server.requests.length, 0, 'no request is made')
  },
})

const casesOf = (wire: RerankWire): readonly RerankerCase[] => [
  quietly(misconfigurationCase('K')),
  quietCase('K'),
  quietly(cancelledBeforeCase('K')),
  ...cancelledDuringCases('K'),
  noAnswerCase('K'),
  endlessCase('K'),
  optionCase('K'),
  ...scoreCasesOf(wire),
  ...failureCases('K', wire),
]
