import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { ProviderError, ProviderErrorCode } from '@mnemark/spec'
import type { WireFailure, WireReply } from '../protocol-servers/wire/exchange.ts'
import type { AnySession, FailingWire, SharedBehaviour } from './recorded-session.ts'
import { assertRejects, rejection } from './call-checks.ts'
import { SECRET, type ServiceCase } from './service-target.ts'

type FailureCase = ServiceCase<AnySession>

/** A date on the wire has whole seconds, and time passes. */
const WAIT_TOLERANCE_MS = 5_000
const RETRYABLE: readonly ProviderErrorCode[] = ['rate-limit', 'unavailable']

function assertWait(error: ProviderError, { title, retryAfterMs }: WireFailure): void {
  if (retryAfterMs === undefined) {
    assert.equal(error.retryAfterMs, undefined, `${title}: no wait is made up`)
    return
  }
  const difference = Math.abs((error.retryAfterMs ?? Number.NaN) - retryAfterMs)
  assert.ok(difference <= WAIT_TOLERANCE_MS, `${title}: to wait ${retryAfterMs} ms, not ${error.retryAfterMs}`)
}

async function assertFailure(session: AnySession, code: ProviderErrorCode, failure: WireFailure): Promise<void> {
  const provider = session.create()
  const error = await session.behaving({ reply: failure.reply }, () => assertRejects(session.ask(provider), code, failure.title))
  assert.equal(error.status, failure.reply.status, `${failure.title}: status`)
  const names = session.namesOf(provider)
  assert.equal(error.provider, names.provider, `${failure.title}: names the provider`)
  assert.ok(error.message.includes(names.provider), `${failure.title}: the message names the provider`)
  assert.ok(error.message.includes(names.model), `${failure.title}: the message names the model`)
  assert.equal(error.isRetryable, RETRYABLE.includes(code), `${failure.title}: retryable`)
  assertWait(error, failure)
  assert.deepEqual(error.inputIndexes, failure.inputIndexes, `${failure.title}: the inputs that were refused`)
}

const codeCases = (letter: string, wire: FailingWire): readonly FailureCase[] =>
  Object.entries(wire.failures)
    .filter(([, failures]) => failures.length > 0)
    .map(([code, failures]) => ({
      id: `${letter}11.${code}`,
      title: `${code}: ${failures.map(({ title }) => title).join('; ')}`,
      async run(session) {
        // The keys of `failures` are codes.
        for (const failure of failures) await assertFailure(session, code as ProviderErrorCode, failure)
      },
    }))

const REDIRECTS = [301, 302, 303, 307, 308]

const connectionCases = (letter: string): readonly FailureCase[] => [
  {
    id: `${letter}11.connection`,
    title: 'a connection that is refused, reset or cut is unavailable',
    async run(session) {
      const provider = session.create()
      for (const delivery of ['reset', 'cut'] as const) {
        await session.behaving({ delivery }, () => assertRejects(session.ask(provider), 'unavailable', delivery))
      }
      await session.server.close()
      await assertRejects(session.ask(provider), 'unavailable', 'nothing listens there')
    },
  },
  {
    id: `${letter}11.tls`,
    title: 'a connection that cannot be encrypted is tls',
    async run(session) {
      const provider = session.create({}, session.server.baseUrl.replace('http:', 'https:'))
      const error = await assertRejects(session.ask(provider), 'tls', 'https where plain http is spoken')
      assert.equal(error.isRetryable, false, 'it will not heal by itself')
    },
  },
  {
    id: `${letter}11.redirect`,
    title: 'a redirect to another host is refused, and the other host sees nothing',
    async run(session) {
      await using other = await session.startAnother()
      for (const status of REDIRECTS) {
        const reply = { status, body: '', headers: { location: `${other.baseUrl}/embeddings` } }
        await session.behaving({ reply }, () =>
          assertRejects(session.ask(session.create()), 'refused-redirect', `status ${status}`),
        )
      }
      assert.equal(other.requests.length, 0, 'the other host got a request')
      session.assertConfined()
    },
  },
]

/** Outcomes after which something might try again by itself. */
const badDaysOf = ({ wire, badDays }: AnySession): readonly SharedBehaviour[] => [
  {},
  ...Object.values(wire.failures).flatMap((failures) => failures.map(({ reply }) => ({ reply }))),
  { delivery: 'reset' },
  { delivery: 'cut' },
  { reply: { status: 200, body: '<html>' } },
  ...badDays,
]

const oneRequestCase = (letter: string): FailureCase => ({
  id: `${letter}12`,
  title: 'one call makes one request, also when it fails',
  async run(session) {
    const provider = session.create()
    for (const behaviour of badDaysOf(session)) {
      const requests = await session.behaving(behaviour, () => session.requestsOf(() => session.ask(provider)))
      assert.equal(requests.length, 1, `requests after ${JSON.stringify(behaviour)}`)
    }
    session.assertConfined()
  },
})

const PRIVATE_TEXTS: readonly string[] = [
  'The vault of Zanzibar opens with 7391, and the spare key lies under the fern by the door.',
  '保险箱的密码是七三九一，备用钥匙在门口的蕨类植物下面。',
  'Zz-9-plural-Z',
]

/** Everything that a log might print of an error. */
function shown(error: ProviderError): string {
  const options = { depth: null, showHidden: true, getters: true, maxStringLength: null } as const
  return [String(error), error.stack, JSON.stringify(error), inspect(error, options), inspect(error.cause, options)].join('\n')
}

const STREAMS = ['log', 'info', 'warn', 'error', 'debug'] as const

/** Runs `action` and returns the console output of SDKs meanwhile, instead of printing it. */
async function listening<Value>(action: () => Promise<Value>): Promise<{ readonly value: Value; readonly printed: string }> {
  const lines: string[] = []
  const originals = STREAMS.map((name) => [name, console[name]] as const)
  for (const name of STREAMS)
    console[name] = (...words: unknown[]) => void lines.push(words.map((word) => inspect(word, { depth: null })).join(' '))
  try {
    return { value: await action(), printed: lines.join('\n') }
  } finally {
    for (const [name, original] of originals) console[name] = original
  }
}

function assertSilent(text: string, what: string): void {
  for (const form of [SECRET, Buffer.from(SECRET).toString('base64').replace(/=+$/, '')])
    assert.ok(!text.includes(form), `${what} holds the key`)
  for (const note of PRIVATE_TEXTS) {
    for (let start = 0; start + 12 <= note.length; start++)
      assert.ok(!text.includes(note.slice(start, start + 12)), `${what} holds a part of an input`)
  }
}

/** Replies of services that repeat inputs or the key. */
const ECHOES = (wire: FailingWire, texts: readonly string[]): Readonly<Record<string, WireReply>> => ({
  ...Object.fromEntries(texts.map((text, index) => [`a refusal that repeats input ${index}`, wire.refusal(`bad: "${text}"`)])),
  ...Object.fromEntries(
    texts
      .filter((text) => text.length > 20)
      .map((text) => [`a refusal that repeats "${text.slice(10, 45)}"`, wire.refusal(`cannot use "${text.slice(10, 45)}..."`)]),
  ),
  'a refusal that repeats the key': wire.refusal(`the key ${SECRET} may not do this`),
  'a plain page that repeats everything': { status: 500, body: `Authorization: Bearer ${SECRET}\n${texts.join('\n')}` },
  'a success that is none': { status: 200, body: `${SECRET} ${texts.join(' ')}` },
  'JSON of another form': { status: 200, body: { error: SECRET, texts } },
  'a redirect': { status: 307, body: '', headers: { location: `http://127.0.0.1:1/?key=${SECRET}` } },
})

const silenceCases = (letter: string): readonly FailureCase[] => [
  {
    id: `${letter}13.echo`,
    title: 'what a service repeats of key and inputs does not get into the error',
    async run(session) {
      for (const texts of session.splitTexts(PRIVATE_TEXTS)) {
        for (const [what, reply] of Object.entries(ECHOES(session.wire, texts))) {
          const call = (): Promise<ProviderError> => rejection(session.ask(session.create(), { texts }), what)
          const { value: error, printed } = await listening(() => session.behaving({ reply }, call))
          assertSilent(shown(error), `${what}: the error`)
          assertSilent(printed, `${what}: what is printed`)
        }
      }
    },
  },
  {
    id: `${letter}13.connection`,
    title: 'no failed connection puts key or inputs into the error, and no provider shows its key',
    async run(session) {
      const provider = session.create()
      const [texts] = session.splitTexts(PRIVATE_TEXTS)
      for (const delivery of ['reset', 'cut'] as const) {
        const error = await session.behaving({ delivery }, () => rejection(session.ask(provider, { texts }), delivery))
        assertSilent(shown(error), delivery)
      }
      assertSilent(inspect(provider, { depth: null, showHidden: true }) + JSON.stringify(provider), 'the provider')
    },
  },
]

/** The cases of failure for every kind of service. Ids begin with the letter of the suite. */
export const failureCases = (letter: string, wire: FailingWire): readonly FailureCase[] => [
  ...codeCases(letter, wire),
  ...connectionCases(letter),
  oneRequestCase(letter),
  ...silenceCases(letter),
]
