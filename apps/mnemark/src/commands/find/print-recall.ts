import type { EarlierFact, RecalledEvidence, RecalledFact } from '@mnemark/bank'
import type { RecallDocument } from '../../operations/facts/recall-facts.ts'
import type { Console } from '../../terminal/console.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import { createPaint, type Paint } from '../../terminal/paint.ts'

const DAY_WIDTH = 10

/** Prints facts for people: day, content and names, below it the place, and what it replaced. Remarks go to stderr. */
export function printRecall(console: Console, reply: RecallDocument): void {
  const paint = createPaint(console.hasColour)
  for (const fact of reply.facts) printFact(console, fact, paint)
  for (const { message } of reply.degraded) console.note(`mnemark: ${printable(message)}`)
  const { facts, dropped, nearest, overBudget } = reply
  if (facts.length === 0) console.note('mnemark: nothing found')
  if (overBudget) console.note('mnemark: nothing fits the budget; this is the best one, whole')
  if (nearest !== undefined) {
    console.note('mnemark: the nearest that is known is')
    for (const line of linesOf(nearest, paint)) console.note(`  ${line}`)
  }
  const left = dropped.filter(({ why }) => why === 'budget' || why === 'limit').length
  if (left > 0) console.note(`mnemark: ${left} more left out; -k N and --budget TOKENS show more`)
}

function printFact(console: Console, fact: RecalledFact, paint: Paint): void {
  for (const line of linesOf(fact, paint)) console.print(line)
}

function linesOf(fact: RecalledFact, paint: Paint): readonly string[] {
  const names = fact.entities.map((name) => isolate(printable(name))).join(', ')
  const said = isolate(printable(fact.content))
  const subject = names === '' || fact.kind === 'note' ? said : `${paint.bold(names)}: ${said}`
  return [
    `${daysOf(fact).padEnd(DAY_WIDTH)}  ${subject}${remarksOf(fact)}`,
    `${' '.repeat(DAY_WIDTH)}  ${paint.dim(isolate(printableName(fact.source)))}`,
    ...evidenceLines(fact).map((line) => `${' '.repeat(DAY_WIDTH)}  ${paint.dim(line)}`),
    ...(fact.earlier ?? []).map((earlier) => `${' '.repeat(DAY_WIDTH)}  ${paint.dim(earlierLine(earlier))}`),
  ]
}

function daysOf({ timestamp = '', until, slot }: RecalledFact): string {
  if (until === undefined) return slot === undefined || timestamp === '' ? timestamp : `${timestamp} on`
  return until === timestamp ? timestamp : `${timestamp} to ${until}`
}

function remarksOf({ kind, confidence, state, author }: RecalledFact): string {
  const remarks = [
    ...(kind === 'opinion' || kind === 'observation' ? [kind] : []),
    ...(confidence === undefined ? [] : [`confidence ${confidence.toFixed(2)}`]),
    ...(state === undefined ? [] : [state]),
    ...(author === undefined || author === 'person' ? [] : [`by the ${author}`]),
  ]
  return remarks.length === 0 ? '' : `  (${remarks.join(', ')})`
}

/** Lines against an opinion first: they are what a reader would miss. */
function evidenceLines({ evidence }: RecalledFact): readonly string[] {
  if (evidence === undefined || evidence.groups.for + evidence.groups.against === 0) return []
  const lineOf = (side: string, { quote, source, timestamp }: RecalledEvidence): string =>
    `${side}: ${isolate(printable(quote))} (${timestamp === undefined ? '' : `${timestamp}, `}${isolate(printableName(source))})`
  return [...evidence.against.map((one) => lineOf('against', one)), ...evidence.for.map((one) => lineOf('for', one))]
}

function earlierLine({ content, source, timestamp, why }: EarlierFact): string {
  const day = timestamp === undefined ? '' : `${timestamp}, `
  return `${why}: ${isolate(printable(content))} (${day}${isolate(printableName(source))})`
}
