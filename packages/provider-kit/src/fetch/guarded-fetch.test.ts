import { expect, test, vi } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'
import { toProviderError } from '../failure/provider-failure.ts'
import { failureError } from '../failure/service-failure.ts'

const mapped = async (promise: Promise<unknown>, hidden: { readonly secrets?: string[]; readonly texts?: string[] } = {}) =>
  toProviderError(await promise.catch((error: unknown) => error), {
    provider: 'p',
    model: 'm',
    secrets: [],
    texts: [],
    ...hidden,
  })

test('B72: another origin than the configured one is never asked', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  const guarded = guardedFetch('https://api.example', fetch)
  for (const url of [
    'https://api.example.evil/v1',
    'http://api.example/v1',
    'https://api.example:8443/v1',
    new URL('https://other.example'),
  ]) {
    expect(await mapped(guarded(url))).toMatchObject({ code: 'refused-redirect' })
  }
  expect(await mapped(guarded(new Request('https://other.example')))).toMatchObject({ code: 'refused-redirect' })
  expect(fetch).not.toHaveBeenCalled()
})

test('a redirect is refused with its target, without the query', async () => {
  const headers = { location: 'https://login.example/start?token=hunter22' }
  const guarded = guardedFetch('https://api.example', async () => new Response(null, { status: 302, headers }))
  const error = await mapped(guarded('https://api.example/v1'))
  expect(error).toMatchObject({ code: 'refused-redirect', status: 302 })
  expect(error.message).toContain('https://login.example/start')
  expect(error.message).not.toContain('hunter22')
})

test('a redirect whose path repeats a key or an input does not show it', async () => {
  const note = 'the spare key lies under the fern'
  const headers = { location: `https://login.example/sk-hunter22/${encodeURIComponent(note)}` }
  const guarded = guardedFetch('https://api.example', async () => new Response(null, { status: 307, headers }))
  const send = () => guarded('https://api.example/v1')
  expect((await mapped(send(), { secrets: ['sk-hunter22'] })).message).toContain('https://login.example/[redacted]/')
  expect((await mapped(send(), { texts: [note] })).message).not.toContain('login.example')
})

test('redirects are not followed by the fetch beneath, whatever was asked', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{}'))
  await guardedFetch('https://api.example', fetch)('https://api.example/v1', { redirect: 'follow' })
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual' })
})

test.for([new TypeError('fetch failed'), 'a text', Object.assign(new Error(), { code: 'NEW_CODE' })])(
  'B66: whatever fetch rejects with (%o) is a connection that failed',
  async (thrown) => {
    const guarded = guardedFetch('https://api.example', () => Promise.reject(thrown))
    expect(await mapped(guarded('https://api.example/v1'))).toMatchObject({ code: 'unavailable', isRetryable: true })
  },
)

test('what a fetch beneath says of its failure stays', async () => {
  const guarded = guardedFetch('https://api.example', () => Promise.reject(failureError({ status: 429, code: 'quota' })))
  expect(await mapped(guarded('https://api.example/v1'))).toMatchObject({ code: 'quota', status: 429, isRetryable: false })
})
