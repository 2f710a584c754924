import { expect, test } from 'vitest'
import { findDoubtfulDates, noteDays } from './doubtful-dates.ts'
import type { NoteDays } from './doubtful-dates.ts'

function notes(...paths: readonly string[]): NoteDays[] {
  return paths.map((path) => noteDays({ source: 'memory', path }, { text: 'no heading\n' }))
}

test('a first heading with the same day of another year is a doubt, whatever stands before it', () => {
  const text = '---\ntitle: 2019-01-01\n---\n```\n# 2020-01-03\n```\n# Log of 2026-01-03\n# 2024-01-03\n'
  const slipped = noteDays({ source: 'memory', path: 'memory/2025-01-03.md' }, { text })
  expect(slipped).toEqual({ path: 'memory/2025-01-03.md', name: '2025-01-03', heading: '2026-01-03' })
  expect(findDoubtfulDates([slipped])).toEqual([
    { path: 'memory/2025-01-03.md', day: '2025-01-03', likelyDay: '2026-01-03', because: 'heading' },
  ])
  const others = ['# 2025-01-03', '# 2026-02-03', '# Plans', ''].map((heading) =>
    noteDays({ source: 'memory', path: 'memory/2025-01-03.md' }, { text: `${heading}\n` }),
  )
  for (const note of others) expect(findDoubtfulDates([note])).toEqual([])
})

test('a note far from the middle of its folder that would stand among the others a year later is a doubt', () => {
  const days = ['2026-01-02', '2026-01-09', '2026-01-14', '2026-02-03', '2026-02-20']
  const paths = days.map((day) => `memory/${day}.md`)
  expect(findDoubtfulDates(notes('memory/2025-01-11.md', ...paths, 'memory/plans.md'))).toEqual([
    { path: 'memory/2025-01-11.md', day: '2025-01-11', likelyDay: '2026-01-11', because: 'neighbours' },
  ])
  // Another folder has neighbours of its own, and a year without neighbours proves nothing.
  expect(findDoubtfulDates(notes('old/2025-01-11.md', ...paths))).toEqual([])
  expect(findDoubtfulDates(notes('memory/2025-05-30.md', ...paths))).toEqual([])
  expect(findDoubtfulDates(notes('memory/2024-02-29.md', ...paths.map((path) => path.replace('2026', '2025'))))).toEqual([
    { path: 'memory/2024-02-29.md', day: '2024-02-29', likelyDay: '2025-02-28', because: 'neighbours' },
  ])
})

test('a journal of several years is no doubt at all', () => {
  const paths = Array.from({ length: 1_000 }, (_, day) => {
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
    return `memory/${date}.md`
  })
  expect(findDoubtfulDates(notes(...paths))).toEqual([])
})
