import {
  BackendError,
  type BackendStatus,
  ConfigError,
  type ListReply,
  type MemoryBackend,
  type ReadReply,
  type SearchReply,
  StoreError,
  type SyncReport,
  type WithFallback,
  WorkspaceError,
} from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { withFallback } from './with-fallback.ts'

const REPLY: SearchReply = {
  hits: [],
  mode: 'keywords',
  backend: '',
  provider: null,
  model: null,
  requestedProvider: null,
  degraded: [],
  stale: false,
  timing: {},
}
const REPORT: SyncReport = {
  total: 1,
  indexed: 1,
  unchanged: 0,
  removed: 0,
  skipped: [],
  failed: [],
  chunks: 1,
  vectors: [],
  tokens: 0,
  degraded: [],
  isComplete: true,
  ms: 1,
}
const caller = { agentId: 'main' }
const query = { text: 'router', caller }
const HANGS = 'The qmd program did not answer within 4000 ms.'

/** A backend that does what `behaviour` says at the moment of each call. */
class ScriptedBackend implements MemoryBackend {
  readonly specVersion = 'v1'
  readonly name: string
  readonly calls: string[] = []
  behaviour: () => Promise<void> | void = () => {}
  degraded: SearchReply['degraded'] = []

  constructor(name: string) {
    this.name = name
  }

  async search(): Promise<SearchReply> {
    await this.#called('search')
    return { ...REPLY, backend: this.name, degraded: this.degraded }
  }

  async list(): Promise<ListReply> {
    await this.#called('list')
    return { notes: [], total: 0, backend: this.name, degraded: this.degraded, stale: false }
  }

  async read(): Promise<ReadReply> {
    await this.#called('read')
    return { path: this.name, status: 'empty', text: '', startLine: 0, endLine: 0 }
  }

  async sync(): Promise<SyncReport> {
    await this.#called('sync')
    return REPORT
  }

  async status(): Promise<BackendStatus> {
    await this.#called('status')
    return { backend: this.name, isDirty: false, documents: 1, chunks: 1, spaces: [], degraded: [], details: { own: true } }
  }

  async close(): Promise<void> {
    await this.#called('close')
  }

  async #called(name: string): Promise<void> {
    this.calls.push(name)
    await this.behaviour()
  }
}

function setUp(options: Parameters<typeof withFallback>[2] = {}) {
  const [primary, secondary] = [new ScriptedBackend('qmd'), new ScriptedBackend('builtin')]
  const clock = { nowMs: 1_000_000 }
  const memory = withFallback(primary, secondary, { now: () => clock.nowMs, ...options })
  const hang = (): void => {
    primary.behaviour = () => Promise.reject(new BackendError('timeout', HANGS))
  }
  return { primary, secondary, memory, clock, hang }
}

test('lists come from the secondary while the primary cannot, with the cause first', async () => {
  const { memory, hang, secondary } = setUp()
  expect(await memory.list({ caller })).toMatchObject({ backend: 'qmd', degraded: [] })
  hang()
  const reply = await memory.list({ caller })
  expect([reply.backend, reply.degraded[0]?.code]).toEqual(['builtin', 'backend-fallback'])
  expect(reply.degraded[0]?.message).toContain(HANGS)
  expect(secondary.calls).toEqual(['list'])
})

test('has the form the contract names', () => {
  const form: WithFallback = withFallback
  expect(form(new ScriptedBackend('a'), new ScriptedBackend('b')).name).toBe('a')
})

test('while the primary answers, the secondary is asked nothing', async () => {
  const { memory, secondary } = setUp()
  expect(await memory.search(query)).toMatchObject({ backend: 'qmd', degraded: [] })
  expect(await memory.sync()).toEqual(REPORT)
  expect((await memory.read({ path: 'a', caller })).path).toBe('qmd')
  expect(await memory.status()).toMatchObject({
    backend: 'qmd',
    degraded: [],
    details: { own: true, fallback: { lastServed: 'qmd', failure: null } },
  })
  expect(secondary.calls).toEqual([])
})

test('B76: the reason comes first, before what the secondary itself lacks', async () => {
  const { memory, secondary, hang } = setUp()
  hang()
  secondary.degraded = [{ code: 'no-provider', message: 'no key' }]
  const reply = await memory.search(query)
  expect(reply.backend).toBe('builtin')
  expect(reply.degraded.map(({ code }) => code)).toEqual(['backend-fallback', 'no-provider'])
  expect(reply.degraded[0]?.message).toContain(HANGS)
})

test('B76: after one time-out the primary rests, and answers again after the cool-down', async () => {
  const { memory, primary, clock, hang } = setUp({ coolDownMs: 5_000 })
  hang()
  await memory.search(query)
  primary.behaviour = () => {}
  clock.nowMs += 4_999
  expect((await memory.search(query)).degraded[0]?.message).toContain(HANGS)
  expect(primary.calls).toEqual(['search'])
  clock.nowMs += 1
  expect(await memory.search(query)).toMatchObject({ backend: 'qmd', degraded: [] })
  expect(await memory.search(query)).toMatchObject({ backend: 'qmd', degraded: [] })
})

test('a failed trial begins a new rest', async () => {
  const { memory, primary, clock, hang } = setUp({ coolDownMs: 5_000 })
  hang()
  await memory.search(query)
  clock.nowMs += 5_000
  await memory.search(query)
  clock.nowMs += 4_999
  await memory.search(query)
  expect(primary.calls).toEqual(['search', 'search'])
})

test('one call finds out whether the primary is back; the others do not wait for it', async () => {
  const { memory, primary, clock, hang } = setUp({ coolDownMs: 5_000 })
  hang()
  await memory.search(query)
  clock.nowMs += 5_000
  const { promise, resolve } = Promise.withResolvers<void>()
  primary.behaviour = () => promise
  const trial = memory.search(query)
  expect((await memory.search(query)).backend).toBe('builtin')
  resolve()
  expect((await trial).backend).toBe('qmd')
})

test('a cancelled trial lets the next call try', async () => {
  const { memory, primary, clock, hang } = setUp({ coolDownMs: 5_000 })
  hang()
  await memory.search(query)
  clock.nowMs += 5_000
  primary.behaviour = () => Promise.reject(new DOMException('gone', 'AbortError'))
  await expect(memory.search(query)).rejects.toMatchObject({ name: 'AbortError' })
  primary.behaviour = () => {}
  expect((await memory.search(query)).backend).toBe('qmd')
})

describe('errors about the request come through, without a rest', () => {
  test.each([
    ['a bad limit', new ConfigError('invalid-value', 'limit')],
    ['a refused path', new WorkspaceError('refused', 'no')],
    ['a denial', new BackendError('denied', 'no')],
    ['a wrong type', new TypeError('no')],
  ])('%s', async (_, error) => {
    const { memory, primary, secondary } = setUp()
    primary.behaviour = () => Promise.reject(error)
    await expect(memory.search(query)).rejects.toBe(error)
    await expect(memory.read({ path: 'a', caller })).rejects.toBe(error)
    primary.behaviour = () => {}
    expect((await memory.search(query)).backend).toBe('qmd')
    expect(secondary.calls).toEqual([])
  })
})

test('B76: where both fail, the message names the problem of the primary first', async () => {
  const { memory, secondary, hang } = setUp()
  hang()
  const cause = new StoreError('busy', 'the index is locked')
  secondary.behaviour = () => Promise.reject(cause)
  const error: unknown = await memory.search(query).catch((reason: unknown) => reason)
  expect(BackendError.isInstance(error) && error.code).toBe('timeout')
  expect(error).toMatchObject({ cause, message: expect.stringMatching(/^The qmd program did not answer.*the index is locked$/) })
})

test('a bad limit is one also while the primary rests', async () => {
  const { memory, secondary, hang } = setUp()
  hang()
  const error = new ConfigError('invalid-value', 'limit')
  secondary.behaviour = () => Promise.reject(error)
  await expect(memory.search(query)).rejects.toBe(error)
})

test('what the primary cannot answer goes to the secondary, and the primary gets no rest', async () => {
  const { memory, primary } = setUp({ cannotAnswer: ({ filter }) => (filter?.tags ? 'QMD knows no tags.' : null) })
  const reply = await memory.search({ ...query, filter: { tags: ['home'] } })
  expect(reply).toMatchObject({ backend: 'builtin', degraded: [{ code: 'backend-fallback' }] })
  expect(reply.degraded[0]?.message).toContain('QMD knows no tags.')
  expect(primary.calls).toEqual([])
  expect((await memory.search(query)).backend).toBe('qmd')
})

test('a read is asked of the resting primary first, and of the secondary only when it fails', async () => {
  const { memory, primary, hang } = setUp()
  hang()
  await memory.search(query)
  expect((await memory.read({ path: 'a', caller })).path).toBe('builtin')
  primary.behaviour = () => {}
  expect((await memory.read({ path: 'a', caller })).path).toBe('qmd')
})

test('a sync that the secondary did names the failure of the primary and is not complete', async () => {
  const { memory, hang } = setUp()
  hang()
  const report = await memory.sync()
  expect(report).toMatchObject({ indexed: 1, isComplete: false, degraded: [{ code: 'backend-fallback' }] })
  expect(report.degraded[0]?.message).toContain(HANGS)
})

test('status names who answers, why, and when the primary is tried again', async () => {
  const { memory, clock, hang } = setUp({ coolDownMs: 5_000 })
  hang()
  await memory.search(query)
  const status = await memory.status()
  expect(status).toMatchObject({
    backend: 'builtin',
    degraded: [{ code: 'backend-fallback' }],
    details: {
      fallback: {
        primary: 'qmd',
        lastServed: 'builtin',
        failure: { code: 'timeout', message: HANGS, retryAt: new Date(clock.nowMs + 5_000).toISOString() },
      },
    },
  })
})

test('closing closes both, also when one fails', async () => {
  const { memory, secondary, hang } = setUp()
  hang()
  await expect(memory.close()).rejects.toThrow(HANGS)
  expect(secondary.calls).toEqual(['close'])
})
