import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldWord } from './fold.ts'

test.each([
  ['Café', 'cafe'],
  ['cafe\u0301', 'cafe'],
  ['NAÏVE', 'naive'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['ẞ', 'ss'],
  ['İstanbul', 'istanbul'],
  ['IŞIK', 'isik'],
  ['ışık', 'isik'],
  ['Ὀδυσσεύς', 'οδυσσευσ'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['Ёлка', 'елка'],
  ['Æsir', 'aesir'],
  ['łódź', 'lodz'],
  ['ﬁle', 'file'],
  ['ＡＢＣ１２', 'abc12'],
  ['ｶﾞｷﾞ', 'ガギ'],
  ['قَرَّرَ', 'قرر'],
  ['الإطلاق', 'الاطلاق'],
  ['آخر', 'اخر'],
  ['المكتبة', 'المكتبه'],
  ['مستشفى', 'مستشفي'],
  ['کتاب', 'كتاب'],
  ['مسؤول', 'مسوول'],
  ['٢٠٢٦', '2026'],
  ['۲۰۲۶', '2026'],
  ['२०२६', '2026'],
  ['می\u200cخوانم', 'ميخوانم'],
  ['ﻻ', 'لا'],
  ['שָׁלוֹם', 'שלומ'],
  ['ארץ', 'ארצ'],
  ['כף', 'כפ'],
  ['בן', 'בנ'],
  ['דרך', 'דרכ'],
  ['हिन्दी', 'हिन्दी'],
  ['น้ำ', 'น้ำ'.normalize('NFKC')],
  ['co\u00adop', 'coop'],
  ['🚀', '🚀'],
])('%s folds to %s', (word, folded) => {
  expect(foldWord(word)).toBe(folded)
})

test.each([
  ['हिन्दी', 'हिन्दू'],
  ['हिन्दी', 'हद'],
  ['ในน้ำ', 'ในนา'],
  ['ガ', 'カ'],
])('%s and %s stay two words', (left, right) => {
  expect(foldWord(left)).not.toBe(foldWord(right))
})

test('folding again changes nothing, and composed and decomposed forms are one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (word) => {
      const folded = foldWord(word)
      expect(foldWord(folded)).toBe(folded)
      expect(foldWord(word.normalize('NFD'))).toBe(foldWord(word.normalize('NFC')))
    }),
    { numRuns: 3_000 },
  )
})

test('upper and lower case of a word are one, in every script that has case', () => {
  const letters = fc.constantFrom(...'abcxyzàéîõüçñşğıiİIßøłđœþαβγσςάήώабвгдёйжщъ'.split(''))
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), (word) => {
      const text = word.join('')
      expect(foldWord(text.toUpperCase())).toBe(foldWord(text.toLowerCase()))
    }),
    { numRuns: 1_000 },
  )
})
