import { type Lease, StoreError, type StoreErrorCode } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { keepAlive } from './with-lease.ts'

/** How often a lease is renewed in two minutes of work when the first renewal fails with this code. */
async function renewals(code: StoreErrorCode): Promise<number> {
  const clock = new VirtualClock()
  let count = 0
  const lease: Lease = {
    name: 'vectors',
    owner: 'a',
    renew: async () => {
      if (++count === 1) throw new StoreError(code, 'not now')
    },
    release: async () => {},
  }
  await clock.run(keepAlive(clock, lease, () => clock.sleep(121_000)))
  return count
}

test('a sign of life that found the store busy is followed by others; a lease that is lost is left alone', async () => {
  expect(await renewals('busy')).toBe(6)
  expect(await renewals('lease-held')).toBe(1)
  expect(await renewals('closed')).toBe(1)
})
