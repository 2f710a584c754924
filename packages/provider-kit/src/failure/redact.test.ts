import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, repeatsInput } from './redact.ts'

const KEY = 'sk-äbc/DEF+123=="quoted"'

test('a secret goes in every form it is usually repeated in', () => {
  const forms = [
    KEY,
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(KEY).toString('base64url'),
    JSON.stringify(KEY).slice(1, -1),
  ]
  for (const form of forms) expect(redact(`before ${form} after`, [KEY])).toBe('before [redacted] after')
})

test('a secret that holds another one goes whole', () => {
  expect(redact('key abcd-efgh', ['abcd', 'abcd-efgh'])).toBe('key [redacted]')
})

test('no secret is left, wherever it stands', () => {
  const secret = fc.string({ minLength: 4, maxLength: 20 }).filter((text) => !'[redacted]'.includes(text))
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (text, before, after) => {
      expect(redact(`${before} ${text} ${after}`, [text])).not.toContain(text)
    }),
  )
})

test.for([
  ['a run of fifteen characters', 'cannot embed: "key lies under"', 'the spare key lies under the fern', true],
  ['a run in a script beyond ASCII', '无法处理：备用钥匙在', '保险箱的备用钥匙在门口', true],
  ['a run that was escaped', String.raw`bad: '\u5907\u7528\u94a5\u5319\u5728'`, '保险箱的备用钥匙在门口', true],
  ['a whole short input', 'bad input: pin 7391', 'pin 7391', true],
  [
    'a run that was percent-encoded',
    `bad: ${encodeURIComponent('the spare key lies')}`,
    'the spare key lies under the fern',
    true,
  ],
  ['a run in base64', `bad: ${Buffer.from('the spare key lies').toString('base64')}`, 'the spare key lies under the fern', true],
  ['common words', 'the request was too long', 'the meeting was moved', false],
  ['nothing', '', 'a note', false],
  ['inputs of one letter', 'a bad input', 'a', false],
] as const)('%s: %s', ([, text, input, expected]) => {
  expect(repeatsInput(text, [input])).toBe(expected)
})
