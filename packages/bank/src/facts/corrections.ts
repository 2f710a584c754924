import type { Fact, FactRelation } from '../retain/fact.ts'
import { contentKey } from '../retain/fact-id.ts'
import type { IndexedFact } from './chunks/facts-of-chunks.ts'
import { compareText } from '../retain/compare-text.ts'

/** A fact's relation to an earlier one. */
export interface Correction {
  readonly verb: FactRelation['verb']
  readonly by: IndexedFact
  /** True where an agent or a model corrects what a person wrote: shown, and nothing more until a person agrees. */
  readonly isProposal: boolean
}

/** A relation that leads to no fact. */
export interface DeadRelation {
  readonly fact: IndexedFact
  readonly relation: FactRelation
}

export interface Corrections {
  /** By fact: what others say about it, in the order of their days. */
  readonly of: ReadonlyMap<IndexedFact, readonly Correction[]>
  /** By fact: the others that it speaks about. */
  readonly by: ReadonlyMap<IndexedFact, readonly (Pick<Correction, 'verb' | 'isProposal'> & { readonly target: IndexedFact })[]>
  readonly dead: readonly DeadRelation[]
}

/** The relations between facts. Nothing is closed without one: facts about the same entity do not retire each other. */
export function correctionsOf(facts: readonly IndexedFact[], areOne: (left: string, right: string) => boolean): Corrections {
  const byId = groupedBy(facts, (fact) => [fact.id, ...(fact.blockId === undefined ? [] : [fact.blockId])])
  const byPath = groupedBy(facts, ({ path }) => [path])
  const byContent = groupedBy(facts, ({ content }) => [contentKey(content)])
  const of = new Map<IndexedFact, Correction[]>()
  const spoken = new Map<
    IndexedFact,
    { readonly verb: FactRelation['verb']; readonly isProposal: boolean; readonly target: IndexedFact }[]
  >()
  const dead: DeadRelation[] = []
  for (const by of facts) {
    for (const relation of by.relations) {
      const targets = targetsOf(relation, by, { byId, byPath, byContent, areOne }).filter((target) => target !== by)
      if (targets.length === 0) dead.push({ fact: by, relation })
      for (const target of targets) {
        const isProposal = by.author !== 'person' && target.author === 'person'
        spoken.set(by, [...(spoken.get(by) ?? []), { target, verb: relation.verb, isProposal }])
        const known = of.get(target)
        const correction = { verb: relation.verb, by, isProposal }
        if (known === undefined) of.set(target, [correction])
        else known.push(correction)
      }
    }
  }
  for (const list of of.values())
    list.sort((left, right) => compareText(dayOf(left.by), dayOf(right.by)) || compareText(left.by.id, right.by.id))
  return { of, by: spoken, dead }
}

interface Known {
  readonly byId: ReadonlyMap<string, readonly IndexedFact[]>
  readonly byPath: ReadonlyMap<string, readonly IndexedFact[]>
  readonly byContent: ReadonlyMap<string, readonly IndexedFact[]>
  readonly areOne: (left: string, right: string) => boolean
}

function targetsOf(relation: FactRelation, by: IndexedFact, known: Known): readonly IndexedFact[] {
  if (relation.by === 'id') return known.byId.get(relation.target) ?? []
  if (relation.by === 'citation') return citedFacts(relation.target, known.byPath)
  const quoted = known.byContent.get(contentKey(relation.target)) ?? []
  return quoted.filter((fact) => !isLater(fact, by) && shareEntity(fact, by, known.areOne))
}

/** A statement of a later day was made in knowledge of the correction, and stands. */
function isLater(fact: IndexedFact, by: IndexedFact): boolean {
  return fact.days !== undefined && by.days !== undefined && fact.days.from > by.days.from
}

function shareEntity(left: Fact, right: Fact, areOne: Known['areOne']): boolean {
  if (left.entities.length === 0 && right.entities.length === 0) return true
  return left.entities.some((one) => right.entities.some((other) => areOne(one.key, other.key)))
}

const CITATION = /^(.*?)(?:(?:#L?|:)(\d{1,9})(?:-L?(\d{1,9}))?)?$/

function citedFacts(target: string, byPath: Known['byPath']): readonly IndexedFact[] {
  const [, path = '', start, end = start] = CITATION.exec(target.replace(/^\[\[|\]\]$/g, '')) ?? []
  const facts = byPath.get(path) ?? byPath.get(`${path}.md`) ?? []
  if (start === undefined) return facts.length === 1 ? facts : []
  return facts.filter(({ startLine, endLine }) => startLine <= Number(end) && endLine >= Number(start))
}

function dayOf(fact: IndexedFact): string {
  return fact.days?.from ?? ''
}

function groupedBy(
  facts: readonly IndexedFact[],
  keysOf: (fact: IndexedFact) => readonly string[],
): ReadonlyMap<string, readonly IndexedFact[]> {
  const groups = new Map<string, IndexedFact[]>()
  for (const fact of facts) {
    for (const key of new Set(keysOf(fact))) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [fact])
      else group.push(fact)
    }
  }
  return groups
}
