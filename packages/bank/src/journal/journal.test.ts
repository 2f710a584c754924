import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Journal, type JournalFile } from './journal.ts'
import { type JournalEvent, readJournalLine, writeJournalLine } from './journal-line.ts'

const MARCH_1 = Date.UTC(2026, 2, 1, 10)
const MARCH_9 = Date.UTC(2026, 2, 9, 23, 30)
const OSLO = { id: 'aaaaaaaaaa', path: 'memory/2024-05-01.md', days: { from: '2024-05-01', to: '2024-05-01' } }
const BERGEN = { id: 'bbbbbbbbbb', path: 'memory/2026-03-01.md', days: { from: '2026-03-01' } }

function file(machine: string, text: string): JournalFile {
  return { path: `bank/journal/${machine}.jsonl`, text }
}

function recorded(before: readonly JournalFile[], ids: readonly string[], machine: string, nowMs: number): string {
  return new Journal(before).recording(ids, machine, { nowMs, by: 'rule' })
}

test('facts that are there at the start are known from the day of their log, later ones from the day they came', () => {
  const first = recorded([], [BERGEN.id], 'm1a2', MARCH_1)
  expect(JSON.parse(first)).toEqual({
    v: 1,
    n: 1,
    at: '2026-03-01T10:00:00.000Z',
    by: 'rule',
    op: 'start',
    facts: [BERGEN.id],
    of: 1,
    end: true,
  })
  const second = recorded([file('m1a2', first)], [BERGEN.id, OSLO.id], 'm1a2', MARCH_9)
  expect(JSON.parse(second)).toMatchObject({ op: 'seen', fact: OSLO.id })
  const journal = new Journal([file('m1a2', first + second)])
  expect(journal.knownSince(BERGEN, 'UTC')).toBe('2026-03-01')
  // An old note that came late: true since 2024, known since March.
  expect(journal.knownSince(OSLO, 'UTC')).toBe('2026-03-09')
  expect(journal.knownSince(OSLO, 'Asia/Tokyo')).toBe('2026-03-10')
  expect(journal.knownSince({ ...OSLO, id: 'cccccccccc' }, 'UTC')).toBeUndefined()
  expect(recorded([file('m1a2', first + second)], [BERGEN.id, OSLO.id], 'm1a2', MARCH_9)).toBe('')
})

test('a fact whose line names other days is known since the day of its log', () => {
  const journal = new Journal([file('m1a2', recorded([], [OSLO.id], 'm1a2', MARCH_9))])
  expect(journal.knownSince({ ...OSLO, path: 'memory/2026-03-02.md' }, 'UTC')).toBe('2026-03-02')
  expect(journal.knownSince({ ...OSLO, path: 'bank/world.md' }, 'UTC')).toBe('2024-05-01')
})

test('only the first start backdates', () => {
  const first = file('m1a2', recorded([], [BERGEN.id], 'm1a2', MARCH_1))
  // The second machine begins without the files of the first, and one file follows.
  const second = file('z9y8', recorded([], [OSLO.id], 'z9y8', MARCH_9))
  const journal = new Journal([second, first])
  expect([journal.knownSince(BERGEN, 'UTC'), journal.knownSince(OSLO, 'UTC')]).toEqual(['2026-03-01', '2026-03-09'])
})

test('a start that was cut off goes on, so that its facts stay backdated', () => {
  const ids = Array.from({ length: 450 }, (_, at) => `fact${String(at).padStart(6, '0')}`)
  const whole = recorded([], ids, 'm1a2', MARCH_1)
  expect(whole.trim().split('\n')).toHaveLength(3)
  const torn = whole.slice(0, whole.indexOf('\n') + 40)
  const rest = recorded([file('m1a2', torn)], ids, 'm1a2', MARCH_9)
  const journal = new Journal([file('m1a2', `${torn}\n${rest}`)])
  expect(journal.problems).toEqual([{ path: 'bank/journal/m1a2.jsonl', line: 2, code: 'unreadable' }])
  expect(ids.every((id) => journal.knownSince({ ...OSLO, id }, 'UTC') === '2024-05-01')).toBe(true)
  const later = recorded([file('m1a2', `${torn}\n${rest}`)], ['ffffffffff'], 'm1a2', MARCH_9)
  expect(JSON.parse(later).op).toBe('seen')
  // It was cut off behind its last fact, before its end.
  const open = whole.replace(',"end":true', '')
  expect(JSON.parse(recorded([file('m1a2', open)], ids, 'm1a2', MARCH_9))).toMatchObject({
    op: 'start',
    of: 1,
    facts: [],
    end: true,
  })
})

test.each([
  ['torn', '{"v":1,"n":3,"at":"2026-03-01T10:00', 'unreadable'],
  ['of a newer version', '{"v":2,"what":"ever"}', 'version'],
  ['without a version', '{"n":1}', 'unreadable'],
  ['of another program', '["a"]', 'unreadable'],
  ['a mark of git', '<<<<<<< HEAD', 'conflict'],
  [
    'with another operation',
    '{"v":1,"n":1,"at":"2026-03-01T10:00:00Z","by":"person","op":"drop","fact":"aaaaaaaaaa"}',
    'unreadable',
  ],
  [
    'with a number out of range',
    '{"v":1,"n":1,"at":"2026-03-01T10:00:00Z","by":"person","op":"anchor","opinion":"aaaaaaaaaa","value":2,"absorbed":[]}',
    'unreadable',
  ],
  [
    'with a day that is none',
    '{"v":1,"n":1,"at":"2026-13-41T10:00:00Z","by":"person","op":"seen","facts":["aaaaaaaaaa"]}',
    'unreadable',
  ],
])('a line that is %s is named, and all others are read', (_, line, code) => {
  const good = recorded([], [OSLO.id], 'm1a2', MARCH_1)
  const journal = new Journal([file('m1a2', `${line}\n${good}\r\n`)])
  expect(journal.problems).toEqual([{ path: 'bank/journal/m1a2.jsonl', line: 1, code }])
  expect(journal.has(OSLO.id)).toBe(true)
})

const id = fc.stringMatching(/^[0-9a-z]{10}$/)
const event: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record({ op: fc.constant('seen' as const), facts: fc.array(id, { maxLength: 3 }) }),
  fc.record({ op: fc.constant('start' as const), facts: fc.array(id, { maxLength: 3 }), of: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    op: fc.constant('anchor' as const),
    opinion: id,
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    absorbed: fc.array(id, { maxLength: 2 }),
  }),
  fc.record({
    op: fc.constant('verdict' as const),
    opinion: id,
    fact: id,
    verdict: fc.constantFrom('supports' as const, 'contradicts' as const, 'unrelated' as const, 'unsure' as const),
    strength: fc.constantFrom(0, 0.5, 1),
    model: fc.constantFrom('m', 'n'),
  }),
  fc.record({
    op: fc.constantFrom('merge' as const, 'unmerge' as const),
    names: fc.constantFrom(['Mara', 'مارا'] as const, ['a', 'b'] as const),
  }),
  fc.record({ op: fc.constant('forget' as const), id, evidence: fc.array(id, { maxLength: 2 }) }),
)

test('a line that is written reads as it was meant', () => {
  fc.assert(
    fc.property(event, fc.integer({ min: 1, max: 1e9 }), (one, n) => {
      const entry = { ...one, n, at: '2026-03-01T10:00:00.000Z', by: 'person' as const }
      expect(readJournalLine(writeJournalLine(entry))).toEqual(entry)
    }),
  )
})

test('order of files and lines, copies and repeated lines change nothing', () => {
  const line = fc.tuple(event, fc.integer({ min: 1, max: 6 }))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('m1a2', 'z9y8'), fc.array(line, { maxLength: 6 })), { maxLength: 3 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (machines, random) => {
        const files = machines.map(([machine, lines]) =>
          file(
            machine,
            lines.map(([one, n]) => `${writeJournalLine({ ...one, n, at: '2026-03-01T10:00:00.000Z', by: 'rule' })}\n`).join(''),
          ),
        )
        const shuffled = <One>(list: readonly One[]): readonly One[] =>
          list
            .map((one) => [random.next().value, one] as const)
            .toSorted(([left], [right]) => left - right)
            .map(([, one]) => one)
        const other = shuffled(
          files.flatMap(({ path, text }) => [
            { path, text: shuffled(text.split('\n')).join('\n') },
            { path: path.replace('.jsonl', ' (conflicted copy).jsonl'), text },
          ]),
        )
        const told = (journal: Journal): unknown =>
          (['start', 'seen', 'anchor', 'verdict', 'merge', 'unmerge', 'forget'] as const).map((op) => journal.entries(op))
        expect(told(new Journal(other))).toEqual(told(new Journal(files)))
        expect(new Journal(other).knownSince(OSLO, 'UTC')).toBe(new Journal(files).knownSince(OSLO, 'UTC'))
      },
    ),
  )
})
