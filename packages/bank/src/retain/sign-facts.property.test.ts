import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFacts } from './read-facts.ts'
import { signFacts } from './sign-facts.ts'

const path = 'memory/2026-03-01.md'
const OWN = [
  '# Day',
  '',
  '## Retain',
  '- W @Mara: own boat',
  '  and own car',
  '- O(c=0.8) @Mara: own tea',
  '  - Evidence: memory/2026-02-01.md',
  '',
  '## Log',
  'Rain.',
  '- W: own words that were no fact',
]

/** Lines of which an agent may make facts: bare ones, and all that hides or shows what stands below. */
const line = fc.constantFrom(
  '',
  'Rain.',
  '- W @Mara: false one',
  'O(c=0.9) @Mara: false two',
  '  and false three',
  '  (by: agent)',
  '  - Confidence: 0.1',
  '## Retain',
  '### Retain 2026-01-01',
  'Retain',
  '---',
  '===',
  '## Log',
  '### Format',
  '# Other',
  '```',
  '~~~',
  '- ```',
  '<!--',
  '-->',
  '<!-- mnemark:bank:start -->',
  '<!-- mnemark:bank:end -->',
  '> quoted',
  '    code',
  '- W @Mara: own boat',
  '  and own car',
  '- O(c=0.8) @Mara: own tea',
)
/** Lines from `at` on, `taken` of them, replaced by others. */
const edit = fc.record({ at: fc.nat(40), taken: fc.nat(3), lines: fc.array(line, { maxLength: 4 }) })

/** What a person's facts of a note claim, sorted. */
function claims(text: string): readonly string[] {
  const own = readFacts(text, { path }).facts.filter(({ author }) => author === 'person')
  return own.map(({ content, confidence }) => `${content} ${confidence ?? ''}`).sort()
}

test.each(['\n', '\r\n'])(
  "whatever an agent edits in whatever order, no fact of its own is a person's: line ends %j",
  (lineEnd) => {
    const before = OWN.join(lineEnd)
    const own = claims(before)
    expect(own).toHaveLength(2)
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = before
        for (const { at, taken, lines } of edits) {
          const all = text.split(lineEnd)
          const start = at % (all.length + 1)
          const made = all.toSpliced(start, taken, ...lines).join(lineEnd)
          const places = { startLine: start + 1, endLine: Math.max(start + 1, start + lines.length) }
          // A change that cannot be signed is refused, and nothing is written.
          text = signFacts(made, { path, before: text, ...places, author: 'agent' }) ?? text
        }
        const left = [...own]
        const others = claims(text).filter((claim) => {
          const place = left.indexOf(claim)
          if (place >= 0) left.splice(place, 1)
          return place < 0
        })
        expect(others).toEqual([])
      }),
      { numRuns: 2000 },
    )
  },
)

/** A line below a fact that goes on with it, or says how sure it is, makes it another fact. */
const apart = line.filter((text) => !text.startsWith(' '))

test("whatever an agent puts above or below, the lines of a person's facts stay as they are", () => {
  const facts = OWN.slice(0, 7)
  fc.assert(
    fc.property(fc.array(apart, { minLength: 1, maxLength: 4 }), fc.boolean(), (lines, isAbove) => {
      const start = isAbove ? 2 : facts.length
      const text = facts.toSpliced(start, 0, ...lines).join('\n')
      const places = { startLine: start + 1, endLine: start + lines.length }
      const signed = signFacts(text, { path, before: facts.join('\n'), ...places, author: 'agent' }) ?? text
      expect(signed.split('\n').toSpliced(start, lines.length)).toEqual(facts)
    }),
    { numRuns: 1000 },
  )
})
