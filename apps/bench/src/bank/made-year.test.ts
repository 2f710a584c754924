import { readFacts } from '@mnemark/bank'
import { entityKey } from '@mnemark/core/document'
import { expect, test } from 'vitest'
import { makeYear, WHOLE_YEAR, type YearSize } from './made-year.ts'
import { sharedWords } from './shared-words.ts'
import { makeQuestions, MOST_SHARED, QUESTION_KINDS } from './year-questions.ts'

const SMALL: YearSize = { facts: 260, entities: { person: 2, project: 1, thing: 2 } }

test('a whole year has 1,000 facts about 60 entities in three languages, told by one log a day', () => {
  const { facts, entities, notes, late, places } = makeYear(7, 'retain')
  expect(facts).toHaveLength(WHOLE_YEAR.facts)
  expect(new Set(facts.map(({ id }) => id)).size).toBe(WHOLE_YEAR.facts)
  expect(entities).toHaveLength(60)
  expect(notes.filter(({ path }) => path.startsWith('memory/'))).toHaveLength(365)
  expect(new Set(facts.map(({ kind }) => kind))).toEqual(new Set(['world', 'experience', 'opinion', 'observation']))
  expect(late.size).toBeGreaterThan(20)
  expect([...places.values()].filter((lines) => lines.length > 1).length).toBeGreaterThan(50)
  expect(facts.filter(({ relation }) => relation?.verb === 'corrects').length).toBeGreaterThan(10)
})

test('no two entities have a name in common, and some names differ in digits alone', () => {
  const { entities } = makeYear(7, 'retain')
  const keys = entities.flatMap(({ name, aliases }) => [name, ...aliases].map(entityKey))
  expect(new Set(keys).size).toBe(3 * entities.length)
  expect(entities.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Room-101', 'Room-102', 'v1.2', 'v1.20', 'قاعة-١', 'قاعة-٢']),
  )
})

test("the bank's reader finds each fact on its lines and nothing else, and every relation names a fact", () => {
  const { facts, notes, places } = makeYear(7, 'retain')
  const read = notes.flatMap(({ path, text }) => {
    const found = readFacts(text, { path })
    expect(found.problems).toEqual([])
    return found.facts.map(({ id, startLine, relations }) => ({ id, path, line: startLine, relations }))
  })
  const written = [...places].flatMap(([id, lines]) => lines.map((place) => `${place.path}:${place.line} ${id}`))
  expect(read.map(({ path, line, id }) => `${path}:${line} ${id}`).sort()).toEqual(written.sort())
  const ids = new Set(facts.map(({ id }) => id))
  expect(read.flatMap(({ relations }) => relations).filter(({ target }) => !ids.has(target))).toEqual([])
})

test('without Retain sections no line is a fact, and each fact is said on its line', () => {
  const { facts, notes, places } = makeYear(7, 'prose', SMALL)
  const byPath = new Map(notes.map(({ path, text }) => [path, text.split('\n')]))
  expect(notes.flatMap(({ path, text }) => readFacts(text, { path }).facts)).toEqual([])
  for (const { id, named, content } of facts)
    for (const { path, line } of places.get(id) ?? []) {
      const text = byPath.get(path)?.[line - 1]
      expect(text).toContain(named)
      expect(text).toContain(content)
    }
})

test('a seed gives the same bytes in every run, and another seed others', () => {
  expect(makeYear(7, 'retain', SMALL)).toEqual(makeYear(7, 'retain', SMALL))
  expect(makeQuestions(makeYear(7, 'prose', SMALL), 4)).toEqual(makeQuestions(makeYear(7, 'prose', SMALL), 4))
  expect(makeYear(8, 'retain', SMALL).notes).not.toEqual(makeYear(7, 'retain', SMALL).notes)
})

test('both forms of a year are asked the same questions', () => {
  const asked = (form: 'retain' | 'prose') => makeQuestions(makeYear(7, form, SMALL), 4).map(({ text, gold }) => [text, gold])
  expect(asked('prose')).toEqual(asked('retain'))
})

test('a question shares at most one word with its facts, has three distractors, and no line is right and wrong', () => {
  const year = makeYear(7, 'retain')
  const questions = makeQuestions(year, 12)
  const keyOf = ({ path, line }: { path: string; line: number }) => `${path}:${line}`
  for (const { text, name, language, gold, goldPlaces, stale, distractors } of questions) {
    for (const { content } of gold) expect(sharedWords(text, name, content, language).length).toBeLessThanOrEqual(MOST_SHARED)
    expect(goldPlaces.every((places) => places.length > 0)).toBe(true)
    const right = new Set(goldPlaces.flat().map(keyOf))
    expect(new Set(distractors.map(keyOf)).size).toBe(3)
    expect([...stale, ...distractors].filter((place) => right.has(keyOf(place)))).toEqual([])
  }
  for (const kind of QUESTION_KINDS)
    for (const language of ['en', 'ar', 'zh'])
      expect([kind, questions.filter((one) => one.kind === kind && one.language === language).length]).toEqual([kind, 12])
})

test.each([
  { question: 'Where does Mara live now?', name: 'Mara', said: 'lives in Oslo', language: 'en', words: ['live'] },
  { question: 'Where does Mara live now?', name: 'Mara', said: 'moved to Oslo', language: 'en', words: [] },
  { question: 'And v1.2 and the lamp?', name: 'v1.2', said: 'the lamp of v1.2', language: 'en', words: ['lamp'] },
  { question: 'أين يسكن كريم الآن؟', name: 'كريم', said: 'يسكن في فاس', language: 'ar', words: ['يسكن'] },
  { question: '林娜现在住在哪里？', name: '林娜', said: '住在上海', language: 'zh', words: ['住在'] },
] as const)('words that "$question" and "$said" have in common', ({ question, name, said, language, words }) => {
  expect(sharedWords(question, name, said, language)).toEqual(words)
})
