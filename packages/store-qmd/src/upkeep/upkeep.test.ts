import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFake, type OpenFake, type OpenQmdOptions, OWNER, ROUTER_RESULT } from '../__fixtures__/open-qmd.ts'

// A test moves the clock; processes take real time.

interface Sleeper {
  readonly untilMs: number
  readonly wake: () => void
}

function manualClock() {
  let nowMs = 1_000_000
  const sleepers = new Set<Sleeper>()
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const sleeper = { untilMs: nowMs + ms, wake: () => (sleepers.delete(sleeper), resolve()) }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', () => (sleepers.delete(sleeper), reject(signal.reason)), { once: true })
    })
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms
    for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs) sleeper.wake()
    await setImmediate()
  }
  return { now: () => nowMs, sleep, pass, sleepers }
}

async function openScheduled(
  options: OpenQmdOptions = {},
): Promise<OpenFake & { readonly clock: ReturnType<typeof manualClock> }> {
  const clock = manualClock()
  return { ...(await openFake({ now: clock.now, sleep: clock.sleep, ...options })), clock }
}

/** Waits until the program was called this often for a command. */
async function called(fake: OpenFake, command: string, times: number): Promise<void> {
  await expect.poll(() => fake.calls(command)).toHaveLength(times)
}

const VECTOR_MODELS = ['a.gguf', 'b.gguf', 'c.gguf']

function addModels(fake: OpenFake, names: readonly string[] = VECTOR_MODELS): void {
  mkdirSync(fake.home.models, { recursive: true })
  for (const name of names) writeFileSync(join(fake.home.models, name), 'GGUF')
}

describe('a process that stays', () => {
  test('updates at the start, and every interval', async () => {
    const fake = await openScheduled({ update: { intervalMs: 300_000 } })
    await fake.qmd.start()
    await called(fake, 'update', 1)
    await expect.poll(() => fake.clock.sleepers.size).toBe(1)
    await fake.clock.pass(299_999)
    expect(fake.calls('update')).toHaveLength(1)
    await fake.clock.pass(1)
    await called(fake, 'update', 2)
    expect(fake.calls('embed')).toHaveLength(0)
  })

  test('does not with onBoot off and an interval of 0', async () => {
    const fake = await openScheduled({ update: { intervalMs: 0, onBoot: false } })
    await fake.qmd.start()
    await fake.clock.pass(10 ** 9)
    expect(fake.clock.sleepers.size).toBe(0)
    await fake.qmd.close()
    expect(fake.calls('update')).toHaveLength(0)
  })

  test('with waitForBootSync the start, and searches, wait for the first update', async () => {
    const fake = await openScheduled({ update: { waitForBootSync: true } })
    fake.plan({ update: { delayMs: 300 }, search: { output: ROUTER_RESULT } })
    const started = fake.qmd.start()
    await fake.search('router')
    expect(fake.calls().map(({ command }) => command)).toEqual(['update', 'search'])
    await started
  })

  test('with a mode that has vectors it embeds after each update, or at an interval of its own', async () => {
    const after = await openScheduled({ searchMode: 'vsearch' })
    addModels(after)
    await after.qmd.start()
    await called(after, 'embed', 1)
    const apart = await openScheduled({
      searchMode: 'vsearch',
      update: { embedIntervalMs: 50_000, onBoot: false, intervalMs: 0 },
    })
    addModels(apart)
    await apart.qmd.start()
    await apart.clock.pass(50_000)
    await called(apart, 'embed', 1)
    expect([after, apart].map((fake) => fake.calls('update').length)).toEqual([1, 0])
  })

  test('a failure in the background is logged and told by status, and goes with the next success', async () => {
    const fake = await openScheduled()
    fake.plan({ update: { output: '', code: 1, error: 'secret of a note' } })
    await fake.qmd.start()
    await expect.poll(() => fake.logged).toHaveLength(1)
    expect(fake.logged[0]).toMatch(/^qmd update failed: `qmd update` ended with code 1/)
    expect(fake.logged[0]).not.toContain('secret')
    expect((await fake.qmd.status()).degraded).toMatchObject([
      { code: 'stale', message: expect.stringContaining('update in the background') },
    ])
    fake.plan({})
    await fake.clock.pass(300_000)
    await called(fake, 'update', 2)
    await expect.poll(async () => (await fake.qmd.status()).degraded).toEqual([])
  })

  test('a change that a search notices, and a watcher reports, is taken up once per debounce time', async () => {
    const fake = await openScheduled({ update: { onBoot: false, intervalMs: 0, debounceMs: 15_000 } })
    await fake.qmd.start()
    await fake.qmd.sync({ reason: 'watch' })
    fake.write({ 'MEMORY.md': 'The router has gone.' })
    await fake.search('router')
    const report = await fake.qmd.sync({ reason: 'watch' })
    expect(report).toMatchObject({ total: 1, indexed: 0, degraded: [{ code: 'stale' }] })
    await fake.clock.pass(14_999)
    expect(fake.calls('update')).toHaveLength(1)
    await fake.clock.pass(1)
    await called(fake, 'update', 2)
  })

  test('its own start asks for no second update, and waits for the first', async () => {
    const fake = await openScheduled()
    fake.plan({ update: { delayMs: 200 } })
    await fake.qmd.start()
    expect(await fake.qmd.sync({ reason: 'start' })).toMatchObject({ total: 1, unchanged: 1, degraded: [] })
    expect(fake.calls('update')).toHaveLength(1)
  })

  test('where its first update failed, a sync fails with it, and the missing index names it', async () => {
    const fake = await openScheduled({ command: 'no-such-qmd' })
    rmSync(fake.home.index)
    await fake.qmd.start()
    await expect(fake.qmd.sync({ reason: 'start' })).rejects.toMatchObject({ code: 'missing-program' })
    expect(fake.qmd.cannotAnswer({ text: 'router', caller: OWNER })).toContain('no-such-qmd is not on the PATH')
  })

  test('closing ends what runs, and no timer stays', async () => {
    const fake = await openScheduled()
    fake.plan({ update: { hangs: true, output: '' } })
    await fake.qmd.start()
    await called(fake, 'update', 1)
    await fake.qmd.close()
    await fake.qmd.close()
    expect(fake.clock.sleepers.size).toBe(0)
    expect(fake.logged).toEqual([])
    await expect(fake.search('router')).rejects.toMatchObject({ code: 'closed' })
  })
})

describe('a command that comes and goes', () => {
  test('searches what is there and starts nothing long', async () => {
    const fake = await openScheduled()
    fake.plan({ search: { output: ROUTER_RESULT } })
    fake.write({ 'memory/new.md': 'new' })
    expect(await fake.search('router')).toMatchObject({ stale: true })
    await fake.qmd.close()
    expect(fake.calls().map(({ command }) => command)).toEqual(['search'])
    expect(fake.clock.sleepers.size).toBe(0)
  })
})

describe('models', () => {
  test('keyword mode needs none and never embeds', async () => {
    const fake = await openScheduled()
    await fake.qmd.sync()
    expect(await fake.search('router')).toMatchObject({ mode: 'keywords', degraded: [] })
    expect(fake.calls('embed')).toHaveLength(0)
  })

  test.each(['vsearch', 'query'] as const)('while those of %s are not there, keywords answer and say so', async (searchMode) => {
    const fake = await openScheduled({ searchMode })
    addModels(fake, ['a.gguf', 'b.gguf.ipull'])
    fake.plan({ search: { output: ROUTER_RESULT } })
    const reply = await fake.search('router')
    expect(reply).toMatchObject({ mode: 'keywords', degraded: [{ code: 'backend-warming' }] })
    expect(reply.degraded[0]?.message).toMatch(/1 of \d models are there, more are being downloaded/)
    expect(reply.hits).toHaveLength(1)
    expect(fake.calls(searchMode)).toHaveLength(0)
    expect((await fake.qmd.status()).degraded.map(({ code }) => code)).toEqual(['backend-warming'])
  })

  test('with the models but no vectors it is still warming, and no longer once there are some', async () => {
    const fake = await openScheduled({ searchMode: 'query' })
    addModels(fake)
    expect(await fake.search('router')).toMatchObject({ mode: 'keywords', degraded: [{ code: 'backend-warming' }] })
    fake.plan({ status: { output: '  Vectors:  1,204 embedded\n' }, query: { output: ROUTER_RESULT } })
    expect(await fake.search('router')).toMatchObject({
      mode: 'hybrid',
      degraded: [],
      provider: 'qmd',
      hits: [{ path: 'MEMORY.md' }],
    })
    expect(await fake.qmd.search({ text: 'router', caller: OWNER, overrides: { keywordsOnly: true } })).toMatchObject({
      mode: 'keywords',
    })
  })

  test('an asked sync embeds, and lets the program fetch the models it still lacks', async () => {
    const fake = await openScheduled({ searchMode: 'query' })
    addModels(fake, ['a.gguf'])
    await fake.qmd.sync()
    expect(fake.calls().map(({ command }) => command)).toEqual(['update', 'embed', 'query'])
    addModels(fake)
    await fake.qmd.sync({ reEmbed: 'qmd' })
    expect(fake.calls('embed').at(-1)?.words).toContain('-f')
    expect(fake.calls('query')).toHaveLength(1)
  })

  // `qmd pull` deletes models it cannot compare with the server, and ours are the user's own.
  test('`qmd pull` is never run', async () => {
    const fake = await openScheduled({ searchMode: 'query' })
    await fake.qmd.start()
    await fake.qmd.sync()
    expect(fake.calls('pull')).toHaveLength(0)
  })
})

test('two syncs at once run one after the other', async () => {
  const fake = await openScheduled()
  fake.plan({ update: { delayMs: 200 } })
  onTestFinished(() => fake.qmd.close())
  await Promise.all([fake.qmd.sync(), fake.qmd.sync()])
  const [first, second] = fake.calls('update')
  expect(second?.atMs ?? 0).toBeGreaterThanOrEqual((first?.atMs ?? 0) + 200)
})
