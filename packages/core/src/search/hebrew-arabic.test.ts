import { expect, test } from 'vitest'
import { ARABIC_QUESTIONS } from '../../test/arabic-questions.ts'
import { HEBREW_QUESTIONS } from '../../test/hebrew-questions.ts'
import { openNotes, pathsFor } from '../../test/open-notes.ts'

const SETS = { he: HEBREW_QUESTIONS, ar: ARABIC_QUESTIONS }
const NOTES = Object.fromEntries(
  Object.entries(SETS).flatMap(([language, questions]) => questions.map(([note], at) => [`${language}-${at}.md`, note])),
)

/**
 * Number of 60 questions with their note first, and among the first five. Before words had other forms: he 50 and 57,
 * ar 57 and 57.
 */
test.each([
  ['he', { first: 56, ofFive: 60 }],
  ['ar', { first: 58, ofFive: 60 }],
] as const)('P24b: questions in %s find their notes, in other forms and dialects', async (language, least) => {
  const { memory } = await openNotes(NOTES)
  const found = { first: 0, ofFive: 0 }
  for (const [at, [, question]] of SETS[language].entries()) {
    const rank = (await pathsFor(memory, question, { limit: 5 })).indexOf(`${language}-${at}.md`)
    if (rank === 0) found.first += 1
    if (rank >= 0) found.ofFive += 1
  }
  expect(found.first).toBeGreaterThanOrEqual(least.first)
  expect(found.ofFive).toBeGreaterThanOrEqual(least.ofFive)
})

test.each([
  ['כתב', 'כתבתי מכתב'],
  ['חשבון', 'החשבונות שולמו'],
  ['החשבונות', 'יש חשבון אחד'],
  ['ארץ', 'בארצות אחרות'],
  ['בית', 'כשבבית היה חם'],
  ['مشروع', 'نعمل بمشروعنا الأخير'],
  ['كتب', 'عندي كتاب قديم'],
  ['خوادم', 'الخادم معطل'],
  ['مشاريع', 'هذا المشروع كبير'],
  ['وثيقة', 'كل الوثائق هنا'],
  ['مفاتيح', 'مفتاح البيت'],
])('P24b, P25: %s is found in: %s', async (query, note) => {
  const { memory } = await openNotes({ 'a.md': note, 'b.md': 'שום דבר אחר\n\nلا شيء آخر' })
  expect(await pathsFor(memory, query)).toEqual(['a.md'])
})
