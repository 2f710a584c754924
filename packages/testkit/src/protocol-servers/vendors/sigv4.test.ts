import { expect, test } from 'vitest'
import type { WireRequest } from '../wire/exchange.ts'
import { signerOf } from './sigv4.ts'

/** `get-vanilla` of AWS's test suite for the signature. */
const GIVEN: WireRequest = {
  method: 'GET',
  path: '/',
  query: '',
  headers: {
    host: 'example.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  text: '',
  bytes: Buffer.alloc(0),
  body: undefined,
}
const AT = Date.UTC(2015, 7, 30, 12, 36)
const expectation = { secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', service: 'service', nowMs: AT }

test('a request of the published test suite is known by its signature', () => {
  expect(signerOf(GIVEN, expectation)).toEqual({ accessKeyId: 'AKIDEXAMPLE', region: 'us-east-1' })
})

test.for<readonly [string, Partial<WireRequest>, Partial<typeof expectation>]>([
  ['another secret', {}, { secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEZ' }],
  ['another service', {}, { service: 'bedrock' }],
  ['another method', { method: 'POST' }, {}],
  ['another path', { path: '/model' }, {}],
  ['another body', { bytes: Buffer.from('{}') }, {}],
  ['another host', { headers: { ...GIVEN.headers, host: 'example.org' } }, {}],
  ['a token that was not signed', { headers: { ...GIVEN.headers, 'x-amz-security-token': 'more' } }, {}],
  ['another time', {}, { nowMs: AT + 6 * 60_000 }],
  ['no signature', { headers: { host: 'example.amazonaws.com' } }, {}],
])('%s is refused', ([, request, other]) => {
  expect(signerOf({ ...GIVEN, ...request }, { ...expectation, ...other })).toBeUndefined()
})
