import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskHit } from './mask-hit.ts'
import { applyMaskings, findSecrets, maskedPosition, maskingsOf, maskText } from './mask-text.ts'
import { secretsAround } from './secrets-around.ts'
import type { ReadLines } from './secrets-around.ts'

const mask = maskText
/** Built from pieces, so that no scanner takes this file for a leak. */
const filler = (length: number): string => 'a1B2c3D4e5'.repeat(8).slice(0, length)

test.each([
  ['a service key', `the key is ${'sk'}-proj-${filler(32)} for now`],
  ['a cloud access key', `id ${'AK'}IAABCDEFGHIJKLMNOP`],
  ['a code host token', `${'gh'}p_${filler(36)}`],
  ['a chat bot token', `bot ${'123456789'}:${filler(35)}`],
  ['a signed web token', `auth ${'ey'}J${filler(12)}.${filler(20)}.${filler(20)}`],
  ['a bearer header', `-H "Authorization: Bearer ${filler(24)}"`],
  ['a private key', `-----BEGIN ${'RSA'} PRIVATE KEY-----\n${filler(60)}\n-----END ${'RSA'} PRIVATE KEY-----`],
  ['bare digits as long as a key', `wallet ${'0f'.repeat(32)}`],
])('%s is hidden by its shape', async (_name, text) => {
  const masked = await mask(text)
  expect(masked).toContain('(hidden)')
  expect(masked).not.toContain(filler(16))
  expect(masked).not.toContain('0f0f0f')
})

test.each([
  ['postgres://app:s3cret@db.local/notes', 'postgres://app:(hidden)@db.local/notes'],
  ['password: hunter2', 'password: (hidden)'],
  ['- **Password:** `tulip-garden`', '- **Password:** `(hidden)`'],
  ['wifi_password = "Sunny Days"', 'wifi_password = "(hidden)"'],
  ['كلمة السر: وردة٩٩', 'كلمة السر: (hidden)'],
  ['密码：梅花2024', '密码：(hidden)'],
  ['пароль: Ромашка7', 'пароль: (hidden)'],
  [`OPENAI_API_KEY=${filler(20)}`, 'OPENAI_API_KEY=(hidden)'],
])('what stands after a word for password or key is hidden: %s', async (text, masked) => {
  expect(await mask(text)).toBe(masked)
})

test.each([
  'Password: written on the fridge door',
  'The token: estimates are per character',
  'A secret is best kept by one',
  `sha256: ${'0f'.repeat(32)}`,
  'api_key: ${OPENAI_API_KEY}',
  'https://example.org/a@b',
  'commit 3d5538a0c1',
  'memory/2026-03-14.md#L12-L20',
])('what only looks near it stays: %s', async (text) => {
  expect(await mask(text)).toBe(text)
})

test('cells of tables under or beside a word for password are hidden, others stay', async () => {
  expect(
    await mask('| Service | User | Password |\n| --- | --- | --- |\n| router | admin | tulip garden |\n| nas | root | rose |'),
  ).toBe('| Service | User | Password |\n| --- | --- | --- |\n| router | admin | (hidden) |\n| nas | root | (hidden) |')
  expect(await mask('| Field | Value |\n|---|---|\n| Password | tulip |\n| Port | 8080 |')).toBe(
    '| Field | Value |\n|---|---|\n| Password | (hidden) |\n| Port | 8080 |',
  )
})

test('a secret whose label was cut off is hidden where it is known from around', async () => {
  const note = '| Name | Password |\n| --- | --- |\n| nas | tulip garden |'
  expect(await mask('| nas | tulip garden |', await findSecrets(note))).toBe('| nas | (hidden) |')
})

test('positions follow their text, whatever is hidden before them', async () => {
  const text = 'password: hunter2 and the router'
  const maskings = await maskingsOf(text)
  const masked = applyMaskings(text, maskings)
  const at = text.indexOf('router')
  expect(masked.slice(maskedPosition(at, maskings), maskedPosition(at + 6, maskings))).toBe('router')
})

test('masking ends on any text, and what is masked has nothing more to hide', async () => {
  const pieces = fc.constantFrom(
    'password: ',
    'token=',
    filler(20),
    '| Password | ',
    ' |\n',
    '| --- | --- |\n',
    'a',
    '://u:p4ss@h',
    '\n',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
      const text = parts.join('')
      const maskings = await maskingsOf(text)
      expect(maskedPosition(text.length, maskings)).toBe(applyMaskings(text, maskings).length)
    }),
  )
})

describe('a secret of which an excerpt shows a part', () => {
  const body = Array.from({ length: 24 }, (_, line) => `${filler(56)}${line + 10}`)
  const lines = ['# Keys', '', `-----BEGIN ${'RSA'} PRIVATE KEY-----`, ...body, `-----END ${'RSA'} PRIVATE KEY-----`, '', 'after']
  const note = lines.join('\n')
  const readLines: ReadLines = async ({ from, lines: count }) => lines.slice(from - 1, from - 1 + count).join('\n')

  test('is hidden in a snippet from the middle of a private key', async () => {
    const snippet = `…${note.slice(400, 900)}…\nSource: keys.md#L1-L30`
    const place = { source: 'memory', path: 'keys.md', startLine: 1, endLine: 30, line: 1, citation: 'x' }
    const hit = { ...place, score: 1, share: 1, snippet, snippetLines: [], highlights: [] }
    const masked = (await maskHit(hit, note, readLines)).snippet
    expect(masked).not.toMatch(/[A-Za-z\d]{12}/)
    expect(masked).toMatch(/^…\(hidden\)[\s\S]*…\nSource: keys\.md#L1-L30$/)
  })

  test.each([
    [10, 12],
    [26, 30],
    [4, 30],
  ])('is hidden in lines %d to %d of its note', async (startLine, endLine) => {
    const text = lines.slice(startLine - 1, endLine).join('\n')
    expect(await mask(text, await secretsAround({ path: 'keys.md', startLine, text }, readLines))).not.toContain(filler(12))
  })

  test('is hidden where the excerpt is cut through it, at both ends', async () => {
    const key = `${'sk'}-proj-${filler(60)}`
    expect(await mask(`…${key.slice(30)} and words`, [key])).toBe('…(hidden) and words')
    expect(await mask(`some words ${key.slice(0, 12)}…`, [key])).toBe('some words (hidden)…')
    expect(await mask(`some words ${key.slice(0, 30)}…\nSource: a.md#L1-L2`, [key])).toBe(
      'some words (hidden)…\nSource: a.md#L1-L2',
    )
    expect(await mask('some words', [key])).toBe('some words')
  })
})
