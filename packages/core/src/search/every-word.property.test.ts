import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hitsFor, openNotes } from '../../test/open-notes.ts'
import { wordsOf } from '../text/analyse.ts'

const WORDS =
  'router VLAN10 naïve Straße İzmir fooBarBaz snake_case kebab-case v2.17.0 a828e60 C++ C# OC-41252 2026-03-14 src/core/index.ts x@y.example.org 🚀 👩🏽‍💻 会议 数据库升级 東京都 カタカナ ひらがな 데이터베이스를 서울에서 ประชุมทีม المكتبة قَرَّرَ ٤٧١ کتاب‌های שָׁלוֹם ב־Hetzner हिन्दी Ёлка Ὀδυσσεύς'.split(
    ' ',
  )
const note = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 25 })

test('every word of every note finds that note, as it stands and in capitals, and the hit cites its lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 8 }), fc.nat(), async (notes, pick) => {
      const texts = notes.map((words, at) => `# Note ${'abcdefgh'[at]?.repeat(6)}\n\n${words.join(at % 2 === 0 ? ' ' : '\n')}`)
      const { memory } = await openNotes(Object.fromEntries(texts.map((text, at) => [`${at}.md`, text])))
      const at = pick % texts.length
      const text = texts[at] ?? ''
      const words = [...(notes[at] ?? []), ...wordsOf(text).map(({ start, end }) => text.slice(start, end))]
      for (const word of new Set(words.flatMap((each) => [each, each.toUpperCase()]))) {
        const hits = await hitsFor(memory, word, { limit: 100 })
        const hit = hits.find(({ path, repeats }) => path === `${at}.md` || repeats !== undefined)
        expect({ word, isFound: hit !== undefined }).toEqual({ word, isFound: true })
        for (const { startLine, endLine } of hits) expect(startLine >= 1 && startLine <= endLine).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})
