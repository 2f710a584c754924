import assert from 'node:assert/strict'
import { ProviderError } from '@mnemark/spec'
import { assertCancelled, assertRejects, ending, meanwhile, within } from './call-checks.ts'
import type { AnySession, AskOptions } from './recorded-session.ts'
import { type OptionSet, type ProviderOption, SECRET, type ServiceCase } from './service-target.ts'

/** A socket on this machine closes at once; the rest is for a busy machine. */
const DEPARTURE_MS = 3_000

interface Creating<Model> {
  create(set?: OptionSet): Model
}

/** The constructor refuses what cannot work. */
export const misconfigurationCase = (
  letter: string,
): ServiceCase<Creating<unknown> & { readonly target: { readonly misconfigured?: readonly OptionSet[] } }> => ({
  id: `${letter}1.config`,
  title: 'settings that cannot work are refused by the constructor, as `config`',
  async run(session) {
    const { misconfigured = [] } = session.target
    assert.ok(misconfigured.length > 0, 'name at least one set of options that the constructor must refuse')
    for (const set of misconfigured) {
      const what = `options ${Object.keys(set).join(', ')}`
      let thrown: unknown
      try {
        session.create(set)
      } catch (error) {
        thrown = error
      }
      assert.ok(ProviderError.isInstance(thrown), `${what}: the constructor throws a ProviderError`)
      assert.equal(thrown.code, 'config', what)
      assert.ok(!thrown.message.includes(SECRET), `${what}: the message does not hold the key`)
    }
  },
})

export const quietCase = (letter: string): ServiceCase<AnySession> => ({
  id: `${letter}1.quiet`,
  title: 'a constructor makes no request',
  async run(session) {
    session.create()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(session.fetchCount + session.server.requests.length, 0)
  },
})

export const cancelledBeforeCase = <Model>(
  letter: string,
): ServiceCase<Creating<Model> & { ask(model: Model, options?: AskOptions): Promise<unknown> }> => ({
  id: `${letter}9.before`,
  title: 'a signal that has ended cancels before anything happens, with its reason',
  async run(session) {
    const reason = new Error('no longer wanted')
    const call = session.ask(session.create(), { signal: AbortSignal.abort(reason) })
    await assertCancelled(ending(call), reason, 'aborted before the call')
  },
})

export const cancelledDuringCases = (letter: string): readonly ServiceCase<AnySession>[] =>
  (['silence', 'stall'] as const).map((delivery) => ({
    id: `${letter}9.${delivery}`,
    title: `a call is cancelled while the service ${delivery === 'silence' ? 'is silent' : 'is in the middle of its answer'}, and the request with it`,
    async run(session) {
      const controller = new AbortController()
      const reason = new Error('no longer wanted')
      await session.behaving({ delivery }, async () => {
        const [arrival, departure] = [session.server.arrival(), session.server.departure()]
        const call = ending(session.ask(session.create(), { signal: controller.signal }))
        await meanwhile(arrival, call, 'no request came')
        controller.abort(reason)
        await assertCancelled(call, reason, 'aborted on the way')
        await within(departure, 'the request goes on after it was cancelled', DEPARTURE_MS)
      })
      assert.equal(session.server.requests.length, 1)
    },
  }))

export const optionCase = (
  letter: string,
): ServiceCase<AnySession & { readonly target: { readonly options?: readonly ProviderOption[] } }> => ({
  id: `${letter}14`,
  title: 'every option reaches the service',
  async run(session) {
    const plain = await session.requestOf(() => session.ask(session.create()))
    for (const { set, expect } of session.target.options ?? []) {
      const what = Object.keys(set).join(', ')
      const request = await session.requestOf(() => session.ask(session.create(set)))
      assert.ok(expect(session.bodyOf(request), request), `the request shows ${what}`)
      assert.ok(!expect(session.bodyOf(plain), plain), `a request without ${what} does not`)
    }
  },
})

/** Successes that are no answer at all. */
const NO_ANSWERS: readonly unknown[] = [
  '<!doctype html><title>Sign in</title>',
  '',
  '{"data": [{"embedding": [0.1, 0.2',
  'NaN',
  [],
  null,
  {},
  { data: {} },
  { embeddings: 'none' },
  { choices: [], results: 'none' },
]

export const noAnswerCase = (letter: string): ServiceCase<AnySession> => ({
  id: `${letter}4.no-answer`,
  title: 'a page, nothing, broken JSON or JSON of another form is a bad-response',
  async run(session) {
    for (const body of NO_ANSWERS) {
      const reply = {
        status: 200,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }
      await session.behaving({ reply }, () => assertRejects(session.ask(session.create()), 'bad-response', JSON.stringify(body)))
    }
    await session.ask(session.create())
  },
})

/** Answers are given up at 10 MiB; the rest is on its way by then. */
const ENDLESS_BYTES = 64 * 2 ** 20

/** Blanks, which a parser of JSON would skip for ever. */
class EndlessBody {
  sentBytes = 0;

  *lines(): Generator<string> {
    const piece = ' '.repeat(1024)
    for (;;) {
      this.sentBytes += piece.length
      yield piece
    }
  }
}

export const endlessCase = (letter: string): ServiceCase<AnySession> => ({
  id: `${letter}5.endless`,
  title: 'an endless answer is given up as a bad-response, and the request with it',
  async run(session) {
    const body = new EndlessBody()
    const departure = session.server.departure()
    const reply = { status: 200, headers: { 'content-type': 'application/json' }, body: '', lines: body.lines() }
    await session.behaving({ reply }, () => assertRejects(session.ask(session.create()), 'bad-response', 'an endless answer'))
    await within(departure, 'the answer goes on after it was given up', DEPARTURE_MS)
    assert.ok(body.sentBytes < ENDLESS_BYTES, `the answer is given up early, not after ${body.sentBytes} bytes`)
  },
})
