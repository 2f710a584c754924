import type { FactEntity } from '../retain/fact.ts'
import { writeFact } from '../retain/write-fact.ts'
import type { BlockItem } from './block-content.ts'
import { harmless } from './page-item.ts'

/** An opinion as pages show it. */
export interface PageOpinion {
  readonly id: string
  readonly statement: string
  readonly entities: readonly FactEntity[]
  /** 0 to 1, as computed. */
  readonly confidence: number
  /** The number that it was first stated with, or that a person wrote last, and the day. */
  readonly stated?: { readonly confidence: number; readonly day?: string | undefined } | undefined
  /** Independent origins for and against it. */
  readonly groups: { readonly for: number; readonly against: number }
  readonly state: 'open' | 'turning' | 'retracted'
  /** Citation of the line that states it. */
  readonly source: string
  /** Citations of the lines for and against it. */
  readonly evidence?: { readonly for: readonly string[]; readonly against: readonly string[] } | undefined
  /** Ids of facts that a number set by hand counts in already. */
  readonly absorbed?: readonly string[] | undefined
  /** Its lines on the page of opinions; absent: made from the other members. */
  readonly lines?: readonly string[] | undefined
  /** Ids of the facts that state it: they stand on no page beside it. */
  readonly facts?: readonly string[] | undefined
}

const MOST_CITED = 20

/** Its line on the page of opinions: `- O(c=0.91) @Mara: prefers mail (stated: 0.80 on 2026-03-14)`, with the evidence below. */
export function opinionItem(opinion: PageOpinion): BlockItem {
  if (opinion.lines !== undefined) return { ...factsOf(opinion), lines: opinion.lines.map(harmless) }
  const { evidence = { for: [], against: [] }, absorbed = [], source } = opinion
  const citations = [
    ...evidence.for.slice(0, MOST_CITED).map((citation) => `Evidence: ${citation}`),
    ...evidence.against.slice(0, MOST_CITED).map((citation) => `Evidence: ${citation} (contradicts)`),
    ...(absorbed.length === 0 ? [] : [`Absorbed: ${absorbed.map((id) => `^${id}`).join(' ')}`]),
    ...(opinion.state === 'open' ? [] : [`Status: ${opinion.state}`]),
  ]
  const line = writeFact({ ...saidBy(opinion), sources: [source] })
  return { ...factsOf(opinion), lines: [line, ...citations.map((child) => `  - ${child}`)].map(harmless) }
}

/** Its line on the page of an entity: with the number of origins, without their citations. */
export function opinionOnPage(opinion: PageOpinion): BlockItem {
  const { groups, source, state } = opinion
  const turning = state === 'turning' ? ', turning' : ''
  const content = `${opinion.statement} (for: ${groups.for}, against: ${groups.against}${turning})`
  return { ...factsOf(opinion), lines: [harmless(writeFact({ ...saidBy(opinion), content, sources: [source] }))] }
}

const COUNTED = / \(for: \d{1,6}, against: \d{1,6}(?:, turning)?\)$/

/** The statement of a line that `opinionOnPage` wrote. */
export function withoutCounts(content: string): string {
  return content.replace(COUNTED, '')
}

function saidBy({ id, statement, entities, confidence, stated }: PageOpinion) {
  return {
    kind: 'opinion',
    entities,
    content: statement,
    confidence: Math.round(confidence * 100) / 100,
    blockId: id,
    ...(stated !== undefined && {
      stated: { confidence: stated.confidence, ...(stated.day !== undefined && { day: stated.day }) },
    }),
  } as const
}

function factsOf({ id, facts = [] }: PageOpinion): Pick<BlockItem, 'id' | 'facts'> {
  return { id, facts: [...new Set([id, ...facts])] }
}
