import { type PlacedFact, readFacts } from '@mnemark/bank'
import { readTimeWindows, type TimeWindow } from '@mnemark/core/dates'
import { entityKey, parseDocument } from '@mnemark/core/document'
import { expect, test } from 'vitest'
import type { Note } from '../quality/tasks/task.ts'
import { makeYear } from './made-year.ts'
import { meanScore, scoreAnswer } from './score-answers.ts'
import { sharedWords } from './shared-words.ts'
import { dayText, DAYS_OF_YEAR } from './year-days.ts'
import { makeQuestions, type YearQuestion } from './year-questions.ts'

interface Page {
  readonly keys: readonly string[]
  readonly slots: readonly (readonly string[])[]
}
interface ToldFact extends PlacedFact {
  readonly path: string
}

function pageOf({ path, text }: Note): Page {
  const { title = '', aliases } = parseDocument({ source: 'memory', path }, { text })
  return {
    keys: [title, ...aliases].map(entityKey),
    slots: [...text.matchAll(/^ {2}\w+: (.*)$/gm)].map(([, phrases = '[]']) => JSON.parse(phrases)),
  }
}

/** The page whose name the question holds, the longest where it holds two: `v1.20`, not `v1.2`. */
function pageAskedFor(pages: readonly Page[], text: string): Page | undefined {
  const longest = ({ keys }: Page) => Math.max(0, ...keys.filter((key) => entityKey(text).includes(key)).map((key) => key.length))
  return pages.toSorted((left, right) => longest(right) - longest(left))[0]
}

function isWithin({ days }: PlacedFact, { from = '', to = '' }: Pick<TimeWindow, 'from' | 'to'>): boolean {
  const last = days?.isOpen === true ? to : (days?.to ?? days?.from ?? '')
  return (days?.from ?? '') <= to && last >= from
}

/** How well a fact about the right entity fits a question: by a slot that held then, by its day, by words. */
function fitsOf({ text, name, language }: YearQuestion, { slots }: Page): (fact: PlacedFact) => number {
  const shared = (words: string) => sharedWords(text, name, words, language).length
  const window = readTimeWindows(text, { today: dayText(DAYS_OF_YEAR + 1) }).findLast(({ from }) => from?.startsWith('2025'))
  const slot = slots.find((phrases) => phrases.some((phrase) => shared(phrase) > 0))
  return (fact) => {
    if (slot?.some((phrase) => fact.content.startsWith(phrase)) !== true)
      return shared(fact.content) + (window !== undefined && isWithin(fact, window) ? 5 : 0)
    if (window === undefined) return 10
    if (fact.written?.to !== undefined) return isWithin(fact, window) ? 20 : 0
    return (fact.days?.from ?? '') <= (window.to ?? '') ? 10 : 0
  }
}

test('the notes hold the answers: names, slots, days and corrections lead to every gold line and to no stale one', () => {
  const year = makeYear(11, 'retain')
  const pages = year.notes.filter(({ path }) => path.startsWith('bank/')).map(pageOf)
  const facts = year.notes.flatMap(({ path, text }) => readFacts(text, { path }).facts.map((fact) => ({ ...fact, path })))
  const replaced = new Set(facts.flatMap(({ relations }) => relations.map(({ target }) => target)))
  const standing = [...new Map(facts.map((fact): [string, ToldFact] => [fact.id, fact])).values()].filter(
    ({ id }) => !replaced.has(id),
  )
  const scores = makeQuestions(year, 12).map((question) => {
    const page = pageAskedFor(pages, question.text) ?? { keys: [], slots: [] }
    const fitOf = fitsOf(question, page)
    const ranked = standing
      .filter(({ entities }) => page.keys.includes(entities[0]?.key ?? ''))
      .map((fact) => ({ fact, fit: fitOf(fact), from: fact.days?.from ?? '' }))
      .toSorted((left, right) => right.fit - left.fit || (left.from < right.from ? 1 : -1))
      .map(({ fact }) => fact)
    return scoreAnswer(question, ranked)
  })
  expect(meanScore(scores)).toMatchObject({ recallAt5: 1, staleAboveGold: 0 })
})
