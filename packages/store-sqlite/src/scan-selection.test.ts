import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BestSlots } from './scan/best-slots.ts'
import { NearestDistances } from './scan/nearest-distances.ts'
import { candidateCounts, chooseStrategy, isWorthWarming } from './scan/scan-strategy.ts'

const scores = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 80 })
const runs = { seed: 20_260_314, numRuns: 500 }

test('the best slots are those that sorting would find', () => {
  fc.assert(
    fc.property(scores, fc.nat(30), (all, capacity) => {
      const best = new BestSlots(capacity)
      for (const [slot, score] of all.entries()) if (score > best.floor) best.add(score, slot)
      const kept = best.items.map((slot) => all[slot] ?? Number.NaN).sort((left, right) => right - left)
      expect(kept).toEqual(all.toSorted((left, right) => right - left).slice(0, capacity))
      expect(new Set(best.items).size).toBe(best.items.length)
    }),
    runs,
  )
})

test('the nearest distances are those that sorting would find, without free slots', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 80 }), fc.nat(30), fc.nat(5), (all, count, step) => {
      const distances = new NearestDistances(all.length)
      distances.note(0, Uint16Array.from(all))
      const isFree = (slot: number): boolean => step > 0 && slot % (step + 1) === 0
      const slots = [...all.keys()].filter((slot) => !isFree(slot))
      for (const slot of all.keys()) if (isFree(slot)) distances.forget(slot)
      const taken = distances.take(count, () => true).sort((left, right) => left - right)
      const sorted = slots.sort((left, right) => (all[left] ?? 0) - (all[right] ?? 0) || left - right)
      expect(taken).toEqual(sorted.slice(0, count).sort((left, right) => left - right))
    }),
    runs,
  )
})

test('of wanted slots enough are found however few there are, and none nearer is left out', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 80 }), fc.nat(10), fc.integer({ min: 1, max: 9 }), (all, count, rarity) => {
      const distances = new NearestDistances(all.length)
      distances.note(0, Uint16Array.from(all))
      const wanted = [...all.keys()].filter((slot) => slot % rarity === 0)
      const taken = new Set(distances.take(count, (slot) => slot % rarity === 0))
      expect(taken.size).toBeGreaterThanOrEqual(Math.min(count, wanted.length))
      const farthest = Math.max(...[...taken].map((slot) => all[slot] ?? 0), -1)
      expect(wanted.filter((slot) => (all[slot] ?? 0) < farthest && !taken.has(slot))).toEqual([])
    }),
    runs,
  )
})

test('small filters read rows, others scan codes, and damaged blocks are not scanned', () => {
  const situation = { vectors: 100_000, matching: null, areBlocksDamaged: false }
  expect(chooseStrategy(situation)).toBe('codes')
  expect(chooseStrategy({ ...situation, matching: 40_000 })).toBe('codes')
  expect(chooseStrategy({ ...situation, matching: 3_000 })).toBe('matching')
  expect(chooseStrategy({ ...situation, vectors: 0, matching: 0 })).toBe('matching')
  expect(chooseStrategy({ ...situation, areBlocksDamaged: true })).toBe('rows')
  expect(chooseStrategy({ ...situation, matching: 40_000, areBlocksDamaged: true })).toBe('rows')
})

test('int8 codes come with the second search, where they fit', () => {
  const situation = { searches: 2, codeBytes: 100, memoryBytes: 100 }
  expect(isWorthWarming(situation)).toBe(true)
  expect(isWorthWarming({ ...situation, searches: 1 })).toBe(false)
  expect(isWorthWarming({ ...situation, codeBytes: 101 })).toBe(false)
})

test('fewer numbers a vector need more candidates', () => {
  expect(candidateCounts(10, 64).signs).toBeGreaterThan(candidateCounts(10, 384).signs)
  expect(candidateCounts(10, 1_536)).toEqual(candidateCounts(10, 384))
  expect(candidateCounts(500, 384).bytes).toBeGreaterThan(500)
})
