import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { textInput } from '../../test/fake-embedder.ts'
import { plan } from './plan.ts'

const OPENAI = { maxInputs: 2048, maxInputTokens: 8192, maxRequestTokens: 300_000, concurrency: 4 }
const textsOf = (planned: ReturnType<typeof plan>): string[] =>
  planned.requests.flatMap(({ pieces }) => pieces.map(({ content }) => (content.type === 'text' ? content.text : content.label)))

test('1,000 chunks of full size make no more than four requests at 2,048 inputs and 300,000 tokens', () => {
  const chunks = Array.from({ length: 1000 }, (_, index) => textInput(`${index} ${'these words are here. '.repeat(75)}`))
  const { requests, tokens } = plan({ limits: OPENAI }, chunks)
  expect(tokens).toBeGreaterThan(350_000)
  expect(requests.length).toBeLessThanOrEqual(4)
})

test('B54: 25 inputs at 10 a request are 10, 10 and 5', () => {
  const list = Array.from({ length: 25 }, (_, index) => textInput(`note ${index}`))
  expect(plan({ limits: { maxInputs: 10, concurrency: 1 } }, list).requests.map(({ pieces }) => pieces.length)).toEqual([
    10, 10, 5,
  ])
})

test('B22: wide characters are never counted below one token each', () => {
  for (const text of ['：'.repeat(600), '─'.repeat(600), '👩‍💻'.repeat(200), '中'.repeat(600)]) {
    const { requests } = plan({ limits: { maxInputs: 32, maxInputTokens: 512, concurrency: 1 } }, [textInput(text)])
    const pieces = requests.flatMap((request) => request.pieces)
    expect(pieces.length).toBeGreaterThan(1)
    for (const { content } of pieces) expect(content.type === 'text' && [...content.text].length).toBeLessThanOrEqual(512)
  }
})

test('B58: a chunk of 531 tokens is cut to fit 512, as the tokenizer of the model counts', () => {
  const countTokens = (part: string): number => part.split(/\s+/).filter((word) => word !== '').length + 2
  const text = Array.from({ length: 529 }, (_, index) => `w${index}`).join(' ')
  expect(countTokens(text)).toBe(531)
  const planned = plan({ limits: { maxInputs: 32, maxInputTokens: 512, concurrency: 1 }, countTokens }, [textInput(text)])
  const texts = textsOf(planned)
  expect(texts.length).toBe(2)
  for (const part of texts) expect(countTokens(part)).toBeLessThanOrEqual(512)
  expect(texts.join('')).toBe(text)
})

test('a tokenizer keeps its own this', () => {
  class Tokenized {
    readonly limits = { maxInputs: 2, maxInputTokens: 10, concurrency: 1 }
    readonly #perToken = 4
    countTokens(text: string): number {
      return Math.ceil(text.length / this.#perToken)
    }
  }
  expect(plan(new Tokenized(), [textInput('a text of some length')]).tokens).toBe(6)
})

test('a long text is cut at sentences, else between words, else between graphemes', () => {
  const limits = { maxInputs: 32, maxInputTokens: 44, concurrency: 1 }
  const sentences = textsOf(
    plan({ limits }, [textInput('The first sentence has some more words in it than that. '.repeat(6).trim())]),
  )
  expect(sentences.every((part) => part.startsWith('The first') && part.trimEnd().endsWith('that.'))).toBe(true)
  const words = textsOf(plan({ limits }, [textInput('unbroken words without an end '.repeat(20).trim())]))
  expect(words.slice(0, -1).every((part) => part.endsWith(' '))).toBe(true)
  const graphemes = textsOf(plan({ limits }, [textInput('👨‍👩‍👧‍👦'.repeat(30))]))
  expect(graphemes.length).toBeGreaterThan(1)
  expect(graphemes.every((part) => /^(?:👨‍👩‍👧‍👦)+$/u.test(part))).toBe(true)
})

test('cut keeps the beginning alone, and says so', () => {
  const long = `${'Beginning of it. '.repeat(60)}The end.`
  const limits = { maxInputs: 32, maxInputTokens: 50, concurrency: 1 }
  const planned = plan({ limits }, [textInput('short'), textInput(long)], { overlong: 'cut' })
  expect(planned.shortened).toEqual([1])
  const [, beginning] = textsOf(planned)
  expect(long.startsWith(beginning ?? '-')).toBe(true)
  expect(textsOf(planned)).toHaveLength(2)
})

test('one grapheme that is larger than any input is left out, and what stands around it is kept', () => {
  const monster = `e${'\u0301'.repeat(500)}`
  const limits = { maxInputs: 32, maxInputTokens: 40, concurrency: 1 }
  const planned = plan({ limits }, [textInput(`before it ${monster} behind it`), textInput(monster)])
  expect(planned.shortened).toEqual([0])
  expect(planned.tooLong).toEqual([1])
  expect(textsOf(planned).join('|')).toBe('before it | behind it')
})

test('media are measured in bytes, never cut, and refused alone where one is too large', () => {
  const media = (size: number, label: string) => ({
    type: 'media' as const,
    mime: 'image/png',
    bytes: new Uint8Array(size),
    label,
  })
  const limits = { maxInputs: 32, maxRequestBytes: 4000, concurrency: 1 }
  const planned = plan({ limits }, [media(2000, 'a'), media(2000, 'b'), media(5000, 'c'), textInput('a text')])
  expect(planned.requests.map(({ pieces }) => pieces.map(({ index }) => index))).toEqual([[0], [1, 3]])
  expect(planned.tooLong).toEqual([2])
})

test('a note of 200,000 characters on one line is planned in linear time', () => {
  const planned = (times: number) =>
    plan({ limits: { ...OPENAI, maxInputTokens: 512 } }, [textInput('数据库连接失败 database connection '.repeat(times))])
  assertGrowsLinearly(planned, 8_000)
  expect(planned(8_000).requests.flatMap(({ pieces }) => pieces).length).toBeGreaterThan(150)
})
