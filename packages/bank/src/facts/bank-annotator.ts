import { type Annotator, type ChunkAttributes, fingerprint, type Mark } from '@mnemark/spec'
import type { FactEntity, PlacedFact } from '../retain/fact.ts'
import { isFactPath, pageKindOf, RETAIN_HEADINGS } from '../retain/fact-places.ts'
import type { readFacts } from '../retain/read-facts.ts'

export interface BankAnnotatorOptions {
  /** Names of Retain sections instead of the known ones. */
  readonly headings?: readonly string[] | undefined
  /** Notes that may hold facts; default `isFactPath`. */
  readonly concerns?: ((path: string) => boolean) | undefined
}

/** Raise it whenever the same note would give other facts. */
const VERSION = 3

const MOST_CACHED = 100_000

/** The same answers, kept: every look at the folder asks for every note. */
function cached(concerns: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return (path) => {
    const answer = known.get(path) ?? concerns(path)
    if (known.size >= MOST_CACHED) known.clear()
    known.set(path, answer)
    return answer
  }
}

/** Makes every fact of a note a section of its own, with kind, entities, days, confidence, author and id. */
export function bankAnnotator(options: BankAnnotatorOptions = {}): Annotator {
  const { headings = RETAIN_HEADINGS, concerns = isFactPath } = options
  let reader: typeof readFacts | undefined
  return {
    id: 'bank',
    load: async () => {
      reader ??= (await import('../retain/read-facts.ts')).readFacts
    },
    version: `${VERSION}/${fingerprint(headings).slice(0, 8)}`,
    concerns: cached(concerns),
    annotate(document, content) {
      if (document.source !== 'memory' || !mayHoldFacts(document.path, content.text, headings)) return content
      if (reader === undefined) throw new TypeError('the annotator of the bank was not loaded')
      const { facts, managed, subject } = reader(content.text, { path: document.path, headings })
      if (facts.length + managed.length === 0) return content
      const sections = [
        ...facts.map((fact) => ({ startLine: fact.startLine, endLine: fact.endLine, attributes: attributesOf(fact, subject) })),
        ...managed
          .filter(isApart(facts))
          .map((block) => ({ ...block, attributes: { marks: ['derived'] } satisfies ChunkAttributes })),
      ]
      return { ...content, sections: [...(content.sections ?? []), ...sections] }
    },
  }
}

/** A cheap look that spares most notes a second reading. */
function mayHoldFacts(path: string, text: string, headings: readonly string[]): boolean {
  if (pageKindOf(path) !== undefined) return true
  const folded = text.toLowerCase()
  return headings.some((heading) => folded.includes(heading.toLowerCase()))
}

/** A block that holds facts is marked line by line. */
function isApart(facts: readonly PlacedFact[]): (block: { readonly startLine: number; readonly endLine: number }) => boolean {
  return ({ startLine, endLine }) => !facts.some((fact) => fact.startLine >= startLine && fact.endLine <= endLine)
}

function attributesOf(fact: PlacedFact, subject: FactEntity | undefined): ChunkAttributes {
  const { days, clock, confidence } = fact
  const names = [...fact.entities, ...fact.mentions].map(({ name, isLink }) => (isLink ? baseOf(name) : name))
  return {
    kind: fact.kind,
    factId: fact.id,
    ...(names.length > 0 && { entities: [...new Set(names)] }),
    ...(fact.tags.length > 0 && { tags: fact.tags }),
    ...(days !== undefined && { from: days.from, to: days.to ?? days.from }),
    ...(days !== undefined && clock !== undefined && { time: clock }),
    ...(confidence !== undefined && { confidence }),
    ...marksOf(fact),
    extra: {
      author: fact.author,
      ...(days === undefined && { isUndated: true }),
      ...(days?.isOpen === true && { isOpen: true }),
      ...(fact.formula !== undefined && { formula: fact.formula }),
      ...(subject !== undefined && { subject: subject.name }),
    },
  }
}

function marksOf({ state, formula }: PlacedFact): Pick<ChunkAttributes, 'marks'> {
  const marks: Mark[] = [
    ...(state === 'retracted' ? (['superseded'] as const) : []),
    ...(formula === undefined ? [] : (['derived'] as const)),
  ]
  return marks.length === 0 ? {} : { marks }
}

/** The name of a link's page: that is what filters by entity ask for. */
function baseOf(target: string): string {
  return target.slice(target.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, '')
}
