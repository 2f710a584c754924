import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { citationOf } from '@mnemark/spec'
import type { FactChild } from '../retain/fact.ts'
import { OPINIONS_PAGE, pageKindOf } from '../retain/fact-places.ts'
import type { WritableFact } from '../retain/write-fact.ts'
import { FORMULA_VERSION, shownConfidence, type WeighedEvidence, type WeighedGroup } from './confidence.ts'
import type { Anchor, Evidence, Opinion } from './opinion.ts'

/** A fact's line on the page of opinions. */
export function isOwnLine({ path }: Pick<IndexedFact, 'path'>): boolean {
  return path.toLowerCase() === OPINIONS_PAGE
}

/** The numbers on a line of the page: the number it was stated with, and one that somebody typed since. */
export interface PageAnchors {
  readonly stated?: Anchor
  readonly typed?: Anchor
}

const LISTED = /^(for|against)[ \t]+(\d(?:[.,]\d{1,4})?)(?:[ \t]+(by agent))?(?![\w.])/i
const IDS = /\^([A-Za-z0-9-]{4,64})/g

/**
 * Reads the anchors of a line. Its number counts as typed where it differs from the formula over the evidence that the line lists: so what a
 * program wrote is never taken for a person's, and what a person typed is, without any record.
 */
export function pageAnchors(line: IndexedFact): PageAnchors {
  const isByPerson = line.author === 'person'
  const absorbed = idsIn(line.children, 'absorbed')
  const { stated, confidence } = line
  const known: Anchor | undefined = stated && {
    confidence: stated.confidence,
    isByPerson,
    isStated: true,
    ...(stated.day !== undefined && { day: stated.day }),
    isTyped: absorbed.length > 0,
    absorbed,
  }
  if (confidence === undefined) return known === undefined ? {} : { stated: known }
  if (known !== undefined && !isTyped(confidence, known, line)) return { stated: known }
  const taken = [...new Set([...absorbed, ...idsIn(line.children, 'evidence')])]
  // Whoever stated it first: over a number that was computed only a person types another.
  const isOver = known !== undefined
  const typed = { confidence, isByPerson: isByPerson || isOver, isStated: true, isTyped: isOver, absorbed: taken }
  return { ...(known && { stated: known }), typed }
}

function isTyped(confidence: number, known: Anchor, line: IndexedFact): boolean {
  // Numbers of another version of the formula were written by a program as well.
  if (line.formula !== undefined && line.formula !== 0 && line.formula !== FORMULA_VERSION) return false
  const shown = shownConfidence(known, listedEvidence(line.children))
  return confidence !== shown && confidence !== Number(shown.toFixed(2))
}

function idsIn(children: readonly FactChild[], wanted: FactChild['key']): readonly string[] {
  const values = children.filter(({ key }) => key === wanted).map(({ value }) => value)
  return [...new Set(values.flatMap((value) => [...value.matchAll(IDS)].flatMap(([, id]) => id ?? [])))]
}

function listedEvidence(children: readonly FactChild[]): WeighedEvidence {
  const evidence: { readonly for: WeighedGroup[]; readonly against: WeighedGroup[] } = { for: [], against: [] }
  for (const { key, value } of children) {
    const [, side, weight = '', agent] = key === 'evidence' ? (LISTED.exec(value) ?? []) : []
    if (side === undefined) continue
    const group = { weight: Number(weight.replace(',', '.')), isByPerson: agent === undefined }
    evidence[side.toLowerCase() === 'for' ? 'for' : 'against'].push(group)
  }
  return evidence
}

/**
 * The opinion as a line of the page with its children, for `writeFact`: `- O(c=0.91) @Mara: prefers mail (stated: 0.80 on 2026-03-14) ^id`, below
 * it what the anchor absorbed and one line for each group. Read again without a change, it gives the same anchor.
 */
export function opinionLine(opinion: Opinion): WritableFact {
  const { anchor, confidence, isRated, line } = opinion
  const { day } = anchor
  return {
    kind: 'opinion',
    ...(opinion.state === 'retracted' && { state: 'retracted' }),
    ...(isRated && { confidence: isUnmoved(opinion) ? confidence : Number(confidence.toFixed(2)) }),
    entities: opinion.entities,
    content: opinion.statement,
    ...(isRated && { stated: { confidence: anchor.confidence, ...(day !== undefined && { day }) } }),
    author: anchor.isByPerson ? 'person' : 'agent',
    tags: line.tags,
    blockId: opinion.id,
    children: childrenOf(opinion),
  }
}

function isUnmoved({ groups }: Opinion): boolean {
  return groups.for + groups.against === 0
}

function childrenOf({ anchor, evidence, line }: Opinion): readonly FactChild[] {
  const others = isOwnLine(line) ? line.children.filter(({ key }) => key !== 'absorbed' && key !== 'evidence') : []
  const absorbed = anchor.absorbed.map((id) => `^${id}`).join(' ')
  return [
    ...(absorbed === '' ? [] : [{ key: 'absorbed' as const, value: absorbed }]),
    ...evidence.for.filter(({ weight }) => weight > 0).map((one) => listed('for', one)),
    ...evidence.against.map((one) => listed('against', one)),
    ...others,
  ]
}

function listed(side: string, { fact, weight }: Evidence): FactChild {
  const agent = fact.author === 'person' ? '' : ' by agent'
  // Lines of a page of the bank move with the block above them.
  const place = pageKindOf(fact.path) === undefined ? citationOf(fact.path, fact.startLine, fact.endLine) : fact.path
  return { key: 'evidence', value: `${side} ${weight}${agent} (${place}) ^${fact.id}` }
}
