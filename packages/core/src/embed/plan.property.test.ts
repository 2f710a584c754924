import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textInput } from '../../test/fake-embedder.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import type { PlannedProvider } from './input/measure-input.ts'
import { plan } from './plan.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('the', 'database.', 'قررنا', '会议。', 'Ünïcode', '👩‍💻', '：', '\n', 'e\u0301'), { maxLength: 80 })
    .map((words) => words.join(' ')),
)
const limits = fc.record(
  {
    maxInputs: fc.integer({ min: 1, max: 12 }),
    maxInputTokens: fc.integer({ min: 1, max: 100 }),
    maxRequestTokens: fc.integer({ min: 1, max: 300 }),
    maxRequestBytes: fc.integer({ min: 40, max: 2000 }),
    concurrency: fc.constant(1),
  },
  { requiredKeys: ['maxInputs', 'concurrency'] },
)
// A tokenizer that disagrees with the estimate: one token for each three bytes.
const countTokens = (part: string): number => Math.ceil(Buffer.byteLength(part) / 3)
const provider = fc.record({ limits, countTokens: fc.constantFrom(undefined, countTokens) }).map(
  ({ limits: own, countTokens: tokenizer }): PlannedProvider => ({
    limits: own,
    ...(tokenizer ? { countTokens: tokenizer } : {}),
  }),
)
const inputs = fc.array(text, { maxLength: 30 }).map((texts) => texts.map(textInput))

describe('plan', () => {
  test('B54: keeps every limit, in every request', () => {
    fc.assert(
      fc.property(provider, inputs, (planned, list) => {
        const { maxInputs, maxInputTokens = Infinity, maxRequestTokens = Infinity, maxRequestBytes = Infinity } = planned.limits
        const count = planned.countTokens ?? estimateTokens
        for (const { pieces } of plan(planned, list).requests) {
          const texts = pieces.map(({ content }) => (content.type === 'text' ? content.text : ''))
          const tokens = texts.map(count)
          expect(pieces.length).toBeGreaterThan(0)
          expect(pieces.length).toBeLessThanOrEqual(maxInputs)
          expect(Math.max(...tokens)).toBeLessThanOrEqual(maxInputTokens)
          expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(maxRequestTokens)
          expect(Buffer.byteLength(JSON.stringify(texts))).toBeLessThanOrEqual(maxRequestBytes)
        }
      }),
    )
  })

  test('sends every input once, in order, or says why not', () => {
    fc.assert(
      fc.property(provider, inputs, (planned, list) => {
        const { requests, blank, shortened, tooLong } = plan(planned, list)
        const pieces = requests.flatMap((request) => request.pieces)
        const order = pieces.map(({ index, start }) => [index, start] as const)
        expect(order).toEqual(order.toSorted(([a, b], [c, d]) => a - c || b - d))
        const accounted = [...new Set(pieces.map(({ index }) => index)), ...blank, ...tooLong].sort((left, right) => left - right)
        expect(accounted).toEqual([...list.keys()])
        for (const [index, { text: whole }] of list.entries()) {
          const own = pieces.filter((piece) => piece.index === index)
          for (const { start, end, content } of own) expect(content).toEqual(textInput(whole.slice(start, end)))
          // Everything but white space is in a piece.
          const kept = own.map(({ start, end }) => whole.slice(start, end)).join('')
          const isWhole = !tooLong.includes(index) && !shortened.includes(index)
          expect(isWhole ? bare(kept) : '').toBe(isWhole ? bare(whole) : '')
        }
        expect(blank.every((index) => list[index]?.text.trim() === '')).toBe(true)
      }),
    )
  })

  test('never cuts inside a grapheme', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(provider, inputs, (planned, list) => {
        const borders = list.map(
          ({ text: whole }) => new Set([...segmenter.segment(whole)].map(({ index }) => index).concat(whole.length)),
        )
        for (const { index, start, end } of plan(planned, list).requests.flatMap(({ pieces }) => pieces)) {
          expect(borders[index]?.has(start)).toBe(true)
          expect(borders[index]?.has(end)).toBe(true)
        }
      }),
    )
  })

  test('begins a request only where the one before had no room', () => {
    fc.assert(
      fc.property(
        inputs,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 10, max: 300 }),
        (list, maxInputs, maxRequestTokens) => {
          const { requests } = plan({ limits: { maxInputs, maxRequestTokens, concurrency: 1 }, countTokens }, list)
          for (const [at, { tokens, pieces }] of requests.slice(0, -1).entries()) {
            const next = requests[at + 1]?.pieces[0]?.tokens ?? 0
            expect(pieces.length === maxInputs || tokens + next > maxRequestTokens).toBe(true)
          }
        },
      ),
    )
  })

  test('fills at least 90 % of the tightest limit where inputs are small beside it, also with the margin of an estimate', () => {
    const chunks = fc.array(fc.integer({ min: 20, max: 90 }), { minLength: 300, maxLength: 600 })
    const list = chunks.map((sizes) => sizes.map((size) => textInput('word '.repeat(size).trim())))
    fc.assert(
      fc.property(list, (small) => {
        const byTokens = plan({ limits: { maxInputs: 2048, maxRequestTokens: 4000, concurrency: 1 } }, small)
        for (const { tokens } of byTokens.requests.slice(0, -1)) expect(tokens).toBeGreaterThanOrEqual(3600)
        const byCount = plan({ limits: { maxInputs: 96, maxRequestTokens: 300_000, concurrency: 1 } }, small)
        for (const { pieces } of byCount.requests.slice(0, -1)) expect(pieces.length).toBe(96)
        const byBytes = plan({ limits: { maxInputs: 2048, maxRequestBytes: 20_000, concurrency: 1 } }, small)
        for (const { pieces } of byBytes.requests.slice(0, -1)) {
          const texts = pieces.map(({ content }) => (content.type === 'text' ? content.text : ''))
          expect(Buffer.byteLength(JSON.stringify(texts))).toBeGreaterThanOrEqual(18_000)
        }
      }),
      { numRuns: 20 },
    )
  })
})

const bare = (whole: string): string => whole.replace(/\s+/gu, '')
