import { expect, test } from 'vitest'
import { labelsOf, tagKey } from './labels.ts'
import { parseDocument } from '../parse-document.ts'

function tagsOf(text: string): { readonly note: readonly string[]; readonly placed: readonly string[] } {
  const { tags, placedTags } = parseDocument({ source: 'memory', path: 'memory/a.md' }, { text })
  return { note: tags, placed: placedTags.map(({ tag }) => tag) }
}

test.each([
  ['#boat', ['boat']],
  ['went to the #boat/engine today, then #home_lab-2.', ['boat/engine', 'home_lab-2']],
  [
    '(#boat) **#sea**, “#كتاب” #مشروع، #项目，#проект #तकनीक #ของฉัน #סירה',
    ['boat', 'sea', 'كتاب', 'مشروع', '项目', 'проект', 'तकनीक', 'ของฉัน', 'סירה'],
  ],
  ['#话题# and #[[two words]] and #🚤', ['话题', 'two words', '🚤']],
  ['- bullet #boat\n  - nested #sea', ['boat', 'sea']],
  ['> quoted #boat', ['boat']],
  ['| a | #boat |\n|---|---|\n| #sea | b |', ['boat', 'sea']],
  ['## Meeting #boat', ['boat']],
  ['a `#code` b #boat ``x ` #code`` #sea ` #open', ['boat', 'sea', 'open']],
  ['bark #cafe #facade #decade', ['cafe', 'facade', 'decade']],
  ['x #1st #y2024 #v2', ['1st', 'y2024', 'v2']],
])('P34: tags in %j', (text, tags) => {
  expect(tagsOf(`intro\n\n${text}\n`).placed).toEqual(tags)
})

test.each([
  'fixes #123, #12-3, #a828e60 and owner/repo#124 in C# and F#',
  '# Heading\n## Another ##\n#',
  'colours #fff #FFF #000 #a1b2c3 #A1B2C3D4 #aabbcc #abcdef #ffffff and color: #bad;',
  '```css\n#boat { color: #123 }\n```',
  '~~~\n#boat\n~~~',
  '    #include <stdio.h>',
  'see https://x.example/#boat, [part](#boat), [[#boat]], [[Page#boat]], <a href="#boat">, page.md#boat, \\#boat',
  '<!-- #boat -->',
  '##boat ###boat x#boat',
  `#${'x'.repeat(101)}`,
])('P34: no tag in %j', (text) => {
  expect(tagsOf(`intro\n\n${text}\n`)).toEqual({ note: [], placed: [] })
})

test('P34: lines of nothing but tags and properties at the beginning speak for the whole note', () => {
  expect(tagsOf('# Pump\n\n#boat #sea/deep\n\nThe pump. #engine\n')).toEqual({ note: ['boat', 'sea/deep'], placed: ['engine'] })
  expect(tagsOf('Tags: #boat, #sea\n\nText\n#later\n')).toEqual({ note: ['boat', 'sea'], placed: ['later'] })
  expect(tagsOf('type:: device\ntags:: [[home lab]], boat, #sea\n\n- text #x')).toEqual({
    note: ['home lab', 'boat', 'sea'],
    placed: ['x'],
  })
  expect(tagsOf('- text\n  tags:: boat')).toEqual({ note: [], placed: ['boat'] })
  expect(tagsOf('- tag:: 项目，[[مشروع]]\n- text')).toEqual({ note: ['项目', 'مشروع'], placed: [] })
})

test.each([
  ['tags: "#a, b"', ['a', 'b']],
  ['tags: a b', ['a', 'b']],
  ['tags: project/alpha', ['project/alpha']],
  ['tags: #a, #b', ['a', 'b']],
  ['tags: #a', ['a']],
  ['tags: # to be written', []],
  ['tags: ["#a", "b c"]', ['a', 'b c']],
  ['tags:\n  - "#a"\n  - مشروع', ['a', 'مشروع']],
  ['tags: [[a]]', ['a']],
  ['tags: "[[a]], b"', ['a', 'b']],
  ['tag: a', ['a']],
  ['Tags: ""', []],
])('P34: front matter %j', (line, tags) => {
  expect(tagsOf(`---\n${line}\ntitle: x\n---\nText\n`).note).toEqual(tags)
})

test('P34: labels are folded, tags with their parents; digits stay apart', () => {
  const same = [
    ['José', 'jose', 'JOSÉ', '#Jose'],
    ['أحمد', 'احمد', 'أَحْمَد'],
    ['غرفة١', 'غرفة1', '#غرفه1'],
    ['Straße', 'STRASSE', 'ｓｔｒａｓｓｅ'],
    ['project/Alpha/', '#PROJECT / alpha'],
  ]
  for (const group of same) expect([group, new Set(group.map(tagKey)).size]).toEqual([group, 1])
  expect(tagKey('room 101')).not.toBe(tagKey('room 102'))
  expect(labelsOf({ tags: ['Project/Alpha/X', 'project'], entities: ['@José'] })).toEqual({
    labels: { tags: ['project', 'project/alpha', 'project/alpha/x'], entities: ['jose'] },
  })
  expect(labelsOf({ tags: ['#'] })).toEqual({})
})

test('P34: a hostile line of 300 KB is read', () => {
  expect(tagsOf(`x\n\`${'#a `` # `'.repeat(30_000)}`).placed.length).toBeLessThanOrEqual(2_000)
  expect(
    tagsOf(`x\n${'#'.repeat(300_000)}\n${'#[['.repeat(100_000)}\n${'tags:: '.repeat(40_000)}`).placed.length,
  ).toBeLessThanOrEqual(2_000)
})
