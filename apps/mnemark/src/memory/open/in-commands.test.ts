import { chooseQueryLink } from '@mnemark/core/embed'
import { expect, test } from 'vitest'
import { commandsIn } from './in-commands.ts'

test('P81: what the engine says to programs is said here as it is typed', () => {
  const refused = { fingerprint: 'f', filled: 9, missing: 0, failed: 1 }
  const link = { fingerprint: 'f', name: 'acme', isHealthy: true, cause: null, failingSinceMs: null }
  const messages = [...chooseQueryLink([], []).degraded, ...chooseQueryLink([link], [refused]).degraded]
  expect(messages.map(({ message }) => commandsIn(message))).toEqual([
    'no embedding provider is set: keyword search only. Set memorySearch.provider for vectors.',
  ])
  const half = { ...refused, filled: 1, failed: 3 }
  const [{ message } = { message: '' }] = chooseQueryLink([link], [half]).degraded
  expect(message).toContain('`force: true`')
  expect(commandsIn(message)).toContain('a forced sync (`mnemark index --force`)')
})

test.each([
  ["again (`reEmbed: 'openai/small'`).", 'again (`mnemark index --re-embed openai/small`).'],
  ['does not wait (`fallback: true`).', 'does not wait (`mnemark index --fallback`).'],
  [
    'by words alone (`keywordsOnly: true`), or give a second provider in `embeddings`.',
    'by words alone (--keywords), or set memorySearch.fallback.',
  ],
])('%s', (message, typed) => expect(commandsIn(message)).toBe(typed))
