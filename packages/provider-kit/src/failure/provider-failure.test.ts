import { inspect } from 'node:util'
import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { toProviderError } from './provider-failure.ts'
import { failureError, type ServiceFailure } from './service-failure.ts'

const NOTE = 'The vault of Zanzibar opens with 7391, says the note.'
const KEY = 'sk-0123456789abcdef'
const context = { provider: 'acme', model: 'acme-1', secrets: [KEY], texts: ['short one', NOTE] }
const mapped = (error: unknown): ProviderError => toProviderError(error, context)
const ofFailure = (failure: ServiceFailure): ProviderError => mapped(failureError(failure))

test('the words of a service cannot drive a terminal or turn the direction of a line', () => {
  const error = ofFailure({ status: 400, body: { message: '\u001b[31mno\u0007 \u202Esuch\u0000thing' } })
  expect(error.message).toContain('"[31mno such thing"')
})

test.for([
  [401, '', 'auth'],
  [403, { error: { message: 'no' } }, 'auth'],
  [404, { error: 'model "x" not found' }, 'not-found'],
  [402, { error: { code: 402, message: 'add credit' } }, 'quota'],
  [429, { error: { type: 'insufficient_quota', code: 'insufficient_quota' } }, 'quota'],
  [429, { error: { code: 'rate_limit_exceeded' } }, 'rate-limit'],
  [429, { error: 'busy', error_type: 'Overloaded' }, 'rate-limit'],
  [413, { error: 'too long', error_type: 'Validation' }, 'input-too-long'],
  [400, { error: { code: 'max_tokens_per_request' } }, 'input-too-long'],
  [400, { object: 'error', type: 'invalid_request_prompt', code: '3210' }, 'input-too-long'],
  [400, { error: { message: 'batch must not be larger than 10', code: 400 } }, 'invalid-input'],
  [422, { detail: [{ loc: ['body', 'input'], msg: 'bad', type: 'value_error' }] }, 'invalid-input'],
  [408, '', 'unavailable'],
  [409, '', 'unavailable'],
  [424, { error: 'back end', error_type: 'Backend' }, 'unavailable'],
  [502, '<html><h1>Bad Gateway</h1>', 'unavailable'],
  [529, { error: { message: 'overloaded' } }, 'unavailable'],
  [307, '', 'refused-redirect'],
] as const)('HTTP %i with %o is %s', ([status, body, code]) => {
  const error = ofFailure({ status, body })
  expect(error.code).toBe(code)
  expect(error.message).toContain(`HTTP ${status}`)
  expect(error.message).toMatch(/^acme \(acme-1\): .+[."] [A-Z].+\.$/)
})

test('B59: a token that is refused or has expired is auth whatever the body, never an outage, and is not repeated', () => {
  for (const body of [{ error: { message: `token ${KEY} expired`, code: 'unauthorized' } }, 'unauthorized: token expired', '']) {
    const error = ofFailure({ status: 401, body })
    expect(error).toMatchObject({ code: 'auth', isRetryable: false })
    expect(error.message).toContain('Check the API key')
    expect(error.message).not.toContain(KEY)
  }
})

test('what the service says is shown, an HTML page is not', () => {
  expect(ofFailure({ status: 400, body: { error: { message: 'no such model size' } } }).message).toContain('"no such model size"')
  expect(ofFailure({ status: 502, body: '<!DOCTYPE html><p>secret page' }).message).not.toContain('secret page')
})

test('a message that is a list of problems, as Mistral sends it, is shown', () => {
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted', input: 1 }]
  const error = ofFailure({ status: 422, body: { object: 'error', message: { detail }, type: 'invalid_request_error' } })
  expect(error).toMatchObject({ code: 'invalid-input', message: expect.stringContaining('"Extra inputs are not permitted"') })
})

test('an array around the body, as one gateway sends it, is looked into', () => {
  expect(ofFailure({ status: 400, body: [{ error: { code: 'context_length_exceeded' } }] }).code).toBe('input-too-long')
})

test.for([
  { error: { param: '$.input[1]' } },
  { error: { param: 'input.1' } },
  { detail: [{ loc: ['body', 'input', 1], msg: 'bad' }] },
])('%o names the second input', (body) => {
  expect(ofFailure({ status: 422, body }).inputIndexes).toEqual([1])
})

test('an input that was not sent is not named', () => {
  expect(ofFailure({ status: 422, body: { error: { param: 'input[7]' } } }).inputIndexes).toBeUndefined()
})

test('a wait is told where waiting helps, only there', () => {
  const headers = new Headers({ 'retry-after': '3', 'x-request-id': 'req_1' })
  expect(ofFailure({ status: 429, headers })).toMatchObject({ retryAfterMs: 3000, requestId: 'req_1' })
  expect(ofFailure({ status: 503, headers }).retryAfterMs).toBe(3000)
  expect(ofFailure({ status: 401, headers }).retryAfterMs).toBeUndefined()
})

const withCode = (code: string): Error => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

test.for([
  ['ECONNRESET', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['UND_ERR_HEADERS_TIMEOUT', 'unavailable'],
  ['UND_ERR_SOCKET', 'unavailable'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
] as const)('B66: `fetch failed` because of %s is %s', ([code, expected]) => {
  const error = mapped(withCode(code))
  expect(error.code).toBe(expected)
  expect(error.message).toContain(code)
  expect(error.isRetryable).toBe(expected === 'unavailable')
})

test('B66: a reset among several attempts at once, deep inside an SDK, is found', () => {
  const attempts = new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })])
  expect(mapped(new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: attempts }) })).code).toBe(
    'unavailable',
  )
})

test('anything else is a bad response, a thrown text too', () => {
  for (const thrown of [new TypeError('data is not iterable'), new SyntaxError('no JSON'), 'text', undefined, null]) {
    expect(mapped(thrown).code).toBe('bad-response')
  }
})

test('a circle of causes ends', () => {
  const error = new Error('round')
  error.cause = error
  expect(mapped(error).code).toBe('bad-response')
})

test('neither key nor note comes through: not in causes, members, names, codes or an own error of the adapter', () => {
  const cause = Object.assign(new Error(`sent "${NOTE}" with ${KEY}`), {
    code: KEY,
    request: { headers: { authorization: KEY } },
    body: NOTE,
  })
  const thrown = [
    cause,
    new Error('wrapped', { cause }),
    new ProviderError('invalid-input', `refused "${NOTE.slice(5, 40)}"`, { provider: 'acme', cause }),
    new ProviderError('auth', `refused ${KEY}`, { provider: 'acme' }),
    failureError({
      status: 400,
      body: { error: { message: `${NOTE} ${KEY}`, code: KEY, type: 'short one' } },
      headers: new Headers({ 'x-request-id': KEY }),
    }),
  ]
  for (const error of thrown.map(mapped)) {
    const printed = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error) + error.stack
    expect(printed).not.toContain(KEY)
    expect(printed).not.toContain('Zanzibar')
  }
})

test('a long tale is cut, and no piece of an input is left at the cut', () => {
  const tale = 'much was said. '.repeat(40)
  expect(ofFailure({ status: 400, body: { error: tale } }).message.length).toBeLessThan(700)
  expect(ofFailure({ status: 400, body: { error: tale.slice(0, 490) + NOTE } }).message).not.toContain(NOTE.slice(0, 8))
})

test('what an adapter says of its own is kept', () => {
  const error = mapped(new ProviderError('config', 'acme: no model file. Set modelPath.', { provider: 'acme' }))
  expect(error).toMatchObject({ code: 'config', message: 'acme: no model file. Set modelPath.', provider: 'acme' })
})
