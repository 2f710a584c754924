import { expect, test } from 'vitest'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { Throttle } from './throttle.ts'

/** How many requests may enter at once. */
async function slotsOf(throttle: Throttle, clock: VirtualClock): Promise<number> {
  const waiting = new AbortController()
  let entered = 0
  const tries = Array.from({ length: 10 }, () =>
    throttle.enter(waiting.signal).then(
      () => entered++,
      () => {},
    ),
  )
  await clock.run(Promise.race([Promise.all(tries), clock.sleep(1)]))
  waiting.abort()
  await Promise.all(tries)
  for (let left = entered; left > 0; left--) throttle.leave()
  return entered
}

test('a pause halves the slots, once for those refused together, and answers give them back one by one', async () => {
  const clock = new VirtualClock()
  const throttle = new Throttle(clock, 8)
  expect(await slotsOf(throttle, clock)).toBe(8)
  throttle.pause(1000)
  throttle.pause(3000)
  clock.pass(3000)
  expect(await slotsOf(throttle, clock)).toBe(4)
  for (let answer = 0; answer < 25; answer++) throttle.answered()
  expect(await slotsOf(throttle, clock)).toBe(6)
  for (let answer = 0; answer < 500; answer++) throttle.answered()
  expect(await slotsOf(throttle, clock)).toBe(8)
  for (let time = 0; time < 9; time++) {
    throttle.pause(10)
    clock.pass(10)
  }
  expect(await slotsOf(throttle, clock)).toBe(1)
})

test('nobody enters during a pause, and the longest one counts', async () => {
  const clock = new VirtualClock()
  const throttle = new Throttle(clock, 2)
  throttle.pause(5000)
  throttle.pause(1000)
  const startedMs = clock.now()
  await clock.run(throttle.enter())
  expect(clock.now() - startedMs).toBe(5000)
})

test('who waits for a slot gets the next one, or the reason of its signal', async () => {
  const clock = new VirtualClock()
  const throttle = new Throttle(clock, 1)
  await throttle.enter()
  const controller = new AbortController()
  const given = throttle.enter(controller.signal)
  const next = throttle.enter()
  controller.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  throttle.leave()
  await next
  await expect(throttle.enter(AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
})
