import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachRun } from './runs.ts'

function runsOf(text: string): string[] {
  const runs: string[] = []
  eachRun(text, (run, offset) => {
    expect(text.slice(offset, offset + run.length)).toBe(run)
    runs.push(run)
  })
  return runs
}

test.each([
  ['Deploy, then wait. (Twice!)', ['Deploy', 'then', 'wait', 'Twice']],
  ['see src/core/index.ts, not a.b.c.', ['see', 'src/core/index.ts', 'not', 'a.b.c']],
  ['C++ and C# and F#x, std::vector a->b', ['C++', 'and', 'C#', 'and', 'F', 'x', 'std::vector', 'a->b']],
  ['1,250.50 or 1,25 on 2026-03-14', ['1,250.50', 'or', '1', '25', 'on', '2026-03-14']],
  ['a-é b-\u00a0c word’s', ['a-é', 'b', 'c', 'word’s']],
  ['press 1\ufe0f\u20e3 or #\ufe0f\u20e3 now # *', ['press', '1\ufe0f\u20e3', 'or', '#\ufe0f\u20e3', 'now']],
  ['well — naïve cafe\u0301 iPhone手机', ['well', 'naïve', 'cafe\u0301', 'iPhone手机']],
  ['end.', ['end']],
  ['__a__ x_1 -b', ['__a__', 'x_1', 'b']],
])('%j', (text, runs) => {
  expect(runsOf(text)).toEqual(runs)
})

/** The end of a run depends on nothing after the white space that follows it. */
test('runs of parts are the runs of the whole, whatever letters stand in the other parts', () => {
  const piece = fc
    .array(
      fc.constantFrom(
        'a',
        'Z',
        '7',
        '_',
        '-',
        '.',
        ',',
        ':',
        '>',
        '+',
        '#',
        '*',
        '"',
        'é',
        '\u0301',
        'ش',
        'א',
        '会',
        '🚀',
        '\ufe0f',
        '\u20e3',
        '\u00ad',
      ),
      {
        maxLength: 8,
      },
    )
    .map((letters) => letters.join(''))
  const space = fc.constantFrom(' ', '\n', '\t', '  ')
  fc.assert(
    fc.property(fc.array(piece), space, (pieces, between) => {
      expect(runsOf(pieces.join(between))).toEqual(pieces.flatMap(runsOf))
    }),
    { numRuns: 1_000 },
  )
})
