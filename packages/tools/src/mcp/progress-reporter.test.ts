import type { SyncProgress } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { progressReporter } from './progress-reporter.ts'

type Step = readonly [phase: SyncProgress['phase'], done: number, total: number | null, msLater?: number]

/** The notices a client gets for these steps, each so many ms after the one before, 1000 by default: [progress, total]. */
function told(steps: readonly Step[]): readonly (readonly [number, number | undefined])[] {
  const events: (readonly [number, number | undefined])[] = []
  let nowMs = 0
  const notify = async ({ params }: { readonly params: { readonly progress: number; readonly total?: number | undefined } }) =>
    void events.push([params.progress, params.total])
  const report = progressReporter('t', notify, () => nowMs)
  for (const [phase, done, total, msLater = 1_000] of steps) {
    nowMs += msLater
    report({ phase, done, total })
  }
  return events
}

test('P74: progress has a total where it is known, and only grows, over phases and runs', () => {
  const events = told([
    ['list', 10, null],
    ['list', 400, null],
    ['text', 100, 400],
    ['text', 400, 400],
    ['vectors', 50, 800],
    ['vectors', 800, 800],
    ['list', 3, null],
    ['text', 2, 3],
    ['text', 1, 2],
  ])
  expect(events).toEqual([
    [10 / 11, undefined],
    [400 / 401, undefined],
    [101, 401],
    [401, 401],
    [451, 1_201],
    [1_201, 1_201],
    [1_201.75, undefined],
    [1_204, 1_205],
    [1_205, 1_206],
  ])
})

test('a client is told a few times a second, of the end of a phase in any case, and never the same number twice', () => {
  const events = told([
    ['text', 0, 9],
    ['text', 1, 9],
    ['text', 2, 9, 100],
    ['text', 3, 9, 100],
    ['text', 3, 9],
    ['text', 4, 9, 10],
    ['text', 9, 9, 10],
    ['text', 9, 9],
  ])
  expect(events).toEqual([
    [1, 9],
    [3, 9],
    [4, 9],
    [9, 9],
  ])
})
