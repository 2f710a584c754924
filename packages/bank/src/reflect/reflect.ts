import { citationOf } from '@mnemark/spec'
import type { FactState } from '../facts/fact-registry.ts'
import { FORMULA_VERSION } from '../opinions/confidence.ts'
import type { Evidence, Opinion } from '../opinions/opinion.ts'
import { type OpinionOptions, Opinions, type OpinionsReading } from '../opinions/opinions-of.ts'
import { opinionLine } from '../opinions/own-line.ts'
import type { PageOpinion } from '../pages/page-opinion.ts'
import { type PagePlan, type PagesOptions, planPages } from '../pages/plan-pages.ts'
import { OPINIONS_PAGE } from '../retain/fact-places.ts'
import { writeFact } from '../retain/write-fact.ts'

export interface ReflectOptions
  extends Pick<OpinionOptions, 'verdicts' | 'anchors' | 'deleted' | 'today'>,
    Pick<PagesOptions, 'tombstones' | 'requested' | 'touched' | 'memory'> {
  /** Keeps what it computed, for a host that reflects again and again. Default: one of its own. */
  readonly opinions?: Opinions | undefined
}

/** The pages of the bank as they should be, and all that a person should look at. */
export interface Reflection extends PagePlan, OpinionsReading {}

/**
 * Plans all that follows from the facts: the numbers of opinions, the blocks of pages, changes of the long-term file. Pure: it writes nothing,
 * the order in which notes came decides nothing, and after its changes there is nothing to do.
 */
export function reflect(state: FactState, texts: ReadonlyMap<string, string>, options: ReflectOptions = {}): Reflection {
  const { opinions: reader = new Opinions(), ...rest } = options
  const reading = reader.read(state, rest)
  return { ...reading, ...planPages(state, texts, pagesOptions(reading.opinions, options)) }
}

/** The options with which pages are planned, and edits of them read. */
export function pagesOptions(opinions: readonly Opinion[], options: ReflectOptions): PagesOptions {
  const { tombstones, requested, touched, memory } = options
  return { tombstones, requested, touched, memory, opinions: opinions.map(pageOpinion), formula: String(FORMULA_VERSION) }
}

function pageOpinion(opinion: Opinion): PageOpinion {
  const { id, statement, entities, confidence, groups, state, anchor, line, evidence } = opinion
  const stating = evidence.for.filter(({ why }) => why === 'own line' || why === 'same statement')
  return {
    id,
    statement,
    entities,
    confidence,
    groups,
    state,
    // Its line moves with the block that holds it.
    source: OPINIONS_PAGE,
    ...(anchor.isStated && { stated: { confidence: anchor.confidence, day: anchor.day } }),
    evidence: { for: evidence.for.map(cited), against: evidence.against.map(cited) },
    absorbed: anchor.absorbed,
    facts: [line.id, ...stating.map(({ fact }) => fact.id)],
    lines: writeFact(opinionLine(opinion)).split('\n'),
  }
}

function cited({ fact }: Evidence): string {
  return citationOf(fact.path, fact.startLine, fact.endLine)
}
