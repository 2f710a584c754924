import { ProviderError } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { createFakeEmbedder, type FakeEmbedder, refusal, vectorOf } from '../../../test/fake-embedder.ts'
import { VirtualClock } from '../../../test/virtual-clock.ts'
import {
  chooseDocumentLinks,
  chooseQueryLink,
  type Coverage,
  createChain,
  doneShare,
  type DocumentRules,
  healthOf,
  type LinkHealth,
} from './chain.ts'
import { circuitBreaker } from '../../calls/circuit-breaker.ts'
import { embedQueryByChain } from './embed-query-by-chain.ts'

const health = (name: string, more: Partial<LinkHealth> = {}): LinkHealth => ({
  fingerprint: name,
  name,
  isHealthy: true,
  cause: null,
  failingSinceMs: null,
  ...more,
})
const down = (name: string, code: ProviderError['code'] = 'unavailable', failingSinceMs = 0): LinkHealth =>
  health(name, { isHealthy: false, cause: { code, message: `${name} is down` }, failingSinceMs })
const space = (fingerprint: string, filled: number, missing: number, failed = 0): Coverage => ({
  fingerprint,
  filled,
  missing,
  failed,
})
/** Both spaces hold vectors. */
const SOME = [space('a', 10, 90), space('b', 10, 90), space('c', 10, 90)]
const FULL = [space('a', 100, 0), space('b', 100, 0)]

describe('chooseQueryLink', () => {
  const chosen = (links: readonly LinkHealth[], coverage: readonly Coverage[]) => {
    const { position, degraded } = chooseQueryLink(links, coverage)
    return { position, codes: degraded.map(({ code }) => code) }
  }

  test('the first healthy link whose space is complete', () => {
    expect(chosen([health('a'), health('b')], FULL)).toEqual({ position: 0, codes: [] })
    expect(chosen([down('a'), health('b')], FULL)).toEqual({ position: 1, codes: ['fallback-provider'] })
    expect(chosen([health('a'), health('b')], [space('a', 10, 90), space('b', 100, 0)])).toEqual({
      position: 1,
      codes: ['fallback-provider'],
    })
  })

  test('P81: else the fullest healthy one that holds a vector, flagged', () => {
    expect(chosen([health('a')], [space('a', 94, 6)])).toEqual({ position: 0, codes: ['space-incomplete'] })
    expect(chosen([health('a')], [space('a', 1, 999)])).toEqual({ position: 0, codes: ['space-incomplete'] })
    expect(chosen([health('a'), health('b')], [space('a', 10, 90), space('b', 50, 50)])).toEqual({
      position: 1,
      codes: ['fallback-provider', 'space-incomplete'],
    })
    expect(chosen([health('a'), health('b')], [space('a', 50, 50), space('b', 50, 50)])).toEqual({
      position: 0,
      codes: ['space-incomplete'],
    })
    expect(chosen([down('a'), health('b')], [space('a', 90, 10), space('b', 1, 99)])).toEqual({
      position: 1,
      codes: ['fallback-provider', 'space-incomplete'],
    })
  })

  test('else keywords, and why', () => {
    expect(chosen([health('a')], [space('a', 0, 6)])).toEqual({ position: null, codes: ['space-incomplete'] })
    expect(chosen([health('a')], [])).toEqual({ position: null, codes: ['space-incomplete'] })
    expect(chosen([down('a')], FULL)).toEqual({ position: null, codes: ['provider-unavailable'] })
    expect(chosen([down('a'), health('b')], [space('a', 100, 0)])).toEqual({
      position: null,
      codes: ['provider-unavailable', 'space-incomplete'],
    })
    expect(chosen([], FULL)).toEqual({ position: null, codes: ['no-provider'] })
  })

  test('complete is 95 % of all inputs; no inputs are complete, an unknown space is not', () => {
    expect(chosen([health('a')], [space('a', 95, 5)])).toEqual({ position: 0, codes: [] })
    expect(chosen([health('a')], [space('a', 949, 51)]).codes).toEqual(['space-incomplete'])
    expect(doneShare(space('a', 0, 0))).toBe(1)
    expect(doneShare(undefined)).toBe(0)
  })

  test('P52: refused inputs count as done while at least half hold vectors', () => {
    for (const [filled, failed] of [
      [3, 1],
      [1, 1],
      [949, 51],
      [50, 50],
    ] as const)
      expect(chosen([health('a'), health('b')], [space('a', filled, 0, failed), space('b', 100, 0)])).toEqual({
        position: 0,
        codes: [],
      })
    // 5 of 100 inputs are refused and 10 not sent yet.
    expect(chosen([health('a')], [space('a', 85, 10, 5)])).toEqual({ position: 0, codes: ['space-incomplete'] })
    expect(doneShare(space('a', 90, 5, 5))).toBe(0.95)
  })

  test('P52: a link that refused more than half is at fault itself: the next one is asked, and the first is named', () => {
    const { position, degraded } = chooseQueryLink([health('a'), health('b')], [space('a', 1, 0, 3), space('b', 4, 0)])
    expect(position).toBe(1)
    expect(degraded[0]?.message).toMatch(
      /^vectors of b are used: a refused 3 of 4 texts, so the fault is taken to be its own\..+`force: true`/,
    )
    // A single link still answers with the vectors it has, and reports the same.
    expect(chosen([health('a')], [space('a', 1, 0, 3)])).toEqual({ position: 0, codes: ['space-incomplete'] })
    expect(chosen([health('a')], [space('a', 0, 0, 3)])).toEqual({ position: null, codes: ['space-incomplete'] })
  })

  test('the message about an incomplete space says what fills it', () => {
    const next = (coverage: Coverage) => chooseQueryLink([health('a')], [coverage]).degraded[0]?.message
    expect(next(space('a', 8, 1, 1))).toBe(
      'the vectors of a are 80 % filled. The rest is found by its words until the next sync has filled it.',
    )
    expect(next(space('a', 4, 0, 6))).toMatch(/refused 6 of 10.+forced sync/)
  })

  test('a fallback is named with its cause', () => {
    const [degradation] = chooseQueryLink([down('a'), health('b')], FULL).degraded
    expect(degradation?.message).toBe('vectors of b are used: a is down')
  })
})

describe('chooseDocumentLinks', () => {
  const minutes = (count: number): number => count * 60_000
  const fill = (links: readonly LinkHealth[], rules: Partial<DocumentRules> & { readonly nowMs: number }) =>
    chooseDocumentLinks(links, { coverage: SOME, ...rules }).map(
      ({ position, reason, isReady }) => `${position} ${reason}${isReady ? '' : ' waits'}`,
    )

  test('documents wait for the primary, until it has failed for so long', () => {
    expect(fill([health('a'), health('b')], { nowMs: 0 })).toEqual(['0 primary'])
    expect(fill([down('a'), health('b')], { nowMs: minutes(9.99) })).toEqual(['0 primary waits'])
    expect(fill([down('a'), health('b')], { nowMs: minutes(10) })).toEqual(['0 primary waits', '1 fallback'])
    expect(fill([down('a'), health('b')], { nowMs: minutes(2), fallbackAfterMinutes: 2 })).toEqual([
      '0 primary waits',
      '1 fallback',
    ])
  })

  test('a key or an account that does not work is not waited for', () => {
    for (const code of ['auth', 'quota'] as const)
      expect(fill([down('a', code), health('b')], { nowMs: 0 })).toEqual(['0 primary waits', '1 fallback'])
  })

  test('P53: a link that fails without a vector in its space is not waited for', () => {
    const some = [space('b', 10, 90)]
    expect(fill([down('a'), health('b')], { nowMs: 0, coverage: [] })).toEqual(['0 primary waits', '1 fallback'])
    // Both are half open and may be asked.
    expect(fill([health('a', { failingSinceMs: 0 }), health('b')], { nowMs: 0, coverage: [] })).toEqual([
      '0 primary',
      '1 fallback',
    ])
    expect(fill([down('a'), health('b')], { nowMs: 0, coverage: some })).toEqual(['0 primary waits', '1 fallback'])
    expect(fill([down('a'), down('b'), health('c')], { nowMs: 0, coverage: [] })).toEqual([
      '0 primary waits',
      '1 fallback waits',
      '2 fallback',
    ])
    expect(fill([down('a'), down('b'), health('c')], { nowMs: 0, coverage: some })).toEqual([
      '0 primary waits',
      '1 fallback waits',
    ])
    expect(fill([health('a'), health('b')], { nowMs: 0, coverage: [] })).toEqual(['0 primary'])
  })

  test('P53: on request no outage is waited out', () => {
    expect(fill([down('a'), health('b')], { nowMs: 0, isUrgent: true })).toEqual(['0 primary waits', '1 fallback'])
    expect(fill([health('a'), health('b')], { nowMs: 0, isUrgent: true })).toEqual(['0 primary'])
  })

  test('P52: a link that refused more than half makes room for the next', () => {
    expect(fill([health('a'), health('b')], { nowMs: 0, coverage: [space('a', 1, 0, 3)] })).toEqual(['0 primary', '1 fallback'])
    expect(fill([health('a'), health('b')], { nowMs: 0, coverage: [space('a', 2, 0, 2)] })).toEqual(['0 primary'])
  })

  test('the third link comes when the second has failed as well', () => {
    const links = [down('a'), down('b', 'unavailable', minutes(15)), health('c')]
    expect(fill(links, { nowMs: minutes(20) })).toEqual(['0 primary waits', '1 fallback waits'])
    expect(fill(links, { nowMs: minutes(25) })).toEqual(['0 primary waits', '1 fallback waits', '2 fallback'])
  })

  test('kept warm, the link after the primary is always filled, and only that', () => {
    const links = [health('a'), health('b'), health('c')]
    expect(fill(links, { nowMs: 0, isKeptWarm: true })).toEqual(['0 primary', '1 keep-warm'])
    expect(fill([health('a')], { nowMs: 0, isKeptWarm: true })).toEqual(['0 primary'])
    expect(fill([health('a'), down('b', 'auth'), health('c')], { nowMs: 0, isKeptWarm: true })).toEqual([
      '0 primary',
      '1 keep-warm waits',
    ])
  })

  test('without a chain nothing is filled', () => {
    expect(fill([], { nowMs: 0 })).toEqual([])
  })
})

describe('createChain', () => {
  test('a link equal to an earlier one is dropped with a warning; another model, size or endpoint is not equal', () => {
    const primary = createFakeEmbedder({ name: 'openai' })
    const other = createFakeEmbedder({ name: 'openai', dimensions: 8 })
    const elsewhere = { ...primary, space: { ...primary.space, endpoint: 'https://b.example' } }
    const { links, warnings } = createChain([primary, createFakeEmbedder({ name: 'openai' }), other, elsewhere], () =>
      circuitBreaker(),
    )
    expect(links.map(({ provider }) => provider)).toEqual([primary, other, elsewhere])
    expect(warnings).toEqual([expect.stringContaining('openai (sample)')])
    // B72: vectors of one endpoint are not those of another.
    expect(new Set(links.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })
})

interface Scene {
  readonly clock: VirtualClock
  readonly primary: FakeEmbedder
  readonly second: FakeEmbedder
  readonly outage: { error: ProviderError | undefined }
  search(
    coverage?: readonly Coverage[],
  ): Promise<{ readonly space: string | null; readonly length: number | null; readonly codes: readonly string[] }>
}

/** A primary of 4 dimensions that may be out, and a second link of 3. */
function scene(): Scene {
  const clock = new VirtualClock()
  const outage: Scene['outage'] = { error: undefined }
  const before = () => {
    if (outage.error !== undefined) throw outage.error
  }
  const primary = createFakeEmbedder({ name: 'primary', dimensions: 4, before })
  const second = createFakeEmbedder({ name: 'second', dimensions: 3 })
  const { links } = createChain([primary, second], () => circuitBreaker({ now: clock.now }))
  const [a = '', b = ''] = links.map(({ fingerprint }) => fingerprint)
  const full = [space(a, 100, 0), space(b, 100, 0)]
  const search: Scene['search'] = async (coverage = full) => {
    const options = { coverage, now: clock.now, sleep: clock.sleep, random: () => 0 }
    const { link, vector, degraded } = await clock.run(embedQueryByChain(links, 'a question', options))
    expect(link === null || healthOf(link).isHealthy).toBe(true)
    return {
      space: link?.provider.space.provider ?? null,
      length: vector?.length ?? null,
      codes: degraded.map(({ code }) => code),
    }
  }
  return { clock, primary, second, outage, search }
}

const PRIMARY = { space: 'primary', length: 4, codes: [] }
const SECOND = { space: 'second', length: 3, codes: ['fallback-provider'] }

describe('queries by the chain', () => {
  test('B70: out for one call, the primary is back after its cool-down, and no vector changes its space', async () => {
    const { clock, outage, search, primary } = scene()
    const answers = []
    for (let at = 0; at < 10; at++) {
      outage.error = at === 1 ? refusal('unavailable') : undefined
      answers.push(await search())
      clock.pass(10_000)
    }
    expect(answers).toEqual([PRIMARY, SECOND, SECOND, SECOND, ...Array.from({ length: 6 }, () => PRIMARY)])
    // One call, three tries, none while it rests, then one per search.
    expect(primary.calls.length).toBe(1 + 3 + 6)
  })

  test('B70: out for a minute, it is tried once after each rest', async () => {
    const { clock, outage, search } = scene()
    outage.error = refusal('unavailable')
    const answers = []
    for (let at = 0; at < 10; at++) {
      if (at === 4) outage.error = undefined
      answers.push((await search()).space)
      clock.pass(15_000)
    }
    // Fails at 0 s (rests 30 s) and at 30 s (rests 60 s); out until 60 s; back at 90 s.
    expect(answers).toEqual([...Array.from({ length: 6 }, () => 'second'), ...Array.from({ length: 4 }, () => 'primary')])
  })

  test('out for good, the second link answers every search', async () => {
    const { clock, outage, search, second } = scene()
    outage.error = refusal('auth')
    for (let at = 0; at < 10; at++) {
      expect(await search()).toEqual(SECOND)
      clock.pass(3_600_000)
    }
    expect(second.calls).toHaveLength(10)
  })

  test('B69: while no space is complete, the answer is keywords, and no vector is made for another space', async () => {
    const { outage, search, second } = scene()
    outage.error = refusal('unavailable')
    expect(await search([])).toEqual({ space: null, length: null, codes: ['space-incomplete', 'space-incomplete'] })
    expect(second.calls).toEqual([])
  })

  test('B67: without a provider the answer is keywords, by name', async () => {
    const answer = await embedQueryByChain([], 'uses pnpm', { coverage: [] })
    expect(answer).toMatchObject({ link: null, vector: null, degraded: [{ code: 'no-provider' }] })
  })

  test('the error of the first link is there for those who have nothing else to offer', async () => {
    const clock = new VirtualClock()
    const { links } = createChain([createFakeEmbedder({ before: () => Promise.reject(refusal('quota')) })], () =>
      circuitBreaker(clock),
    )
    const coverage = links.map(({ fingerprint }) => space(fingerprint, 1, 0))
    const answer = await clock.run(embedQueryByChain(links, 'a', { coverage, ...clock }))
    expect(answer).toMatchObject({
      link: null,
      error: { code: 'quota' },
      degraded: [{ code: 'provider-unavailable', message: 'fake: quota' }],
    })
    expect(ProviderError.isInstance('error' in answer ? answer.error : undefined)).toBe(true)
  })

  test('B69: a link whose vectors have another length than its space is passed over, and rests', async () => {
    const clock = new VirtualClock()
    const changed = createFakeEmbedder({ name: 'changed', dimensions: 5 })
    const { links } = createChain([changed, createFakeEmbedder({ name: 'second', dimensions: 3 })], () => circuitBreaker(clock))
    const lengths = [4, 3]
    const coverage = links.map(({ fingerprint }, at) => ({ ...space(fingerprint, 1, 0), dimensions: lengths[at] ?? null }))
    const ask = (chain: typeof links) => clock.run(embedQueryByChain(chain, 'a', { coverage, ...clock }))
    for (let at = 0; at < 2; at++)
      expect(await ask(links)).toMatchObject({ link: links[1], degraded: [{ code: 'fallback-provider' }] })
    expect(changed.calls).toHaveLength(1)
    clock.pass(30_000)
    const alone = await ask(links.slice(0, 1))
    expect(alone).toMatchObject({ link: null, error: { code: 'space-mismatch' }, degraded: [{ code: 'space-paused' }] })
    expect(alone.degraded[0]?.message).toMatch(/5 numbers.+have 4.+`reEmbed: 'changed\/sample'`/)
  })

  test('an abort ends the search and takes no trial away', async () => {
    const { clock, outage, search, primary } = scene()
    outage.error = refusal('unavailable')
    await search()
    outage.error = undefined
    clock.pass(30_000)
    const { links } = createChain([primary], () =>
      circuitBreaker({ now: clock.now, restored: { failingSinceMs: 0, retryAtMs: 0, failures: 1, cause: null } }),
    )
    const coverage = links.map(({ fingerprint }) => space(fingerprint, 1, 0))
    const aborted = embedQueryByChain(links, 'a', { coverage, signal: AbortSignal.abort('enough') })
    await expect(aborted).rejects.toBe('enough')
    expect((await embedQueryByChain(links, 'a', { coverage })).vector).toEqual(vectorOf('a'))
  })

  test('a blank query says nothing about the health of anyone', async () => {
    const { primary } = scene()
    const restored = { failingSinceMs: 0, retryAtMs: 0, failures: 1, cause: null }
    const { links } = createChain([primary], () => circuitBreaker({ restored }))
    expect(await embedQueryByChain(links, ' ', { coverage: [] })).toEqual({ link: null, vector: null, degraded: [] })
    expect(links[0]?.breaker.state.failures).toBe(1)
  })
})
