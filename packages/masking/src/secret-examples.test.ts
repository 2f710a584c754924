import { describe, expect, test } from 'vitest'
import { PASSWORD_SENTENCES, SENTENCE_PASSWORD, secretExamples } from './__fixtures__/secret-examples.ts'
import { findSecrets, maskMessage, maskText } from './mask-text.ts'

const examples = secretExamples()
const linesOf = (text: string): number => text.split('\n').length

test('P106: the list holds 94 shapes, each once', () => {
  expect(new Set(examples.map(({ name }) => name)).size).toBe(94)
  expect(examples).toHaveLength(94)
})

describe.each(examples)('P106: $name', ({ text, secret }) => {
  test.each([
    ['a sentence', text],
    ['a note', `---\ntitle: Keys\n---\n\n# Keys\n\nSome words before.\n\n${text}\n\nSome words behind.\n`],
    [
      'a list',
      text
        .split('\n')
        .map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))
        .join('\n'),
    ],
    [
      'a quote',
      text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    ],
    ['a note with carriage returns', `# Keys\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n\r\nBehind.`],
  ])('is hidden in %s, and the lines keep their numbers', async (_place, note) => {
    const masked = await maskText(note)
    expect(masked).not.toContain(secret)
    expect(masked).not.toContain(secret.slice(0, Math.max(4, secret.length / 2)))
    expect(linesOf(masked)).toBe(linesOf(note))
  })

  test('is hidden in a message', () => {
    expect(maskMessage(`the service answered 401:\n${text}`)).not.toContain(secret)
  })

  test('is counted', async () => {
    expect((await findSecrets(text)).length).toBeGreaterThan(0)
  })
})

test.each(PASSWORD_SENTENCES)('P106: a password is hidden in any language: %s', async (sentence) => {
  expect(await maskText(sentence)).not.toContain(SENTENCE_PASSWORD)
  expect(await maskText(`# Notes\n\n- ${sentence}\n- other`)).not.toContain(SENTENCE_PASSWORD)
})
