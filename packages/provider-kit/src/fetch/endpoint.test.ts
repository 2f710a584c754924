import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { isPrivateHost, normaliseEndpoint, openAIStyleBase, parseBaseUrl, serverUrl } from './endpoint.ts'

test.for([
  ['http://h:8000', 'http://h:8000/v1'],
  ['http://h:8000/', 'http://h:8000/v1'],
  ['http://h:8000/v1', 'http://h:8000/v1'],
  ['http://h:8000/v1/', 'http://h:8000/v1'],
  ['HTTPS://API.Example.COM:443/V1//', 'https://api.example.com/V1/v1'],
  ['https://proxy.example/llm', 'https://proxy.example/llm/v1'],
  ['https://proxy.example/llm/v1', 'https://proxy.example/llm/v1'],
  ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ['https://api.deepinfra.com/v1/openai', 'https://api.deepinfra.com/v1/openai'],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', 'https://generativelanguage.googleapis.com/v1beta/openai'],
  ['https://odd.example/api/embeddings', 'https://odd.example/api'],
] as const)('%s leads to %s', ([given, expected]) => {
  expect(openAIStyleBase(new URL(given))).toBe(expected)
})

test.for([
  ['localhost:1234', 'http://localhost:1234'],
  ['192.168.1.5', 'http://192.168.1.5:11434'],
  ['gpu-box/v1/', 'http://gpu-box:11434/v1/'],
  ['gpu-box:80', 'http://gpu-box:80'],
  ['gpu-box:', 'http://gpu-box:11434'],
  ['[::1]', 'http://[::1]:11434'],
  ['[::1]:8080/api', 'http://[::1]:8080/api'],
  [' localhost ', 'http://localhost:11434'],
  ['http://gpu-box', 'http://gpu-box'],
  ['https://ollama.com/v1', 'https://ollama.com/v1'],
] as const)('B56: the address %j of a local server is %s', ([given, expected]) => {
  expect(serverUrl(given, 11_434)).toBe(expected)
})

test('one address has one spelling', () => {
  const spellings = ['https://H.example', 'https://h.example/', 'https://h.example:443//']
  expect(new Set(spellings.map((spelling) => normaliseEndpoint(new URL(spelling)))).size).toBe(1)
})

test.for([
  'localhost',
  '127.9.9.9',
  '[::1]',
  '10.0.0.5',
  '192.168.1.2',
  '172.20.0.3',
  '100.100.1.1',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  'gpu-box',
  'vllm',
  'nas.local',
  'host.docker.internal',
])('%s is on this machine or network', (host) => {
  expect(isPrivateHost(new URL(`http://${host}`).hostname)).toBe(true)
})

test.for([
  'api.openai.com',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '[2001:db8::1]',
  '[::ffff:8.8.8.8]',
  '10.example.com',
  'localhost.example.com',
])('%s is not', (host) => {
  expect(isPrivateHost(new URL(`http://${host}`).hostname)).toBe(false)
})

test.for([
  '',
  'api.example.com/v1',
  'ftp://h/v1',
  'file:///etc/passwd',
  'http://api.example.com/v1',
  'https://user:hunter22@h/v1',
  'https://h/v1?key=hunter22',
  'https://h/v1#hunter22',
])('"%s" is refused as config, without repeating what may be a secret', (baseUrl) => {
  const caught = ((): unknown => {
    try {
      return parseBaseUrl('acme', baseUrl)
    } catch (error) {
      return error
    }
  })()
  expect(ProviderError.isInstance(caught) && caught.code).toBe('config')
  expect(String(caught)).not.toContain('hunter22')
})

test.for([
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.254.170.2',
  '169.254.1.1.',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata',
] as const)('P108: %s is no provider, by http or https', (host) => {
  for (const scheme of ['http', 'https']) {
    expect(() => parseBaseUrl('acme', `${scheme}://${host}/v1`)).toThrow(/link-local or metadata/)
  }
  expect(isPrivateHost(new URL(`http://${host}`).hostname)).toBe(false)
})

test('P108: a host name, which may hold a key, is in no error', () => {
  const thrown = (): unknown => parseBaseUrl('acme', 'http://sk-hunter22.example.com/v1')
  expect(thrown).toThrow(/plain http/)
  expect(thrown).not.toThrow(/hunter22/)
})
