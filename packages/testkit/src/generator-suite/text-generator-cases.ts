import assert from 'node:assert/strict'
import { type ContractCase, contractCase, type Deviation, withDeviations } from '../contract-case.ts'
import type { ChatWire } from '../protocol-servers/chat/chat-wire.ts'
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
import { SECRET } from '../service-suite/service-target.ts'
import { type GeneratorCase, openGeneratorSession, type TextGeneratorTarget } from './generator-target.ts'
import { schemaCasesOf } from './schema-cases.ts'
import { textCasesOf } from './text-cases.ts'

/**
 * The contract of text generators as cases for any test runner, in the order of their ids. Deviations are cases known not to hold; each
 * fails on the day its case passes.
 */
export function textGeneratorCases(target: TextGeneratorTarget, deviations: readonly Deviation[] = []): readonly ContractCase[] {
  const wire = typeof target.wire === 'function' ? target.wire() : target.wire
  const cases = casesOf(target, wire).map((each) =>
    contractCase(each, async () => {
      await using session = await openGeneratorSession(target, wire)
      await each.run(session)
    }),
  )
  return withDeviations(cases.toSorted(byId), deviations)
}

const byId = (left: ContractCase, right: ContractCase): number => left.id.localeCompare(right.id, 'en', { numeric: true })

/** The case must hold without a request, which its session would have recorded. */
const quietly = (candidate: GeneratorCase): GeneratorCase => ({
  ...candidate,
  run: async (session) => {
    await candidate.run(session)
    assert.equal(session.server.requests.length, 0, 'no request is made')
  },
})

function casesOf(target: TextGeneratorTarget, wire: ChatWire): readonly GeneratorCase[] {
  // Nothing listens there, and constructors make no request.
  const baseUrl = `http://127.0.0.1:1${wire.basePath}`
  const generator = target.create({ baseUrl, fetch: globalThis.fetch, apiKey: SECRET, set: {} })
  return [
    quietly(misconfigurationCase('T')),
    quietCase('T'),
    quietly(cancelledBeforeCase('T')),
    ...cancelledDuringCases('T'),
    noAnswerCase('T'),
    endlessCase('T'),
    optionCase('T'),
    ...textCasesOf(wire),
    ...schemaCasesOf(wire, generator),
    ...failureCases('T', wire),
  ]
}
