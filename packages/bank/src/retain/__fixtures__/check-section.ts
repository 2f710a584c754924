import { isDeepStrictEqual } from 'node:util'
import type { Fact, PlacedFact } from '../fact.ts'
import { readFacts } from '../read-facts.ts'
import { writeFact } from '../write-fact.ts'
import { generatedSection, mutatedSection } from './generated-sections.ts'

const PATH = 'memory/2026-03-01.md'

/** The faults in how a generated section is read; empty if there are none. */
export function faultsOfSection(seed: number): readonly string[] {
  const { text, expected } = generatedSection(seed)
  const { facts } = readFacts(text, { path: PATH })
  const found = new Map(facts.map((fact) => [fact.startLine, fact]))
  const lines = text.split('\n')
  const faults = lines.flatMap((line, at) => {
    const wanted = expected.get(at + 1)
    const fact = found.get(at + 1)
    if (wanted === undefined) return fact === undefined ? [] : [`seed ${seed}: a false fact: ${line}`]
    const read = fact && { kind: fact.kind, keys: fact.entities.map(({ key }) => key), content: fact.content, ...(fact.confidence !== undefined && { confidence: fact.confidence }) }
    return isDeepStrictEqual(read, wanted) ? [] : [`seed ${seed}: ${line} is read as ${JSON.stringify(read)}`]
  })
  return [...faults, ...roundTripFaults(seed, facts)]
}

/** The faults of its mutated twin, for which only one thing is known: writing and reading keeps what was read. */
export function faultsOfMutation(seed: number): readonly string[] {
  return roundTripFaults(seed, readFacts(mutatedSection(seed), { path: PATH }).facts)
}

function roundTripFaults(seed: number, facts: readonly PlacedFact[]): readonly string[] {
  const written = facts.map(writeFact)
  const again = readFacts(`# A day\nSomething was said.\n\n## Retain 2026-03-01\n${written.join('\n')}\n`, { path: PATH }).facts
  const faults = facts.flatMap((fact, at) => {
    const twin = again[at]
    return twin !== undefined && isDeepStrictEqual(said(fact), said(twin)) && writeFact(twin) === written[at]
      ? []
      : [`seed ${seed}: ${written[at]} is read as ${JSON.stringify(twin && said(twin))}, not ${JSON.stringify(said(fact))}`]
  })
  return again.length === facts.length ? faults : [...faults, `seed ${seed}: ${facts.length} facts became ${again.length}`]
}

function said({ startLine: _startLine, endLine: _endLine, ...fact }: PlacedFact): Fact {
  return fact
}
