import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyseRunOnce, exactTerms, gramTerms, latinLanguageOf, stemTerms, termSet, wordsOf } from './analyse.ts'
import { foldWord } from './letters/fold.ts'
import { eachRun } from './runs.ts'
import { isStopWord } from './stems/stop-words.ts'
import { analyseRun } from './words.ts'

function runsOf(text: string): string[] {
  const runs: string[] = []
  eachRun(text, (run) => runs.push(run))
  return runs
}

/** Text of many scripts, with the signs that join and end runs. */
const piece = fc.oneof(
  fc.constantFrom(
    '会议',
    '数据',
    'サーバー',
    '데이터를',
    'ประชุม',
    'مكتبة',
    'שלום',
    'naïve',
    'fooBar',
    'X1',
    '2026',
    '🚀',
    '👩🏽‍💻',
    '🇲🇦',
    '1️⃣',
    'ß',
    '\u200d',
    '\u0301',
    '\ud800',
  ),
  fc.constantFrom(' ', '-', '.', '_', '/', '::', '->', '@', '+', '++', '#', '\\', '\n', '־', '،', '、', '*', '(', '\0'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const mixed = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))

test.each([
  ['see memorySearch.query.hybrid, please', ['see', 'memorySearch.query.hybrid', 'please']],
  ['C++ and C# (not C)', ['C++', 'and', 'C#', 'not', 'C']],
  ['2026-03-14: done.', ['2026-03-14', 'done']],
  ['std::vector x->y', ['std::vector', 'x->y']],
  ['a@b.example ~/x v2.17.0', ['a@b.example', 'x', 'v2.17.0']],
  ['go 🚀🔥 now', ['go', '🚀', '🔥', 'now']],
  ['🇲🇦🇯🇵 👩🏽‍💻', ['🇲🇦', '🇯🇵', '👩🏽‍💻']],
  ['...', []],
  ['--verbose -x', ['verbose', 'x']],
])('the runs of %j are %j', (text, runs) => {
  expect(runsOf(text)).toEqual(runs)
})

test('runs are pieces of the text in order, also when a visit walks another text', () => {
  fc.assert(
    fc.property(mixed, mixed, (text, other) => {
      let end = 0
      const outer: string[] = []
      eachRun(text, (run, offset) => {
        expect(offset).toBeGreaterThanOrEqual(end)
        expect(run.length).toBeGreaterThan(0)
        expect(text.slice(offset, offset + run.length)).toBe(run)
        end = offset + run.length
        outer.push(run)
        runsOf(other)
      })
      expect(outer).toEqual(runsOf(text))
    }),
    { numRuns: 1_000 },
  )
})

test('plain ASCII text has the same runs as beside other text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 40 }), (text) => {
      expect([...runsOf(text), '会']).toEqual(runsOf(`${text} 会`))
    }),
    { numRuns: 2_000 },
  )
})

test('words lie inside their text, in order, apart, and their terms are folded', () => {
  fc.assert(
    fc.property(mixed, (text) => {
      let [start, end] = [0, 0]
      for (const word of wordsOf(text)) {
        // Words cut from one sign (`㍘`, `½`) share its position.
        expect(word.start).toBeGreaterThanOrEqual(text.normalize('NFKC') === text ? end : start)
        expect(word.end).toBeGreaterThan(word.start)
        expect(word.end).toBeLessThanOrEqual(text.length)
        expect(word.term).not.toBe('')
        // An emoji keeps the joiners that folding removes from words.
        expect(/\p{L}/u.test(word.term) ? foldWord(word.term) : word.term).toBe(word.term)
        ;[start, end] = [word.start, word.end]
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a run means the same whatever stands around it, and remembered as when first seen', () => {
  fc.assert(
    fc.property(mixed, (text) => {
      for (const run of runsOf(text)) expect(analyseRunOnce(run)).toEqual(analyseRun(run))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['memorySearch.query.hybrid', ['memorysearch', 'query', 'hybrid', 'memory', 'search', 'memorysearch.query.hybrid']],
  ['OC-41252', ['oc', '41252', 'oc-41252']],
  ['2026-03-14', ['2026', '03', '14', '2026-03-14']],
  ['apply_secrets', ['apply', 'secrets', 'apply_secrets']],
  ['retry-after', ['retry', 'after', 'retry-after']],
  ['C++', ['c', 'c++']],
  ['C#', ['c', 'c#']],
  ['a828e60', ['a828e60']],
  ['src\\core\\index.ts', ['src', 'core', 'index', 'ts', 'src/core/index.ts']],
  ['XMLHttpRequest', ['xmlhttprequest', 'xml', 'http', 'request']],
  ['iPhone手机', ['iphone', '手机']],
])('%s is found by %j', (run, terms) => {
  expect([...exactTerms(analyseRun(run))]).toEqual(expect.arrayContaining(terms))
})

test('words of scripts without spaces are cut by dictionary', () => {
  expect(wordsOf('东京的会议改到星期五').map(({ term }) => term)).toEqual(expect.arrayContaining(['东京', '会议', '星期五']))
  expect(wordsOf('วันนี้ประชุมทีม').map(({ term }) => term)).toEqual(expect.arrayContaining(['ประชุม', 'ทีม']))
})

test('grams find other forms: words share most of theirs with a longer form, numbers and emoji have none', () => {
  const grams = new Set(gramTerms(analyseRun('budgets')))
  for (const gram of gramTerms(analyseRun('budget')).slice(0, -1)) expect(grams.has(gram)).toBe(true)
  expect(gramTerms(analyseRun('41252'))).toEqual([])
  expect(gramTerms(analyseRun('🚀'))).toEqual([])
  expect(gramTerms(analyseRun('the'))).toEqual([])
})

test('very long runs are analysed in bounded time and bounded terms', () => {
  for (const run of [
    'x'.repeat(200_000),
    'ab-'.repeat(60_000),
    '会'.repeat(100_000),
    'ก'.repeat(100_000),
    'Aa'.repeat(100_000),
  ]) {
    const { words, whole } = analyseRun(run)
    expect(whole).toBeUndefined()
    for (const { term } of words) expect(term.length).toBeLessThanOrEqual(512)
  }
})

test('two texts are compared by all their terms; blank ones have none', () => {
  expect(termSet('---')).toEqual(new Set())
  expect(termSet('机械学习')).not.toEqual(termSet('神経回路'))
  expect(termSet('🎉')).not.toEqual(termSet('🔥'))
  expect(termSet('Café')).toEqual(termSet('cafe\u0301'))
})

test.each([
  ['المكتبة', undefined, ['مكتب']],
  ['والكتاب', undefined, ['كتاب', 'كتب']],
  ['데이터베이스를', undefined, ['데이터베이스']],
  ['budgets', 'en', ['budget']],
] as const)('%s has the stem it shares with its other forms', (run, language, stems) => {
  expect(stemTerms(analyseRun(run), language)).toEqual(stems)
})

test('the language of Latin text is guessed by its function words, and unknown without any', () => {
  expect(latinLanguageOf('where is the key of the house')).toBe('en')
  expect(latinLanguageOf('wo ist der Schlüssel und das Haus')).toBe('de')
  expect(latinLanguageOf('dónde están las llaves de los coches')).toBe('es')
  expect(latinLanguageOf('budget 2026')).toBeUndefined()
  expect(latinLanguageOf('会议')).toBeUndefined()
})

test.each([
  ['the', 'en'],
  ['und', 'de'],
  ['les', 'fr'],
  ['для', undefined],
  ['في', undefined],
  ['من', undefined],
  ['的', undefined],
  ['の', undefined],
  ['का', undefined],
] as const)('%s is a stop word', (word, language) => {
  expect(isStopWord(foldWord(word), language)).toBe(true)
})

test.each(['budget', 'die', 'kind', '会议', 'مكتبه', 'c', '2026', ''])('%s is no stop word of English text', (word) => {
  expect(isStopWord(word, 'en')).toBe(false)
})
