/** Offline jobs: the behaviour that core needs to pay only once, whatever crashes in between. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { inspect } from 'node:util'
import type { BatchHandle, BatchOutcome, EmbeddingBatch, EmbeddingProvider, InputType } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import type { BatchBehaviour } from '../protocol-servers/batch/batch-service.ts'
import type { JobPlan, LineFate } from '../protocol-servers/batch/batch-job.ts'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { WireReply } from '../protocol-servers/wire/exchange.ts'
import type { HttpSession } from './http-session.ts'
import { assertCancelled, assertRejects, ending, meanwhile, rejection, within } from '../service-suite/call-checks.ts'
import { assertSameVector, embed, TEXTS } from './provider-checks.ts'
import { type ServiceCase, SECRET } from '../service-suite/service-target.ts'
import type { AnySession } from './space-cases.ts'

type HttpCase = ServiceCase<HttpSession>

const MARKER = 'mnemark-20261101-0a1b2c3d'
/** Longer than any plan of these tests. */
const LONG_MS = 48 * 3_600_000

const idOf = (text: string): string => hash('sha256', text.toWellFormed())

async function* itemsOf(texts: readonly string[]): AsyncGenerator<{ id: string; input: { type: 'text'; text: string } }> {
  for (const text of texts) yield { id: idOf(text), input: { type: 'text', text } }
}

function batchOf(provider: EmbeddingProvider): EmbeddingBatch {
  return provider.batch ?? assert.fail('the service has a batch API, so the provider has a `batch`')
}

interface Submission {
  readonly texts?: readonly string[]
  readonly marker?: string
  readonly inputType?: InputType
  readonly signal?: AbortSignal
  readonly beforeJob?: () => Promise<void>
}

function submit(provider: EmbeddingProvider, { texts = TEXTS, ...options }: Submission = {}): Promise<BatchHandle> {
  const given = { marker: MARKER, inputType: 'document' as const, ...options }
  return within(batchOf(provider).submit(itemsOf(texts), given), 'submit did not settle')
}

async function resultsOf(provider: EmbeddingProvider, handle: BatchHandle): Promise<readonly BatchOutcome[]> {
  const outcomes: BatchOutcome[] = []
  const collecting = async (): Promise<void> => {
    for await (const outcome of batchOf(provider).results(handle)) outcomes.push(outcome)
  }
  await within(collecting(), 'the results do not end')
  return outcomes
}

/** Vectors and errors by text; of a repeated line, the last. */
async function byText(provider: EmbeddingProvider, handle: BatchHandle, texts: readonly string[] = TEXTS) {
  const outcomes = new Map((await resultsOf(provider, handle)).map((outcome) => [outcome.id, outcome]))
  return texts.map((text) => outcomes.get(idOf(text)))
}

async function planned(
  session: HttpSession,
  plan: Partial<JobPlan>,
  submission: Submission = {},
): Promise<{ provider: EmbeddingProvider; handle: BatchHandle }> {
  session.server.batch.behave({ plan })
  const provider = session.create()
  const handle = await submit(provider, submission)
  session.server.batch.clock.advance(LONG_MS)
  return { provider, handle }
}

const behaving = async <Value>(session: HttpSession, behaviour: BatchBehaviour, work: () => Promise<Value>): Promise<Value> => {
  session.server.batch.behave(behaviour)
  return work().finally(() => session.server.batch.behave({}))
}

function assertClean(session: HttpSession): void {
  assert.deepEqual(session.server.batch.leftovers, [], 'no file and no job is left at the service')
}

const lifeCases: readonly HttpCase[] = [
  {
    id: 'E16.limits',
    title: 'the limits of a job are whole numbers, and the price of a token in it a share',
    async run(session) {
      const { limits, priceFactor = 1 } = batchOf(session.create())
      for (const limit of Object.values(limits)) assert.ok(Number.isSafeInteger(limit) && limit >= 1, `${limit} is a limit`)
      assert.ok(priceFactor > 0 && priceFactor <= 1, 'the share of the price')
    },
  },
  {
    id: 'E16.life',
    title: 'a job is made once, survives JSON and a new instance, and gives each text the vector it has alone',
    async run(session) {
      const alone = await embed(session.create())
      const handle = await submit(session.create())
      assert.equal(handle.provider, session.create().space.provider)
      assert.ok(Math.abs(Date.parse(handle.submittedAt) - session.server.batch.clock.nowMs) < 2_000, 'submitted when it was')
      const copy: BatchHandle = JSON.parse(JSON.stringify(handle))
      assert.ok(!JSON.stringify(handle).includes(SECRET), 'no key in the handle')
      const provider = session.create()
      assert.equal((await batchOf(provider).poll(copy)).status, 'running')
      session.server.batch.clock.advance(LONG_MS)
      assert.deepEqual(await batchOf(provider).poll(copy), { status: 'done' })
      const outcomes = await byText(provider, copy)
      for (const [index, outcome] of outcomes.entries()) {
        assert.ok(outcome !== undefined && 'vector' in outcome, `text ${index} has a vector`)
        assertSameVector(outcome.vector, alone.vectors[index] ?? [], `text ${index}, in the job and alone`)
      }
      await batchOf(provider).cleanUp(copy)
      assertClean(session)
      assert.deepEqual(
        [...session.server.batch.timesSubmitted.values()],
        TEXTS.map(() => 1),
        'each text once',
      )
      session.assertConfined()
    },
  },
  {
    id: 'E16.type',
    title: 'the input type reaches the lines of a job as it reaches a request',
    async run(session) {
      const provider = session.create()
      for (const inputType of ['query', 'document'] as const) {
        await embed(provider, TEXTS, { inputType })
        await submit(provider, { inputType, marker: `${MARKER}-${inputType}` })
        const { lines } = session.server.batch.jobs.at(-1) ?? assert.fail('a job was made')
        const { texts, ...request } = session.lastCall()
        assert.deepEqual(
          lines.flatMap(({ call }) => call.texts),
          texts,
          'the texts of a request',
        )
        // The number format is ignored: the files of some services support only one.
        const asked = { ...request, texts: [], isBase64: false }
        for (const { call } of lines)
          assert.deepEqual({ ...call, texts: [], isBase64: false }, asked, 'and what is asked of them')
      }
    },
  },
  {
    id: 'E16.progress',
    title: 'a running job says how far it is where the service does',
    async run(session) {
      session.server.batch.behave({ plan: { validationMs: 1_000, workMs: 100_000 } })
      const provider = session.create()
      const handle = await submit(provider)
      session.server.batch.clock.advance(51_000)
      const state = await batchOf(provider).poll(handle)
      assert.ok(state.status === 'running')
      const { completed = 0, total = TEXTS.length } = state
      assert.ok(completed >= 0 && completed <= total && total === TEXTS.length, `${completed} of ${total}`)
    },
  },
]

const intentCases: readonly HttpCase[] = [
  {
    id: 'E16.intent',
    title: '`beforeJob` is awaited when the texts are there and no job is; what it throws comes through, and no job is made',
    async run(session) {
      const { batch } = session.server
      const reason = new Error('not now')
      const uploads = (): number => batch.log.filter(({ what }) => what === 'upload').length
      let uploaded = -1
      const beforeJob = async (): Promise<void> => {
        uploaded = uploads()
        assert.equal(batch.jobs.length, 0, 'there is no job yet')
        throw reason
      }
      const thrown = await submit(session.create(), { beforeJob }).catch((error: unknown) => error)
      assert.equal(thrown, reason)
      assert.equal(batch.jobs.length, 0)
      await batchOf(session.create()).cleanUp({ marker: MARKER })
      assertClean(session)
      // A service that takes a job in one request gets no file before it; one that takes files has all of them by then.
      const before = uploads()
      await submit(session.create(), { marker: `${MARKER}-2` })
      assert.equal(uploaded, uploads() - before, 'the texts are there before the job is')
    },
  },
  {
    id: 'E16.source',
    title: 'what the source of the texts throws comes through, and nothing is sent',
    async run(session) {
      const reason = new Error('the note is gone')
      const items = async function* () {
        yield* itemsOf(TEXTS)
        throw reason
      }
      const submission = batchOf(session.create()).submit(items(), { marker: MARKER, inputType: 'document' })
      assert.equal(await submission.catch((error: unknown) => error), reason)
      assert.equal(session.server.requests.length, 0)
    },
  },
  {
    id: 'E16.find',
    title: 'a job whose maker never heard of it is found by its marker, and another is not',
    async run(session) {
      const { batch } = session.server
      let isAsked = false
      const provider = session.create()
      const beforeJob = async (): Promise<void> => {
        isAsked = true
      }
      await behaving(session, { delivery: () => (isAsked ? 'reset' : 'whole') }, () =>
        assertRejects(submit(provider, { beforeJob }), 'unavailable', 'the reply is lost'),
      )
      assert.equal(batch.jobs.length, 1, 'the job was made')
      assert.equal(await batchOf(session.create()).find(`${MARKER}0`), null, 'a marker that begins alike is another')
      const found = (await batchOf(session.create()).find(MARKER)) ?? assert.fail('it is found')
      batch.clock.advance(LONG_MS)
      const outcomes = await byText(session.create(), found)
      assert.ok(outcomes.every((outcome) => outcome !== undefined && 'vector' in outcome))
      await batchOf(provider).cleanUp(found)
      assertClean(session)
    },
  },
  {
    id: 'E16.lag',
    title: 'a list that lags shows no job yet, and then does; a found one is one of many',
    async run(session) {
      const { batch } = session.server
      batch.behave({ listLagMs: 30_000 })
      const provider = session.create()
      for (let job = 0; job < 3; job++) await submit(provider, { marker: `${MARKER}-${job}`, texts: [`text ${job}`] })
      assert.equal(await batchOf(provider).find(`${MARKER}-1`), null)
      batch.clock.advance(30_000)
      const found = await batchOf(provider).find(`${MARKER}-1`)
      assert.ok(found)
      batch.clock.advance(LONG_MS)
      assert.equal((await resultsOf(provider, found))[0]?.id, idOf('text 1'))
    },
  },
  {
    id: 'E16.orphan',
    title: 'the file of an upload whose reply was lost is removed by the marker, and no other file',
    async run(session) {
      const provider = session.create()
      await submit(provider, { marker: `${MARKER}-other` })
      const files = session.server.batch.files.length
      await behaving(session, { delivery: () => 'reset' }, () => assertRejects(submit(provider), 'unavailable', 'the upload'))
      await batchOf(provider).cleanUp({ marker: MARKER })
      assert.equal(session.server.batch.files.length, files, 'only the file of the other job is there')
      assert.equal(session.server.batch.jobs.length, 1)
    },
  },
  {
    id: 'E16.ids',
    title: 'ids that a service would refuse, doubled ids and no texts at all are refused before anything is sent (B63)',
    async run(session) {
      const provider = session.create()
      const input = { type: 'text', text: 'a note' } as const
      const wrong = [['memory/2026-01-25.md:3'], ['a', 'a'], ['x'.repeat(65)], [''], ['ключ'], []]
      for (const ids of wrong) {
        const items = async function* () {
          for (const id of ids) yield { id, input }
        }
        const submission = batchOf(provider).submit(items(), { marker: MARKER, inputType: 'document' })
        await assertRejects(submission, 'invalid-input', `ids ${ids.join()}`)
      }
      assert.equal(session.server.requests.length, 0)
    },
  },
]

/** Fates of lines by position. */
const fates =
  (...list: readonly LineFate[]) =>
  (_: unknown, index: number): LineFate =>
    list[index] ?? 'good'

const outcomeCases: readonly HttpCase[] = [
  {
    id: 'E16.partial',
    title: 'lines that were refused, failed, are missing, doubled or broken spoil no other line',
    async run(session) {
      const texts = ['good', 'refused', 'busy', 'missing', 'twice', 'malformed', 'zeros', 'good too']
      const fate = fates('good', 'refused', 'busy', 'missing', 'twice', 'malformed', 'zeros')
      const { provider, handle } = await planned(session, { fate }, { texts })
      assert.deepEqual(await batchOf(provider).poll(handle), { status: 'done' })
      const outcomes = await byText(provider, handle, texts)
      const seen = outcomes.map((outcome) => {
        if (outcome === undefined) return 'nothing'
        return 'vector' in outcome ? 'vector' : ProviderError.isInstance(outcome.error) ? outcome.error.code : 'another error'
      })
      const wanted = ['vector', 'invalid-input', 'unavailable', 'nothing', 'vector', 'nothing', 'bad-response', 'vector']
      assert.deepEqual(seen, wanted)
      await batchOf(provider).cleanUp(handle)
      assertClean(session)
    },
  },
  {
    id: 'E16.short',
    title: 'a vector of another length than the first is a bad-response of its line alone',
    async run(session) {
      const fate = (_: unknown, index: number): LineFate => (index === 1 ? 'short' : 'good')
      const { provider, handle } = await planned(session, { fate })
      await embed(provider)
      const codes = (await byText(provider, handle)).map((outcome) => outcome !== undefined && 'vector' in outcome)
      assert.deepEqual(codes, [true, false, true])
    },
  },
  {
    id: 'E16.all-failed',
    title: 'a job of failures only is done, has no vector, and says why (B61)',
    async run(session) {
      const { provider, handle } = await planned(session, { fate: () => 'refused' })
      assert.deepEqual(await batchOf(provider).poll(handle), { status: 'done' })
      const outcomes = await resultsOf(provider, handle)
      assert.equal(outcomes.length, TEXTS.length)
      for (const outcome of outcomes) assert.ok('error' in outcome && ProviderError.isInstance(outcome.error))
    },
  },
  {
    id: 'E16.expired',
    title: 'an expired job keeps what was done, and the rest may be sent again',
    async run(session) {
      const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`)
      const { provider, handle } = await planned(session, { end: 'expired', doneShare: 0.4 }, { texts })
      assert.deepEqual(await batchOf(provider).poll(handle), { status: 'done' })
      await assertHalves(provider, handle, texts, 4)
      await batchOf(provider).cleanUp(handle)
      assertClean(session)
    },
  },
  {
    id: 'E16.cancel',
    title: 'a cancelled job keeps what was done; cancelling what is over or gone is no error',
    async run(session) {
      const { batch } = session.server
      batch.behave({ plan: { validationMs: 0, workMs: 100_000, cancelMs: 5_000 } })
      const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`)
      const provider = session.create()
      const handle = await submit(provider, { texts })
      batch.clock.advance(30_000)
      await batchOf(provider).cancel(handle)
      assert.equal((await batchOf(provider).poll(handle)).status, 'running', 'until the service has stopped')
      batch.clock.advance(5_000)
      assert.deepEqual(await batchOf(provider).poll(handle), { status: 'done' })
      await batchOf(provider).cancel(handle)
      await assertHalves(provider, handle, texts, 3)
      for (let times = 0; times < 2; times++) await batchOf(provider).cleanUp(handle)
      assertClean(session)
      for (const { id } of batch.jobs) batch.deleteJob(id)
      await batchOf(provider).cancel(handle)
      await batchOf(provider).cleanUp(handle)
    },
  },
  {
    id: 'E16.failed',
    title: 'a job whose file is refused has failed, says so, and leaves nothing behind',
    async run(session) {
      const { provider, handle } = await planned(session, { end: 'failed' })
      const state = await batchOf(provider).poll(handle)
      assert.ok(state.status === 'failed' && ProviderError.isInstance(state.error), 'failed, with a ProviderError')
      assert.ok(state.error.message.includes(provider.space.provider) && !state.error.isRetryable)
      await batchOf(provider).cleanUp(handle)
      assertClean(session)
    },
  },
  {
    id: 'E16.lines',
    title: 'files with CRLF, without a last line end, with blank and very long lines and unknown ids are read',
    async run(session) {
      const bend = function* (lines: Iterable<string>) {
        yield ''
        yield JSON.stringify('not an object')
        yield 'x'.repeat(9 * 2 ** 20)
        for (const line of lines) {
          yield line.replaceAll(idOf(TEXTS[0] ?? ''), 'somebody-else')
          yield line
        }
      }
      const { provider, handle } = await planned(session, { bend, lineEnd: '\r\n', hasLastEnd: false })
      const outcomes = await resultsOf(provider, handle)
      assert.ok(
        outcomes.some(({ id }) => id === 'somebody-else'),
        'an id is passed on, whosever it is',
      )
      const ours = await byText(provider, handle)
      assert.ok(ours.every((outcome) => outcome !== undefined && 'vector' in outcome))
    },
  },
]

async function assertHalves(
  provider: EmbeddingProvider,
  handle: BatchHandle,
  texts: readonly string[],
  done: number,
): Promise<void> {
  const outcomes = await byText(provider, handle, texts)
  for (const [index, outcome] of outcomes.entries()) {
    if (index < done) assert.ok(outcome !== undefined && 'vector' in outcome, `text ${index} was done`)
    else if (outcome !== undefined && 'error' in outcome)
      assert.ok(ProviderError.isInstance(outcome.error) && outcome.error.isRetryable, `text ${index} may be sent again`)
    else assert.equal(outcome, undefined, `text ${index} was not done`)
  }
}

const troubleCases = (wire: EmbeddingWire): readonly HttpCase[] => [
  {
    id: 'E16.states',
    title: 'a state that nobody listed, an error in its place, a page and a job that is gone are told apart (B61)',
    async run(session) {
      const { batch } = session.server
      const provider = session.create()
      batch.behave({ plan: { word: 'UNKNOWN' } })
      const unknown = await submit(provider)
      await assertRejects(batchOf(provider).poll(unknown), 'bad-response', 'an unknown state')
      batch.behave({})
      const handle = await submit(provider, { marker: `${MARKER}-2`, texts: ['another text'] })
      const poll = (): Promise<unknown> => batchOf(provider).poll(handle)
      const noBatch: WireReply = { status: 200, body: { error: { message: 'No batch' } } }
      const refused = await behaving(session, { intercept: () => noBatch }, () => rejection(poll(), 'an error object'))
      assert.ok(['not-found', 'bad-response'].includes(refused.code), `an error object is ${refused.code}`)
      const page = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' }
      await behaving(session, { intercept: () => page }, () => assertRejects(poll(), 'unavailable', 'a page'))
      for (const { id } of batch.jobs) batch.deleteJob(id)
      await assertRejects(poll(), 'not-found', 'a job that was deleted')
      await batchOf(provider).cleanUp(handle)
    },
  },
  {
    id: 'E16.codes',
    title: 'what a service refuses about jobs has the codes that requests have, and one call is not repeated',
    async run(session) {
      const provider = session.create()
      const handle = await submit(provider)
      for (const code of ['auth', 'quota', 'rate-limit', 'unavailable'] as const) {
        const failure = wire.failures[code][0]
        if (failure === undefined) continue
        const calls = { poll: () => batchOf(provider).poll(handle), find: () => batchOf(provider).find(MARKER) }
        for (const [name, call] of Object.entries(calls)) {
          const before = session.server.requests.length
          const work = (): Promise<ProviderError> => assertRejects(call(), code, `${name}: ${failure.title}`)
          const error: ProviderError = await behaving(session, { intercept: (): WireReply => failure.reply }, work)
          assert.equal(error.retryAfterMs, failure.retryAfterMs, `${name}: ${failure.title}`)
          assert.equal(session.server.requests.length - before, 1, `${name}: one request`)
        }
      }
    },
  },
  {
    id: 'E16.refused',
    title: 'a job over the quota of open jobs is refused, not lost',
    async run(session) {
      session.server.batch.behave({ maxOpenJobs: 1 })
      const provider = session.create()
      await submit(provider)
      const error = await rejection(submit(provider, { marker: `${MARKER}-2` }), 'one job too many')
      assert.ok(['rate-limit', 'quota'].includes(error.code), `it is ${error.code}`)
      assert.equal(await batchOf(provider).find(`${MARKER}-2`), null)
    },
  },
  {
    id: 'E16.cut',
    title: 'a file that breaks off is an error, and read again from the start gives all',
    async run(session) {
      const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
      const { provider, handle } = await planned(session, {}, { texts })
      const isFile = /content|download|files|results/
      const cut: BatchBehaviour = { delivery: ({ path }) => (isFile.test(path) ? 'cut' : 'whole') }
      const error = await behaving(session, cut, () => rejection(resultsOf(provider, handle), 'a file that is cut off'))
      assert.equal(error.code, 'unavailable')
      assert.equal((await resultsOf(provider, handle)).length, texts.length)
    },
  },
  {
    id: 'E16.abort',
    title: 'every call about a job ends with its signal',
    async run(session) {
      const provider = session.create()
      const handle = await submit(provider)
      const before = session.server.requests.length
      const reason = new Error('no longer wanted')
      const signal = AbortSignal.abort(reason)
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        poll: () => batchOf(provider).poll(handle, { signal }),
        find: () => batchOf(provider).find(MARKER, { signal }),
        cancel: () => batchOf(provider).cancel(handle, { signal }),
        cleanUp: () => batchOf(provider).cleanUp(handle, { signal }),
        submit: () => batchOf(provider).submit(itemsOf(TEXTS), { marker: MARKER, inputType: 'document', signal }),
        results: async () => {
          for await (const _ of batchOf(provider).results(handle, { signal })) assert.fail('a result')
        },
      }
      for (const [name, call] of Object.entries(calls)) await assertCancelled(ending(call()), reason, name)
      assert.equal(session.server.requests.length, before, 'no request is made')
      const controller = new AbortController()
      const arrival = session.server.arrival()
      await behaving(session, { delivery: () => 'silence' }, async () => {
        const call = ending(batchOf(provider).poll(handle, { signal: controller.signal }))
        await meanwhile(arrival, call, 'no request came')
        controller.abort(reason)
        await assertCancelled(call, reason, 'on the way')
      })
    },
  },
  {
    id: 'E16.silent',
    title: 'no error about a job holds the key or a part of a text',
    async run(session) {
      const note = 'The vault of Zanzibar opens with 7391, and the spare key lies under the fern by the door.'
      const echo = (lines: Iterable<string>): Iterable<string> =>
        [...lines].map((line) => line.replaceAll(/is invalid|refused/g, `cannot embed ${note} with ${SECRET}`))
      const { provider, handle } = await planned(session, { fate: () => 'refused', bend: echo }, { texts: [note] })
      const shown = inspect(await resultsOf(provider, handle), { depth: null, showHidden: true, maxStringLength: null })
      const reply: WireReply = { status: 400, body: { error: { message: `the key ${SECRET} may not do this` } } }
      const work = (): Promise<ProviderError> => rejection(batchOf(provider).poll(handle), 'a refusal that repeats the key')
      const error = await behaving(session, { intercept: () => reply }, work)
      for (const text of [shown, inspect(error, { depth: null, showHidden: true })]) {
        assert.ok(!text.includes(SECRET), 'the key is shown')
        for (let start = 0; start + 12 <= note.length; start++)
          assert.ok(!text.includes(note.slice(start, start + 12)), 'a part of a text is shown')
      }
    },
  },
]

/** For services without offline jobs, and models in this process. */
export const absentBatchCase: ServiceCase<AnySession> = {
  id: 'E16.absent',
  title: 'there is no `batch`, since the service runs no jobs',
  async run(session) {
    const provider = session.create()
    assert.equal(provider.batch, undefined)
    assert.ok(!('batch' in provider), 'not even an empty one')
  },
}

export const batchCases = (wire: EmbeddingWire): readonly HttpCase[] =>
  wire.batch === undefined ? [absentBatchCase] : [...lifeCases, ...intentCases, ...outcomeCases, ...troubleCases(wire)]
