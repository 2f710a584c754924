import { setImmediate } from 'node:timers'
import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { secretExamples } from './__fixtures__/secret-examples.ts'
import { maskMessage, maskText, PIECE } from './mask-text.ts'
import { privateKeys } from './private-keys.ts'
import { secretCells } from './secret-tables.ts'

const WORDS = [
  [
    'eyJ-',
    'eyJaaaaaaaa.',
    'sk-',
    'sk-a',
    '0f',
    '0x',
    '4111 ',
    'a:123:b:',
    'http://a:',
    '://',
    '?key=',
    '$1$',
    'jdbc:oracle:a:',
    'otpauth://',
  ],
  [
    'password',
    'password ',
    'password:',
    'password is ',
    'password a ',
    'password\n',
    'pass=',
    'key ',
    'token a b c d ',
    'A_KEY=',
    'A=',
    'ABC',
  ],
  [
    'pin ',
    'login ',
    'login a password',
    'login as ',
    'as a/',
    'seed phrase ',
    'seed phrase abc ',
    'mnemonic abc ',
    'backup codes: 1234 ',
    'otp AAAA',
  ],
  [
    'Cookie: a=',
    'Authorization: ',
    'Bearer ',
    'Basic ',
    'X-A-Key',
    '--password ',
    '--a-b-',
    '-u a:',
    'mysql ',
    'mysql -p',
    'Private-Lines: 999\n',
  ],
  [
    `-----${'BEGIN'} A`,
    `-----${'BEGIN'} PRIVATE KEY-----\n`,
    `-----${'END'} PRIVATE KEY-----\n`,
    'AAAAAAAAAAAAAAAAAAAA\n',
    '| a ',
    'a|\n',
    '| --- |\n',
  ],
  [
    'a',
    'abc ',
    '.',
    '-',
    '_',
    '"',
    "'",
    '`',
    '=',
    ':',
    '/',
    '(',
    '[',
    '{"',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '> ',
    '- ',
    '密码',
    '密码是',
    'пароль',
    'كلمة',
    '😀',
  ],
].flat()

/** Text made from the shapes themselves: their beginnings, middles and ends, so that a match fails only at its last part. */
function hostileUnits(): readonly string[] {
  const parts = secretExamples().flatMap(({ text }) =>
    [4, 8, 16, 24, 40, 80].flatMap((length) => [text.slice(0, length), text.slice(-length), `${text.slice(0, length)} `]),
  )
  return [...new Set([...WORDS, ...parts])]
}

const filled = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

test('P101: the work for a piece grows with its length, whatever is repeated in it', () => {
  for (const unit of hostileUnits()) assertGrowsLinearly((length) => maskMessage(filled(unit, length)), PIECE)
})

test('P101: what looks at a text as a whole takes work that grows with its length', () => {
  for (const unit of WORDS) {
    assertGrowsLinearly((length) => {
      const text = filled(unit, length)
      privateKeys(text)
      secretCells(text)
    }, 300_000)
  }
})

test.each(['eyJ-', 'password ', `s${'k-'}a1B2c3D4e5F6g7H8 `])(
  'P101: between two pieces other work has its turn: %s',
  async (unit) => {
    const pieces = 25
    const text = filled(unit, pieces * PIECE)
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await maskText(text)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(pieces)
  },
)

test('P101: a secret over the end of a piece is hidden whole', async () => {
  const key = `s${'k-'}${'a1B2c3D4e5'.repeat(30)}`
  for (let at = PIECE - 400; at < PIECE + 100; at += 37) {
    const masked = await maskText(`${'word '.repeat(PIECE).slice(0, at - 1)} ${key} behind`)
    expect(masked).not.toContain('a1B2')
    expect(masked.endsWith(' behind')).toBe(true)
  }
})
