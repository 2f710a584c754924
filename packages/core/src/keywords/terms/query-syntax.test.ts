import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateTerms } from './date-terms.ts'
import { normalisePath, pathNames, pathWords } from '../../document/names/path-terms.ts'
import { holdsPhrase, phraseKey } from '../query/phrase.ts'
import { parseQuery } from './query-syntax.ts'

test.each([
  ['lamp "red door" -paint prefix*', { phrases: ['red door'], excluded: ['paint'], prefixes: ['prefix'] }],
  ['“red door” „blue door”', { phrases: ['red door', 'blue door'], excluded: [], prefixes: [] }],
  ['lamp -"red door"', { phrases: [], excluded: ['red door'], prefixes: [] }],
  ['--flag -5 well-known a - b', { phrases: [], excluded: [], prefixes: [] }],
  ['计划 -会议 -الموعد', { phrases: [], excluded: ['会议', 'الموعد'], prefixes: [] }],
  ['"" " " "', { phrases: [], excluded: [], prefixes: [] }],
  ['"open end', { phrases: [], excluded: [], prefixes: [] }],
  ['* a*b src/co*', { phrases: [], excluded: [], prefixes: ['src/co'] }],
])('%s is understood', (query, syntax) => {
  expect(parseQuery(query)).toMatchObject(syntax)
})

// An exclusion needs another word without a sign, a space before it, and three letters or quotes.
test.each([
  ['zip -r', [], 'zip -r'],
  ['npm install -g', [], 'npm install -g'],
  ['rm -rf', [], 'rm -rf'],
  ['ls -la', [], 'ls -la'],
  ['chmod -x86_64', [], 'chmod -x86_64'],
  ['weather -5', [], 'weather -5'],
  ['plan –draft —later −never', [], 'plan –draft —later −never'],
  ['-draft', [], 'draft'],
  ['-draft -"old plan"', [], 'draft old plan'],
  ['well-known Vor- und x', [], 'well-known Vor- und x'],
  ['foo-"bar baz"', [], 'foo- bar baz'],
  ['plan -of', [], 'plan -of'],
  ['plan -"of"', ['of'], 'plan'],
  ['plan -draft', ['draft'], 'plan'],
  ['-draft plan', ['draft'], 'plan'],
  ['"old plan" -draft', ['draft'], 'old plan'],
  ['dep* -draft', ['draft'], ''],
  ['خطة -في', [], 'خطة -في'],
  ['خطة -مسودة', ['مسودة'], 'خطة'],
  ['תוכנית -טיוטה', ['טיוטה'], 'תוכנית'],
  ['计划 -草', [], '计划 -草'],
  ['计划 -草稿', ['草稿'], '计划'],
  ['계획 -초안', ['초안'], '계획'],
  ['計画 -「下書き」', ['下書き'], '計画'],
  ['แผน -ร่าง', ['ร่าง'], 'แผน'],
  ['योजना -मसौदा', ['मसौदा'], 'योजना'],
])('P32: %s excludes %j', (query, excluded, text) => {
  const syntax = parseQuery(query)
  expect(syntax.excluded).toEqual(excluded)
  expect(syntax.text.replace(/\s+/g, ' ').trim()).toBe(text)
})

test('P32: beside a filter a sign alone is something to exclude', () => {
  expect(parseQuery('-draft', true).excluded).toEqual(['draft'])
  expect(parseQuery('-r', true).excluded).toEqual([])
})

test.each([
  ['«план отката» деплой*', { names: ['план отката'], phrases: [], prefixes: ['деплой'] }],
  ['「回滚计划」 部署', { names: ['回滚计划'], phrases: [] }],
  ['『計画』', { names: ['計画'], phrases: [], isPhraseOnly: false }],
  ['“回滚计划” 部署', { phrases: ['回滚计划'], names: [], isPhraseOnly: false }],
  ['„Plan B“ heute', { phrases: ['Plan B'] }],
  ['"롤백 계획"을 배포', { phrases: ['롤백 계획'] }],
  ['"rollback plan deploy', { phrases: [], text: '"rollback plan deploy' }],
  ['"a b" c "d e', { phrases: ['a b'] }],
  ['"rm -recursive old*" docs', { phrases: ['rm -recursive old*'], excluded: [], prefixes: [] }],
  ['צה"ל ו"ועד"', { phrases: [] }],
  ['where is «Война и мир»?', { names: [], phrases: [] }],
  ['кто написал роман «Война и мир» и когда', { names: [], phrases: [] }],
  ['ποιος έγραψε "το βιβλίο";', { phrases: [] }],
])('P33: %s is understood', (query, syntax) => {
  expect(parseQuery(query)).toMatchObject(syntax)
})

test('the words of phrases stay words of the query, excluded ones do not', () => {
  expect(parseQuery('lamp "red door" -paint').text.split(/\s+/).filter(Boolean)).toEqual(['lamp', 'red', 'door'])
})

test('a phrase is held where its words stand in a row, whole, in any form of writing', () => {
  const text = phraseKey('The Naïve café, owner. 东京的会议改到星期五。 قَرَّرَ المدير')
  for (const phrase of ['naive cafe', 'café owner', '会议', '会议改到', '的会议', 'قرر المدير', 'THE NAIVE'])
    expect(holdsPhrase(text, phraseKey(phrase))).toBe(true)
  for (const phrase of ['naive owner', 'aive cafe', 'naive caf', '京议', 'المدير قرر', 'café the'])
    expect(holdsPhrase(text, phraseKey(phrase))).toBe(false)
})

test('a text holds every stretch of its own words', () => {
  const words = fc.array(fc.constantFrom('lamp', 'Café', 'قرر', 'fooBar', 'x-1', '2026'), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(words, fc.nat(11), fc.nat(11), (list, from, length) => {
      const part = list.slice(from % list.length, (from % list.length) + 1 + length)
      expect(holdsPhrase(phraseKey(list.join(' ')), phraseKey(part.join('\n')))).toBe(true)
    }),
  )
})

test('names of a path are its whole, its last part, and that without the extension', () => {
  expect(pathNames('Memory/2026-03-14.md')).toEqual({ path: 'memory/2026-03-14.md', base: '2026-03-14.md', stem: '2026-03-14' })
  expect(pathNames('.\\Notes\\Cafe\u0301.MD')).toEqual({ path: 'notes/café.md', base: 'café.md', stem: 'café' })
  expect(pathNames('.hidden')).toEqual({ path: '.hidden', base: '.hidden', stem: '.hidden' })
  expect(normalisePath('./a.md ')).toBe('a.md')
})

test('words of a path are those of its parts, without extension, with Logseq and percent signs read', () => {
  expect(pathWords('garden/pump-notes.md')).toEqual(expect.arrayContaining(['garden', 'pump', 'notes']))
  expect(pathWords('garden/pump-notes.md')).not.toContain('md')
  expect(pathWords('Projects___Solar%20Roof.md')).toEqual(expect.arrayContaining(['projects', 'solar', 'roof']))
  expect(pathWords('100% done.md')).toEqual(expect.arrayContaining(['100', 'done']))
  expect(pathWords('会议记录/笔记.md')).toEqual(expect.arrayContaining(['会议', '笔记']))
})

test('a day is found by itself, by its month, and by its day in any year', () => {
  expect(dateTerms(['2026-03-14'])).toEqual(expect.arrayContaining(['2026-03-14', '2026-03', '--03-14']))
  expect(dateTerms([])).toEqual([])
})
