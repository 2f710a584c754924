import { expect, test } from 'vitest'
import { checkHeaders, requireKey, secretsOf } from './check-options.ts'
import { freezeOptions } from './freeze-options.ts'

const config = expect.objectContaining({ code: 'config', provider: 'acme' })

test('a key read from a file comes without its line break', () => {
  expect(requireKey('acme', ' sk-123\n')).toBe('sk-123')
})

test.for([undefined, '', '  ', 'sk-1\nsk-2', 'sk-…', 'sk-\u0000', 42])('%o is no key', (key) => {
  expect(() => requireKey('acme', key)).toThrow(config)
})

test('B72: a variable that was not replaced is refused before any request, in keys and headers', () => {
  expect(() => requireKey('acme', '${ACME_KEY}')).toThrow(config)
  expect(() => checkHeaders('acme', { 'x-key': '${MISSING}' })).toThrow(config)
  expect(() => checkHeaders('acme', { 'x-key': 'Bearer ${ MISSING }' })).toThrow(config)
})

test('a header that cannot be sent is named, its value is not', () => {
  expect(() => checkHeaders('acme', { 'X-Key': 'hunter22\nx' })).toThrow(/^(?!.*hunter22).*X-Key/s)
  expect(() => checkHeaders('acme', { 'x key': 'v' })).toThrow(config)
  expect(checkHeaders('acme', { 'X-Key': ' v ' })).toEqual({ 'x-key': 'v' })
})

test('the credential after the scheme is a secret of its own', () => {
  expect(secretsOf('sk-1', { authorization: 'Basic abcd' })).toEqual(['sk-1', 'sk-1', 'Basic abcd', 'abcd'])
})

test('frozen options do not follow the original, and keep functions and instances', () => {
  const original = { list: [{ value: 1 }], fetch: () => {}, url: new URL('http://h') }
  const copy = freezeOptions(original)
  original.list[0]!.value = 2
  expect(copy.list[0]?.value).toBe(1)
  expect(Object.isFrozen(copy.list[0])).toBe(true)
  expect([copy.fetch, copy.url]).toEqual([original.fetch, original.url])
  expect(copy.url).toBe(original.url)
})
