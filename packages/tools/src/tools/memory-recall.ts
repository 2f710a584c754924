import { visibleName } from '@mnemark/spec'
import * as v from 'valibot'
import { DATA_NOTICE, harmlessName, inEnvelope, neutralise, recalled } from '../reply/data-envelope.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import type { FactQuestion, RecalledEvidence, RecalledFact, RecalledFacts } from '../host/host.ts'
import { remarksOf } from '../reply/remarks.ts'
import { count, day, request, texts } from '../definition/tool-input.ts'

const MOST_FACTS = 100
const MOST_TOKENS = 20_000
const tokens = `expected a whole number from 1 to ${MOST_TOKENS}`

/** The members of a question, for tools and the HTTP API. */
export const questionMembers: Parameters<typeof v.strictObject>[0] = {
  question: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000), v.description('With names and days, in any language.')),
  limit: v.exactOptional(v.pipe(count(MOST_FACTS), v.description('Default 8.'))),
  since: v.exactOptional(day),
  until: v.exactOptional(day),
  asOf: v.exactOptional(v.pipe(day, v.description('What was true on that day.'))),
  entities: v.exactOptional(v.pipe(texts, v.description('Names it must be about.'))),
  budgetTokens: v.exactOptional(
    v.pipe(v.number(tokens), v.integer(tokens), v.minValue(1, tokens), v.maxValue(MOST_TOKENS, tokens)),
  ),
  history: v.exactOptional(v.pipe(v.boolean(), v.description('Earlier and corrected facts too.'))),
}

const input = request<FactQuestion>(questionMembers)

/** Answers from facts and passages, each with its place. */
export const memoryRecall: MemoryTool<FactQuestion> = {
  name: 'memory_recall',
  title: 'Recall facts',
  effects: { isReadOnly: true, isIdempotent: true },
  input,
  aliases: { query: 'question', text: 'question', q: 'question', k: 'limit', entity: 'entities', budget: 'budgetTokens' },
  describe: () =>
    'Answers from retained facts and notes in a few cited lines: about a person, a day, what was true then, a preference. Corrected values stand below what replaced them. For passages use memory_search.',
  run: async (host, question, call) => {
    const reply = await host.recall?.(question, call)
    if (reply === undefined) throw new TypeError('facts of this memory cannot be recalled')
    return { text: describeReply(reply), data: dataOf(reply) }
  },
}

function describeReply({ facts, nearest, mode, degraded }: RecalledFacts): string {
  const { quoting, own } = remarksOf(degraded)
  const near = nearest === undefined ? [] : [`The nearest that is known: ${lineOf(nearest)}`]
  const quoted = [...facts.map(describeFact), ...near, ...quoting]
  const marked = quoted.length === 0 ? [] : [inEnvelope(quoted.join('\n'))]
  if (facts.length > 0) return [...marked, ...own].join('\n')
  const found = mode === 'unavailable' ? 'The memory could not be searched.' : 'Nothing found.'
  return [found, ...marked, ...own].join('\n')
}

/** Lines for a reader: each fact, and below it what it replaced; disarmed, to be put into the envelope. */
export function factLines(facts: readonly RecalledFact[]): readonly string[] {
  return facts.flatMap((fact) => describeFact(fact).split('\n'))
}

function describeFact(fact: RecalledFact): string {
  const earlier = (fact.earlier ?? []).map(({ content, source, timestamp = 'undated', why }) =>
    neutralise(`  - ${why}: ${inOneLine(content)} (${timestamp}, ${visibleName(source)})`),
  )
  return [lineOf(fact), ...evidenceOf(fact), ...earlier].join('\n')
}

/** Lines against an opinion first: they are what a reader would miss. Nothing where its own line is all there is. */
function evidenceOf({ evidence }: RecalledFact): readonly string[] {
  if (evidence === undefined || evidence.groups.for + evidence.groups.against === 0) return []
  const lineOfSide = (side: string, { quote, source, timestamp = 'undated' }: RecalledEvidence): string =>
    neutralise(`  - ${side}: ${inOneLine(quote)} (${timestamp}, ${visibleName(source)})`)
  return [...evidence.against.map((one) => lineOfSide('against', one)), ...evidence.for.map((one) => lineOfSide('for', one))]
}

function lineOf({
  kind,
  timestamp = 'undated',
  until,
  entities,
  content,
  source,
  confidence,
  author,
  state,
}: RecalledFact): string {
  const days = until === undefined || until === timestamp ? timestamp : `${timestamp} to ${until}`
  const names = kind === 'note' || entities.length === 0 ? '' : `${entities.map(visibleName).join(', ')}: `
  const remarks = [
    kind,
    ...(confidence === undefined ? [] : [`confidence ${confidence.toFixed(2)}`]),
    ...(state === undefined ? [] : [state]),
    ...(author === undefined || author === 'person' ? [] : [`by the ${author}`]),
    days,
    visibleName(source),
  ]
  return neutralise(`- ${names}${inOneLine(content)} (${remarks.join(', ')})`)
}

function inOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ')
}

/** For programs; texts are disarmed as in the answer's text. */
function dataOf({ facts, nearest, mode }: RecalledFacts): Readonly<Record<string, unknown>> {
  return {
    ...(facts.length > 0 && { notice: DATA_NOTICE }),
    facts: facts.map(dataOfFact),
    ...(nearest !== undefined && { nearest: dataOfFact(nearest) }),
    mode,
  }
}

function dataOfFact({ content, source, entities, earlier, evidence, ...fact }: RecalledFact): Readonly<Record<string, unknown>> {
  return {
    ...fact,
    entities: entities.map(harmlessName),
    source: harmlessName(source),
    content: recalled(neutralise(content)),
    ...(evidence && { evidence: { ...evidence, for: evidence.for.map(disarmed), against: evidence.against.map(disarmed) } }),
    ...(earlier && {
      earlier: earlier.map((one) => ({ ...one, source: harmlessName(one.source), content: recalled(neutralise(one.content)) })),
    }),
  }
}

function disarmed(one: RecalledEvidence): RecalledEvidence {
  return { ...one, source: harmlessName(one.source), quote: recalled(neutralise(one.quote)) }
}
