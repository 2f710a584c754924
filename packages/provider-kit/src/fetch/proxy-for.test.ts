import { expect, test } from 'vitest'
import { proxyFor } from './proxy-for.ts'
import { notedFailure } from '../failure/service-failure.ts'

const PROXY = 'http://proxy.example:3128'
const chosen = (address: string, environment: Readonly<Record<string, string>>) =>
  proxyFor(address, environment)?.variable ?? null

test('P54: the variable is that of the scheme, small letters first, else ALL_PROXY', () => {
  const [https, http] = ['https://api.example/v1', 'http://api.example/v1']
  for (const [name, forHttps, forHttp] of [
    ['HTTPS_PROXY', 'HTTPS_PROXY', null],
    ['https_proxy', 'https_proxy', null],
    ['HTTP_PROXY', null, 'HTTP_PROXY'],
    ['http_proxy', null, 'http_proxy'],
    ['ALL_PROXY', 'ALL_PROXY', 'ALL_PROXY'],
    ['all_proxy', 'all_proxy', 'all_proxy'],
  ] as const)
    expect([name, chosen(https, { [name]: PROXY }), chosen(http, { [name]: PROXY })]).toEqual([name, forHttps, forHttp])
  expect(chosen(https, { HTTPS_PROXY: PROXY, https_proxy: PROXY, ALL_PROXY: PROXY })).toBe('https_proxy')
  expect(chosen(https, { HTTPS_PROXY: ' ', ALL_PROXY: PROXY })).toBe('ALL_PROXY')
  expect(chosen(https, {})).toBeNull()
})

test.for([
  ['*', 'api.example', true],
  ['api.example', 'api.example', true],
  ['API.Example.', 'api.example', true],
  ['example', 'api.example', true],
  ['.example', 'api.example', true],
  ['*.example', 'api.example', true],
  ['xample', 'api.example', false],
  ['api.example:443', 'api.example', true],
  ['api.example:8443', 'api.example', false],
  ['other, api.example other2', 'api.example', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['localhost', 'localhost', true],
  ['localhost', '127.0.0.1', false],
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['192.168.0.0/16:443', '192.168.3.4', true],
  ['10.0.0.0/99', '10.1.2.3', false],
  ['::1', '[::1]', true],
  ['[::1]', '[::1]', true],
  ['[::1]:443', '[::1]', true],
  ['fd00::/8', '[fd12:3456::1]', true],
  ['fd00::/8', '10.1.2.3', false],
  ['1.2.3', '1.2.3.4', false],
  [',, .', 'api.example', false],
] as const)('P54: NO_PROXY=%s for %s: %s', ([entries, host, isPast]) => {
  for (const name of ['NO_PROXY', 'no_proxy'])
    expect(chosen(`https://${host}/v1`, { HTTPS_PROXY: PROXY, [name]: entries })).toBe(isPast ? null : 'HTTPS_PROXY')
})

test('P54: an address without a scheme is one of http; socks goes too; its password is in no shown part', () => {
  expect(proxyFor('https://a.example', { HTTPS_PROXY: 'me:hunter22@proxy.example:3128' })).toMatchObject({
    host: 'proxy.example:3128',
  })
  expect(proxyFor('https://a.example', { ALL_PROXY: 'socks5://proxy.example:1080' })).toMatchObject({
    host: 'proxy.example:1080',
  })
})

test.for(['ftp://proxy.example', 'http://', '://x', 'http://me:hunter22@'])(
  'P54: %s names no proxy, and the variable is said',
  (value) => {
    let error: unknown
    try {
      proxyFor('https://a.example', { HTTPS_PROXY: value })
    } catch (thrown) {
      error = thrown
    }
    const failure = notedFailure(Object(error))
    expect(failure?.code).toBe('config')
    expect(failure?.summary).toContain('HTTPS_PROXY')
    expect(JSON.stringify(failure)).not.toContain('hunter22')
  },
)
