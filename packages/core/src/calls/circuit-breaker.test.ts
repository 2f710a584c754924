import { expect, test } from 'vitest'
import { refusal } from '../../test/fake-embedder.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { circuitBreaker } from './circuit-breaker.ts'

test('a failure opens it, and after the cool-down one trial gets through by itself', () => {
  const clock = new VirtualClock()
  const breaker = circuitBreaker({ now: clock.now, coolDownMs: 30_000 })
  expect([breaker.phase, breaker.tryPass(), breaker.tryPass()]).toEqual(['closed', true, true])
  breaker.failed(refusal('unavailable'))
  expect([breaker.phase, breaker.tryPass()]).toEqual(['open', false])
  clock.pass(29_999)
  expect(breaker.tryPass()).toBe(false)
  clock.pass(1)
  expect([breaker.phase, breaker.tryPass(), breaker.phase, breaker.tryPass()]).toEqual(['half-open', true, 'open', false])
  breaker.succeeded()
  expect([breaker.phase, breaker.state.failingSinceMs]).toEqual(['closed', null])
})

test('each further failure doubles the rest up to the longest, and remembers since when', () => {
  const clock = new VirtualClock()
  const breaker = circuitBreaker({ now: clock.now, coolDownMs: 10_000, longestCoolDownMs: 60_000 })
  const sinceMs = clock.now()
  const rests = Array.from({ length: 5 }, () => {
    breaker.failed(refusal('unavailable'))
    const restMs = (breaker.state.retryAtMs ?? 0) - clock.now()
    clock.pass(restMs)
    return restMs
  })
  expect(rests).toEqual([10_000, 20_000, 40_000, 60_000, 60_000])
  expect(breaker.state.failingSinceMs).toBe(sinceMs)
})

test('P51: it rests as long as the service asks, up to a day', () => {
  const clock = new VirtualClock()
  const restOf = (retryAfterMs: number): number => {
    const breaker = circuitBreaker({ now: clock.now })
    breaker.failed(refusal('rate-limit', { retryAfterMs }))
    return (breaker.state.retryAtMs ?? 0) - clock.now()
  }
  expect([restOf(1000), restOf(90_000), restOf(10_800_000)]).toEqual([30_000, 90_000, 10_800_000])
  expect(restOf(31_536_000_000)).toBe(86_400_000)
})

test('a refused input shows that the service is well, a cancelled call shows nothing', () => {
  const clock = new VirtualClock()
  const breaker = circuitBreaker({ now: clock.now })
  breaker.failed(refusal('unavailable'))
  clock.pass(30_000)
  breaker.tryPass()
  breaker.failed(refusal('cancelled'))
  expect(breaker.phase).toBe('half-open')
  breaker.tryPass()
  breaker.abandoned()
  expect([breaker.phase, breaker.state.failures]).toEqual(['half-open', 1])
  breaker.tryPass()
  breaker.failed(refusal('invalid-input'))
  expect(breaker.phase).toBe('closed')
})

test('its state survives JSON and another process', () => {
  const clock = new VirtualClock()
  const first = circuitBreaker({ now: clock.now })
  first.failed(refusal('quota'))
  const second = circuitBreaker({ now: clock.now, restored: JSON.parse(JSON.stringify(first.state)) })
  expect(second.state).toEqual(first.state)
  expect(second.phase).toBe('open')
  clock.pass(30_000)
  expect(second.phase).toBe('half-open')
})
