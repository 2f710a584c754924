import { expect, test } from 'vitest'
import { compareTied, tieHash } from './order-of-ties.ts'

test('the hash of a chunk is what it is on every machine', () => {
  expect(tieHash({ source: 'memory', path: 'MEMORY.md' }, 0)).toBe(2361043544)
  expect(tieHash({ source: 'memory', path: '会議/2026-03-14.md' }, 7)).toBe(1934618885)
  expect(tieHash({ source: 'sessions', path: 'a.jsonl', part: 2 }, 1)).toBe(3788197789)
})

test('source, path, part and ordinal each count, and a part is no ordinal', () => {
  const document = { source: 'memory', path: 'a.md' }
  const others = [
    tieHash(document, 0),
    tieHash(document, 1),
    tieHash({ ...document, source: 'notes' }, 0),
    tieHash({ ...document, path: 'b.md' }, 0),
    tieHash({ ...document, part: 0 }, 0),
    tieHash({ ...document, part: 1 }, 0),
  ]
  expect(new Set(others).size).toBe(others.length)
})

test('of 20,000 chunks each quarter of the numbers holds about a quarter', () => {
  const quarters = [0, 0, 0, 0]
  for (let at = 0; at < 20_000; at += 1) {
    const quarter = Math.floor(tieHash({ source: 'memory', path: `memory/${Math.floor(at / 10)}.md` }, at % 10) / 2 ** 30)
    quarters[quarter] = (quarters[quarter] ?? 0) + 1
  }
  for (const count of quarters) expect(Math.abs(count - 5_000)).toBeLessThan(300)
})

test('equals stand newest first, what has no day last, then by hash, then by what they are', () => {
  const of = (path: string, day?: string) => ({ document: { source: 'memory', path }, ordinal: 0, day })
  // Found by trial: these two paths have one hash.
  const [twin, other] = ['memory/1428600.md', 'memory/729984.md']
  expect(tieHash(of(twin).document, 0)).toBe(tieHash(of(other).document, 0))
  const first = of('a.md', '2026-03-02')
  const wanted = [first, of(twin, '2026-03-01'), of(other, '2026-03-01'), of('b.md')]
  for (let turn = 0; turn < wanted.length; turn += 1) {
    const turned = [...wanted.slice(turn), ...wanted.slice(0, turn)]
    expect(turned.toSorted(compareTied)).toEqual(wanted)
    expect(turned.toReversed().toSorted(compareTied)).toEqual(wanted)
  }
})
