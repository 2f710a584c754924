import { expect, test } from 'vitest'
import { openNotes, pathsFor } from '../../test/open-notes.ts'

const NOTES = {
  'manual.md': '说明书在抽屉里',
  'traditional.md': '我們看說明書',
  'meeting.md': '开会时间不变',
  'have.md': '所有权已转让',
  'japanese.md': '何時に着きますか、東京へ',
  'korean.md': '회의실은 이층입니다',
  'hindi.md': 'बैठक में देर हुई',
  'arabic.md': 'الاجتماع في الصباح',
  'hebrew.md': 'הפגישה של הצוות',
  'english.md': 'To be or not to be',
  'other.md': 'lamp chair',
}

test.each([
  ['说', ['manual.md', 'traditional.md']],
  ['說', ['manual.md', 'traditional.md']],
  ['会', ['meeting.md']],
  ['有', ['have.md']],
  ['们', ['traditional.md']],
  ['何', ['japanese.md']],
  ['회', ['korean.md']],
  ['이', ['korean.md']],
  ['में', ['hindi.md']],
  ['في', ['arabic.md']],
  ['not', ['english.md']],
  ['to be', ['english.md']],
  ['说 有', ['have.md', 'manual.md', 'traditional.md']],
])('P26: function words alone are looked for: %s', async (query, paths) => {
  const { memory } = await openNotes(NOTES)
  expect((await pathsFor(memory, query)).sort()).toEqual(paths)
})
