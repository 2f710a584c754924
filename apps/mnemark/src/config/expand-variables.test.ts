import { expect, test } from 'vitest'
import { expandVariables } from './expand-variables.ts'

const environment = { HOST: 'example.org', EMPTY: '' }

test('puts values in place, several in one text', () => {
  expect(expandVariables('https://${HOST}/${HOST}', 'key', environment)).toBe('https://example.org/example.org')
})

test('B72: an unset or empty variable is an error and never stays as text', () => {
  for (const name of ['MISSING', 'EMPTY']) {
    expect(() => expandVariables(`a\${${name}}b`, 'some.key', environment)).toThrow(
      `some.key needs the environment variable ${name}, which is not set`,
    )
  }
})

test('a doubled dollar sign keeps the text, and other dollars mean nothing', () => {
  expect(expandVariables('$${HOST} $HOST ${} costs $5', 'key', environment)).toBe('${HOST} $HOST ${} costs $5')
})
