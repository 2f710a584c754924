import { expect, test } from 'vitest'
import * as spec from './index.ts'
import { BackendError, ConfigError, ProviderError, StoreError, WorkspaceError } from './index.ts'

const samples: readonly Error[] = [
  new ProviderError('auth', 'refused', { provider: 'acme', status: 401 }),
  new StoreError('busy', 'busy'),
  new WorkspaceError('refused', 'refused'),
  new ConfigError('invalid-value', 'bad'),
  new BackendError('timeout', 'late'),
]

test('every exported error class is stamped with a registered symbol that does not show', () => {
  const classes = Object.values(spec).filter((value) => typeof value === 'function' && value.prototype instanceof Error)
  expect(classes).toHaveLength(samples.length)
  for (const error of samples) {
    expect(Symbol.for(`mnemark.error.${error.constructor.name}`) in error).toBe(true)
    expect(Object.getOwnPropertySymbols({ ...error })).toEqual([])
  }
})

test('isInstance knows errors of another copy of the package and no others', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('mnemark.error.ProviderError')]: true })
  expect(ProviderError.isInstance(foreign)).toBe(true)
  expect(ProviderError.isInstance(new StoreError('busy', 'x'))).toBe(false)
  expect(StoreError.isInstance(null)).toBe(false)
})

test('a cancelled call looks like an AbortError and keeps its reason', () => {
  const reason = new Error('user left')
  const error = new ProviderError('cancelled', 'cancelled', { provider: 'acme', cause: reason })
  expect(error.name).toBe('AbortError')
  expect(error.cause).toBe(reason)
})

test('only rate limits and outages are worth another try', () => {
  const retryable = (code: spec.ProviderErrorCode) => new ProviderError(code, '', { provider: 'acme' }).isRetryable
  expect(retryable('rate-limit')).toBe(true)
  expect(retryable('unavailable')).toBe(true)
  expect(retryable('auth')).toBe(false)
  expect(retryable('invalid-input')).toBe(false)
})
