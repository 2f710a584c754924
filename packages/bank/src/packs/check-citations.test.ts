import { documents } from '@mnemark/core'
import { citationOf, quoteHash, sha256 } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CheckedCitation, checkCitations, type CitedText } from './check-citations.ts'

const path = 'memory/2026-03-01.md'

function cite(lines: readonly string[], from: number, to: number, notePath = path): CitedText {
  return { source: citationOf(notePath, from, to), quoteHash: quoteHash(lines.slice(from - 1, to).join('\n')) }
}

async function check(cited: CitedText, notes: Readonly<Record<string, readonly string[]>>): Promise<CheckedCitation> {
  const texts = Object.entries(notes).map(([name, lines]) => [name, lines.join('\n')] as const)
  const [checked] = await checkCitations([cited], { notes: documents(texts).source })
  if (checked === undefined) throw new Error('no answer')
  return checked
}

const log = [
  '# Day',
  ...Array.from({ length: 8 }, (_, line) => `- line ${line} about the harbour`),
  '- The ferry to Bergen leaves from pier four',
  '  at half past seven in the morning',
  '  and takes bicycles for eleven crowns',
  '- Rain in the afternoon',
]
const cited = cite(log, 10, 12)
const below = (lines: readonly string[]): readonly string[] => ['# Day', 'a', 'b', 'c', 'd', 'e', ...lines.slice(1)]

test('B106: a citation has the range of the place where its text is now', async () => {
  expect(await check(cited, { [path]: log })).toMatchObject({ status: 'same', now: { source: `${path}#L10-L12` } })
  expect(await check(cited, { [path]: below(log) })).toMatchObject({
    status: 'moved',
    source: `${path}#L10-L12`,
    now: { source: `${path}#L15-L17`, quoteHash: cited.quoteHash, text: log.slice(9, 12).join('\n') },
  })
})

test('B106: of a text of which a word changed both are told, with the hash of what stands there now', async () => {
  const changed = below(log).map((line) => line.replace('half past seven', 'half past nine'))
  const checked = await check(cited, { [path]: changed })
  expect(checked).toMatchObject({ ...cited, status: 'changed', now: { source: `${path}#L15-L17` } })
  expect(checked.now).toEqual({ ...cite(changed, 15, 17), text: changed.slice(14, 17).join('\n') })
})

test('B106: where the first line is deleted the rest has its own range, without the neighbours', async () => {
  const shorter = below(log).filter((line) => !line.includes('pier four'))
  expect(await check(cited, { [path]: shorter })).toMatchObject({ status: 'changed', now: { source: `${path}#L15-L16` } })
})

test('a text that went to another note has moved; one that is nowhere is gone, whatever stands in its place', async () => {
  const other = { [path]: ['# Day'], 'memory/archive/a.md': log }
  expect(await check(cited, other)).toMatchObject({ status: 'moved', now: { source: 'memory/archive/a.md#L10-L12' } })
  expect(await check(cited, { 'memory/b.md': log })).toMatchObject({ status: 'moved', now: { source: 'memory/b.md#L10-L12' } })
  const replaced = log.with(9, '- Soup').with(10, '- Bread').with(11, '- Cheese')
  expect(await check(cited, { [path]: replaced })).toEqual({ ...cited, status: 'gone' })
})

test('blank lines inside make it longer: the cited range does not hold it any more', async () => {
  expect(await check(cited, { [path]: log.toSpliced(10, 0, '') })).toMatchObject({
    status: 'moved',
    now: { source: `${path}#L10-L13` },
  })
})

test('what is no citation, no hash or no readable note is refused', async () => {
  const notes = documents({ [path]: 'x' }).source
  const refused = { code: 'refused' }
  await expect(checkCitations([{ ...cited, source: path }], { notes })).rejects.toMatchObject(refused)
  await expect(checkCitations([{ ...cited, quoteHash: 'q' }], { notes })).rejects.toMatchObject(refused)
  expect(await checkCitations([], { notes })).toEqual([])
})

test('every note is read once for all citations of it, and all notes once for all that are missing', async () => {
  const { source } = documents({ [path]: log.join('\n'), 'memory/b.md': '# B', 'memory/c.md': '# C' })
  const read: string[] = []
  const notes: typeof source = {
    ...source,
    read: (document, options) => {
      read.push(document.path)
      return source.read(document, options)
    },
  }
  await checkCitations([cited, cite(log, 2, 2), cite(log, 3, 3)], { notes })
  expect(read).toEqual([path])
  const lost = { source: `${path}#L1-L1`, quoteHash: quoteHash('- words that were never written') }
  await checkCitations([lost, lost], { notes })
  expect(read.slice(1).toSorted()).toEqual([path, path, 'memory/b.md', 'memory/c.md'])
})

interface Line {
  /** The line of the log that it was, or none. */
  readonly was: number | undefined
  readonly text: string
}

/** Lines that share no run of eight characters with each other. */
const lineText = (seed: number): string => sha256(String(seed))

const edit = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(20) }),
)

/** The note after the edits; every line remembers which one it was. */
function edited(edits: readonly { readonly kind: 'insert' | 'delete' | 'swap'; readonly at: number }[]): readonly Line[] {
  let lines: readonly Line[] = Array.from({ length: 12 }, (_, was) => ({ was, text: lineText(was) }))
  for (const [number, { kind, at }] of edits.entries()) {
    const place = lines.length === 0 ? 0 : at % lines.length
    const [first, second] = [lines[place], lines[place + 1]]
    if (kind === 'insert') lines = lines.toSpliced(place, 0, { was: undefined, text: lineText(1000 + number) })
    if (kind === 'delete') lines = lines.toSpliced(place, 1)
    if (kind === 'swap' && first !== undefined && second !== undefined) lines = lines.toSpliced(place, 2, second, first)
  }
  return lines
}

interface Asked {
  readonly cited: CitedText
  /** Lines of the log that it quotes, from 0. */
  readonly first: number
  readonly size: number
}

/** Every right answer, by following each line: one where the lines are together or all gone, else any part of them, or that too little is left. */
function rightAnswers(after: readonly Line[], { cited: asked, first, size }: Asked): readonly CheckedCitation[] {
  const texts = after.map(({ text }) => text)
  const now = (from: number, to: number): NonNullable<CheckedCitation['now']> => ({
    ...cite(texts, from + 1, to + 1),
    text: texts.slice(from, to + 1).join('\n'),
  })
  const isQuoted = (at: number): boolean => (after[at]?.was ?? -1) >= first && (after[at]?.was ?? -1) < first + size
  const together = after.findIndex((_, at) =>
    Array.from({ length: size }, (__, offset) => after[at + offset]?.was).every((was, offset) => was === first + offset),
  )
  if (together >= 0) return [{ ...asked, status: together === first ? 'same' : 'moved', now: now(together, together + size - 1) }]
  const kept = [...after.keys()].filter(isQuoted)
  const parts = kept.flatMap((from) => kept.filter((to) => to >= from && to - from < size).map((to) => ({ from, to })))
  return [
    { ...asked, status: 'gone' },
    ...parts.map(({ from, to }): CheckedCitation => ({ ...asked, status: 'changed', now: now(from, to) })),
  ]
}

test('after random edits the answer is what following every line by hand gives', async () => {
  const quote = fc.record({ first: fc.integer({ min: 0, max: 8 }), size: fc.integer({ min: 1, max: 4 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 12 }), quote, async (edits, { first, size }) => {
      const before = Array.from({ length: 12 }, (_, was) => lineText(was))
      const after = edited(edits)
      const asked = { cited: cite(before, first + 1, first + size), first, size }
      const checked = await check(asked.cited, { [path]: after.map(({ text }) => text) })
      expect(rightAnswers(after, asked)).toContainEqual(checked)
    }),
    { numRuns: 300 },
  )
})
