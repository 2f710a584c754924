import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnchorNumber, confidenceOf, shownConfidence, type WeighedEvidence, type WeighedGroup } from './confidence.ts'

const PAGE = readFileSync(new URL('../../../../docs/opinions.md', import.meta.url), 'utf8')

const groups = (count: number, weight = 1, isByPerson = true): readonly WeighedGroup[] =>
  Array.from({ length: count }, () => ({ weight, isByPerson }))

/** `a = 0.80; 3 for; 2 against`, as the table of the page writes a case. */
function readCase(text: string): { readonly anchor: AnchorNumber; readonly evidence: WeighedEvidence } {
  const anchor = /a = ([\d.]+)( by an agent)?/.exec(text)
  const sides = [...text.matchAll(/(\d+) (for|against)(?: of weight ([\d.]+))?( by agents)?/g)].map(
    ([, count, side, weight = 1, agents]) => ({ side, groups: groups(Number(count), Number(weight), agents === undefined) }),
  )
  const of = (wanted: string) => sides.filter(({ side }) => side === wanted).flatMap((one) => one.groups)
  return {
    anchor: { confidence: Number(anchor?.[1]), isByPerson: anchor?.[2] === undefined },
    evidence: { for: of('for'), against: of('against') },
  }
}

const ROWS = [...PAGE.matchAll(/^\| (.*?) \| (a = .*?) \| ([\d.]+) \|$/gm)].map(([, name = '', form = '', number = '']) => ({
  name,
  form,
  number,
}))

test('the page holds the table', () => {
  expect(ROWS.length).toBeGreaterThan(20)
})

test.each(ROWS)('$name: $form gives $number', ({ form, number }) => {
  const { anchor, evidence } = readCase(form)
  expect(confidenceOf(anchor, evidence).toFixed(4)).toBe(number)
})

const GROUP = fc.record({ weight: fc.constantFrom(0, 0.05, 0.25, 0.35, 0.5, 0.75, 1, 1.5), isByPerson: fc.boolean() })
const EVIDENCE = fc.record({ for: fc.array(GROUP, { maxLength: 12 }), against: fc.array(GROUP, { maxLength: 12 }) })
const ANCHOR = fc.record({ confidence: fc.integer({ min: 0, max: 100 }).map((n) => n / 100), isByPerson: fc.boolean() })

test('stays within its bounds, and depends on no order', () => {
  fc.assert(
    fc.property(ANCHOR, EVIDENCE, (anchor, evidence) => {
      const confidence = confidenceOf(anchor, evidence)
      expect(confidence).toBeGreaterThanOrEqual(0.05)
      expect(confidence).toBeLessThanOrEqual(0.95)
      const turned = { for: evidence.for.toReversed(), against: evidence.against.toReversed() }
      expect(confidenceOf(anchor, turned)).toBe(confidence)
    }),
  )
})

test('one more support never lowers it, one more contradiction never raises it', () => {
  fc.assert(
    fc.property(ANCHOR, EVIDENCE, GROUP, (anchor, evidence, group) => {
      const confidence = confidenceOf(anchor, evidence)
      const more = confidenceOf(anchor, { ...evidence, for: [...evidence.for, group] })
      const less = confidenceOf(anchor, { ...evidence, against: [...evidence.against, group] })
      expect(more).toBeGreaterThanOrEqual(confidence - 1e-12)
      expect(less).toBeLessThanOrEqual(confidence + 1e-12)
    }),
  )
})

test('agents alone stay within their bounds, but pull no number of a person back', () => {
  const BY_AGENTS = fc.array(
    GROUP.map((group) => ({ ...group, isByPerson: false })),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(ANCHOR, fc.record({ for: BY_AGENTS, against: BY_AGENTS }), (anchor, evidence) => {
      const confidence = confidenceOf(anchor, evidence)
      const typed = anchor.isByPerson ? Math.min(0.95, Math.max(0.05, anchor.confidence)) : 0.5
      expect(confidence).toBeLessThanOrEqual(Math.max(0.85, typed))
      expect(confidence).toBeGreaterThanOrEqual(Math.min(0.15, typed))
    }),
  )
})

test('a number that a person typed is shown as typed until evidence moves it', () => {
  const anchor = { confidence: 1, isByPerson: true }
  expect(shownConfidence(anchor, { for: [], against: [] })).toBe(1)
  expect(shownConfidence(anchor, { for: [], against: groups(1, 0) })).toBe(1)
  expect(shownConfidence(anchor, { for: groups(1), against: [] })).toBe(0.95)
  expect(shownConfidence({ confidence: 1, isByPerson: false }, { for: [], against: [] })).toBe(0.85)
})
