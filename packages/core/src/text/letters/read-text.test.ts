import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { termSet, wordsOf } from '../analyse.ts'
import { letterEdits } from './normal-letters.ts'
import { readText } from './read-text.ts'

/** Words with the part of the source that each comes from. */
function words(text: string): [term: string, source: string][] {
  return wordsOf(text).map(({ term, start, end }) => [term, text.slice(start, end)])
}

describe('P20: letters get one form before words are cut', () => {
  test.each([
    ['ｱﾌﾟﾘを更新した', 'アプリ', 'ｱﾌﾟﾘ'],
    ['ﾃﾞｰﾀﾍﾞｰｽ', 'データベース', 'ﾃﾞｰﾀﾍﾞｰｽ'],
    ['น้ำ', 'น้ำ', 'น้ำ'],
    ['ดื่มน้ํา', 'น้ำ', 'น้ํา'],
    ['นํ้า', 'น้ำ', 'นํ้า'],
    ['เเมว', 'แมว', 'เเมว'],
    ['ນ້ຳ', 'ນ້ຳ', 'ນ້ຳ'],
    ['അവന്\u200d', 'അവൻ', 'അവന്\u200d'],
    ['উৎস ত্\u200d', 'ৎ', 'ত্\u200d'],
    ['한국', '한국', '한국'],
    ['ﾊﾝｸﾞﾙ ﾡￂ', '가', 'ﾡￂ'],
    ['ㄱㅏ', '가', 'ㄱㅏ'],
    ['Cafe\u0301', 'cafe', 'Cafe\u0301'],
    ['tiê\u0301ng', 'tieng', 'tiê\u0301ng'],
    ['ﷲ اكبر', 'الله', 'ﷲ'],
    ['２０２６－０３－１４', '2026', '２０２６'],
    ['H₂O', 'h2o', 'H₂O'],
    ['葛\u{e0100}城', '葛城', '葛\u{e0100}城'],
    ['ב\u200fיחד', 'ביחד', 'ב\u200fיחד'],
    ['Mnemark™ works', 'mnemark', 'Mnemark'],
    ['2½ cups', '2', '2'],
  ])('%s holds %s', (text, term, source) => {
    expect(words(text)).toContainEqual([term.normalize('NFKC'), source])
  })

  test('all normal forms of a text have the same terms', () => {
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
      fc.constantFrom(
        'ｱﾌﾟﾘ',
        'น้ำ',
        'ດື່ມນ້ຳ',
        'അവൻ',
        '한국어',
        'Ångström',
        'Größe',
        'क़लम',
        'ড়',
        'کتاب‌ها',
        'ﻻ',
        'שָׁלוֹם',
        '①',
        '㎞',
        'ﬁle',
        'Ⅷ',
        'ｶﾞ',
        '：',
        '（',
        '…',
        '\u00a0',
        ' ',
        '-',
        '.',
        '数據',
        '2026',
        '٤٢',
        '👩‍💻',
        'ế',
        'ǅ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        // ™ and fractions are deliberately separate, and nothing in their terms shows it.
        const text = pieces.join('').replace(/[\u00bc-\u00be\u2116\u2120\u2122\u2150-\u215f\u2189]/g, '')
        const terms = termSet(text)
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect({ form, terms: termSet(text.normalize(form)) }).toEqual({ form, terms })
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('P27: marks inside words', () => {
  test.each([
    ['**bo**ld', 'bold', 'bo**ld'],
    ['*un*believable', 'unbelievable', 'un*believable'],
    ['H~2~O and x^2^', 'h2o', 'H~2~O'],
    ['x^2^', 'x2', 'x^2'],
    ['be<b>auti</b>ful', 'beautiful', 'be<b>auti</b>ful'],
    ['be<b><i>auti</i></b>ful', 'beautiful', 'be<b><i>auti</i></b>ful'],
    ['CO<sub>2</sub> level', 'co2', 'CO<sub>2'],
    ['Caf&eacute; au lait', 'cafe', 'Caf&eacute;'],
    ['Caf&#233; au lait', 'cafe', 'Caf&#233;'],
    ['Caf&#xE9;', 'cafe', 'Caf&#xE9;'],
    ['na&iuml;ve', 'naive', 'na&iuml;ve'],
    ['&Zcaron;i&zcaron;ka', 'zizka', '&Zcaron;i&zcaron;ka'],
    ['==high==light', 'highlight', 'high==light'],
    ['~~st~~rike', 'strike', 'st~~rike'],
    ['Über**prüf**ung', 'uberprufung', 'Über**prüf**ung'],
    ['**مكت**بة', 'مكتبه', 'مكت**بة'],
    ['这是**重**点内容', '重点', '重**点'],
    ['co&shy;operate', 'cooperate', 'co&shy;operate'],
    ['long<wbr>word', 'longword', 'long<wbr>word'],
  ])('%s is read as %s', (text, term, source) => {
    expect(words(text)).toContainEqual([term, source])
  })

  test.each([
    ['Tom &amp; Jerry', ['tom', 'jerry']],
    ['a&nbsp;b', ['a', 'b']],
    ['x &lt; y', ['x', 'y']],
    ['2*3*4', ['2', '3', '4']],
    ['AT&T and R&D', ['at', 't', 'and', 'r', 'd']],
    ['&notanentity;', ['notanentity']],
    ['`a*b*c`', ['a', 'b', 'c']],
    ['```\nfoo*bar*baz\n```', ['foo', 'bar', 'baz']],
    ['`&eacute;`', ['eacute']],
    ['a*b', ['a', 'b']],
    ['if (a<b) x', ['if', 'a', 'b', 'x']],
    ['snake_case', ['snake', 'case']],
  ])('%s holds %j and no more', (text, terms) => {
    expect(words(text).map(([term]) => term)).toEqual(terms)
  })
})

test('places of words lie in the source and hold what was read', () => {
  const piece = fc.constantFrom(
    '**bo**ld',
    'ｱﾌﾟﾘ',
    'น้ํา',
    '&eacute;',
    'Caf&#233;',
    '½',
    '㍿',
    ' ',
    '\n',
    'plain',
    'e\u0301',
    '\u00ad',
    '*',
    '<b>',
    '</b>',
    'ﷺ',
    '🚀',
    '~2~',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const read = readText(text)
      let before = 0
      for (const { start, end, term } of wordsOf(text)) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        before = start
        // The source of a word, read alone, holds the word, except for marks whose partner is elsewhere.
        const alone = [...termSet(text.slice(start, end))].join(' ')
        expect(/[*<>~]/.test(text) || alone.includes(term)).toBe(true)
      }
      for (let at = 0; at < read.text.length; at += 1) {
        expect(read.sourceStart(at)).toBeLessThanOrEqual(read.sourceEnd(at + 1))
        expect(read.sourceStart(at)).toBeLessThanOrEqual(read.sourceStart(at + 1))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('plain text is not copied', () => {
  const text = 'Plain **bold** text with `code`, a list:\n- one\n- two & three'
  expect(readText(text).text).toBe(text)
  expect(letterEdits('会议改到星期五，明天')).toHaveLength(1)
})

test.each([
  ['marks on one letter', 'a' + '\u0301\u0316'.repeat(60_000)],
  ['half-width kana', 'ﾌﾟ'.repeat(60_000)],
  ['emphasis', '**a*b~c^d=='.repeat(12_000)],
  ['ticks', Array.from({ length: 500 }, (_, at) => '`'.repeat(at + 1)).join('a')],
  ['code spans', '`a` '.repeat(40_000)],
  ['tags', '<b '.repeat(50_000)],
  ['open tags', 'a<b>'.repeat(40_000)],
  ['entities', '&eacute;'.repeat(20_000)],
  ['ampersands', '&a'.repeat(60_000)],
  ['digits', '1 '.repeat(60_000)],
  ['groups of digits', '1 234 '.repeat(25_000)],
  ['apostrophes', "a'".repeat(60_000)],
])('a line of %s is read to its end', (_name, text) => {
  const last = wordsOf(text).at(-1)
  expect(last?.end ?? text.length).toBeGreaterThan(text.length - 1_100)
})
