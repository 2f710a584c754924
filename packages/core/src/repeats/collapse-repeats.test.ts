import type { Mark } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collapseRepeats, type RepeatCandidate } from './collapse-repeats.ts'
import { comparable } from './same-text.ts'

function candidate(
  text: string,
  place: string,
  more: { tokens?: readonly string[]; marks?: readonly Mark[]; day?: string } = {},
): RepeatCandidate {
  const [path = '', line = '1'] = place.split('#L')
  return {
    text: comparable(text),
    path,
    startLine: Number(line),
    marks: more.marks,
    day: more.day,
    matchedTokens: new Set(more.tokens ?? ['heartbeat']),
  }
}

test('one event written many times is one hit with its count, first and last place', () => {
  const beats = Array.from({ length: 40 }, (_, beat) =>
    candidate(
      `## ${8 + (beat % 12)}:${10 + beat}\n- heartbeat ok, queue empty, mail read`,
      `memory/2026-03-1${beat % 3}.md#L${beat + 1}`,
    ),
  )
  const [hit, ...others] = collapseRepeats([candidate('heartbeat was stopped for good', 'a.md'), ...beats])
  expect(hit?.repeats).toBeUndefined()
  expect(others).toHaveLength(1)
  expect(others[0]?.hit).toBe(beats[0])
  expect(others[0]?.repeats).toEqual({ count: 40, first: 'memory/2026-03-10.md#L1', last: 'memory/2026-03-12.md#L39' })
  expect(others[0]?.collapsed).toEqual(beats.slice(1))
})

test('places are ordered by day where all have one', () => {
  const [hit] = collapseRepeats([
    candidate('same words', 'a.md#L3', { day: '2026-03-02' }),
    candidate('same words', 'z.md#L1', { day: '2026-01-01' }),
  ])
  expect(hit?.repeats).toEqual({ count: 2, first: 'z.md#L1', last: 'a.md#L3' })
})

test('a long log with a date in words on every line is the same log in another month', () => {
  const log = (month: string): string =>
    Array.from({ length: 30 }, (_, day) => `- ${month} ${day + 1}, 2025: heartbeat ok, every queue empty`).join('\n')
  expect(collapseRepeats([candidate(log('May'), 'a.md'), candidate(log('September'), 'b.md')])).toHaveLength(1)
})

test('texts that differ in a token of the query stay apart', () => {
  const hits = collapseRepeats([
    candidate('the server listens on port 8080', 'a.md', { tokens: ['port', '8080'] }),
    candidate('the server listens on port 9090', 'b.md', { tokens: ['port'] }),
  ])
  expect(hits).toHaveLength(2)
})

const LONG = Array.from({ length: 250 }, (_, at) => `word${String.fromCodePoint(97 + (at % 26), 97 + ((at * 7) % 26))}`)
const changed = (places: readonly number[], by = 'Other'): string =>
  LONG.map((word, at) => (places.includes(at) ? by : word)).join(' ')

test('P02: long texts that differ by a word are one hit that shows both words, by several words two', () => {
  const [original, copy] = [candidate(LONG.join(' '), 'a.md#L1'), candidate(changed([120]), 'b.md#L1')]
  const [hit, ...rest] = collapseRepeats([original, copy])
  expect(rest).toEqual([])
  expect(hit?.repeats).toBeUndefined()
  expect(hit?.nearCopies).toEqual([
    { candidate: original, differs: [LONG[120]] },
    { candidate: copy, differs: ['Other'] },
  ])
  expect(collapseRepeats([original, candidate(changed([5, 40, 80, 120, 160, 200, 240]), 'b.md')])).toHaveLength(2)
})

test('P02: a word that only one of two long texts has is shown between its neighbours', () => {
  const more = [...LONG.slice(0, 90), 'not', ...LONG.slice(90)].join(' ')
  const [hit] = collapseRepeats([candidate(LONG.join(' '), 'a.md'), candidate(more, 'b.md')])
  expect(hit?.nearCopies?.map(({ differs }) => differs)).toEqual([[`${LONG[89]} ${LONG[90]}`], ['not']])
})

test.each([
  ['a name', 'the long walk was approved by Dana.', 'the long walk was approved by Dane.'],
  ['a letter near the end of 59 words', `${LONG.slice(0, 58).join(' ')} Dana`, `${LONG.slice(0, 58).join(' ')} Dane`],
  ['Arabic', 'تمت الموافقة على الرحلة من دانة', 'تمت الموافقة على الرحلة من دانا'],
  ['Chinese', '这次旅行已由张三批准并通知所有人', '这次旅行已由张四批准并通知所有人'],
  ['Hebrew', 'הטיול אושר על ידי דנה', 'הטיול אושר על ידי דני'],
  ['Hindi', 'यात्रा दाना ने मंज़ूर की', 'यात्रा दानी ने मंज़ूर की'],
  ['Thai', 'ทริปได้รับอนุมัติโดยดานา', 'ทริปได้รับอนุมัติโดยดานี'],
  ['Russian', 'поездку одобрила Дана', 'поездку одобрила Дина'],
])('P02: short texts that differ in %s stay two hits', (_name, left, right) => {
  const hits = collapseRepeats([candidate(left, 'a.md'), candidate(right, 'b.md')])
  expect(hits).toHaveLength(2)
  expect(hits.every(({ repeats, nearCopies }) => repeats === undefined && nearCopies === undefined)).toBe(true)
})

test('near copies in Chinese are told apart by letters', () => {
  const text = (name: string) => `${'今天的会议讨论了数据库迁移的时间表和备份计划以及负责人的安排。'.repeat(6)}批准人是${name}。`
  const [hit, ...rest] = collapseRepeats([candidate(text('张三'), 'a.md'), candidate(text('张四'), 'b.md')])
  expect(rest).toEqual([])
  expect(hit?.nearCopies?.map(({ differs }) => differs)).toEqual([['三'], ['四']])
})

test('P02: no archived near copy leads a live one', () => {
  const archived = candidate(LONG.join(' '), 'archive/a.md', { marks: ['archived'] })
  const live = candidate(changed([7]), 'a.md')
  const [hit, ...rest] = collapseRepeats([archived, live])
  expect(rest).toEqual([])
  expect(hit?.hit).toBe(live)
  expect(hit?.nearCopies?.map(({ candidate: each }) => each)).toEqual([live, archived])
})

test('an archived or derived copy is listed under its live twin, even when it scored better', () => {
  const copy = candidate('decided to use pnpm', 'memory/archive/2025-01/tools.md#L4', { marks: ['archived'] })
  const derived = candidate('decided to use pnpm', 'memory/dreaming/d.md#L9', { marks: ['derived'] })
  const between = candidate('heartbeat of something else', 'b.md#L1')
  const live = candidate('- decided to use pnpm', 'memory/tools.md#L7')
  const [first, second, ...rest] = collapseRepeats([copy, between, live, derived])
  expect(first?.hit).toBe(between)
  expect(second).toEqual({
    hit: live,
    copies: ['memory/archive/2025-01/tools.md#L4', 'memory/dreaming/d.md#L9'],
    collapsed: [copy, derived],
  })
  expect(rest).toEqual([])
})

test('copies without a live twin are hits', () => {
  const [hit] = collapseRepeats([
    candidate('old', 'archive/a.md#L1', { marks: ['archived'] }),
    candidate('old', 'archive/b.md#L2', { marks: ['archived'] }),
  ])
  expect(hit?.repeats).toEqual({ count: 2, first: 'archive/a.md#L1', last: 'archive/b.md#L2' })
  expect(hit?.copies).toBeUndefined()
})

test.each([
  ['Развёртывание кластера завершено', 'Резервное копирование базы данных'],
  ['機械学習', '神経回路'],
  ['🎉', '🔥'],
  ['---', '***'],
  ['2026-03-14', '2026-03-15'],
])('B12: %s and %s are kept both', (left, right) => {
  expect(collapseRepeats([candidate(left, 'a.md'), candidate(right, 'b.md')])).toHaveLength(2)
})

test('nobody is lost, and hits keep the order given', () => {
  const texts = fc.constantFrom('same 1', 'same 2', '- same', 'other', '---', '***', '', '会议 3', '会议 4', 'long '.repeat(100))
  const marks = fc.constantFrom<readonly Mark[]>([], ['archived'], ['derived'], ['superseded'])
  const pool = fc
    .array(fc.tuple(texts, marks, fc.constantFrom('x', 'y')), { maxLength: 20 })
    .map((entries) =>
      entries.map(([text, mark, token], index) => candidate(text, `${index}.md#L${index + 1}`, { marks: mark, tokens: [token] })),
    )
  fc.assert(
    fc.property(pool, (candidates) => {
      const hits = collapseRepeats(candidates)
      const all = hits.flatMap(({ hit, collapsed }) => [hit, ...collapsed])
      expect(new Set(all)).toEqual(new Set(candidates))
      expect(all).toHaveLength(candidates.length)
      const order = hits.map(({ hit }) => candidates.indexOf(hit))
      expect(order).toEqual(order.toSorted((left, right) => left - right))
      for (const { hit, repeats, copies, nearCopies, collapsed } of hits) {
        const alike = (repeats?.count ?? 1) + (copies?.length ?? 0)
        expect(nearCopies === undefined ? alike : 1 + collapsed.length).toBe(1 + collapsed.length)
        for (const other of collapsed) expect(other.matchedTokens).toEqual(hit.matchedTokens)
      }
    }),
  )
})
