/**
 * Forbidden in tests, because the result then depends on the machine's load: measuring elapsed time, sleeping, or ending a wait
 * early. Count work instead, wait for an event, or compare n with a multiple of n (`assertGrowsLinearly` of testkit).
 */
const RULES: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/performance\.now\(|process\.hrtime|console\.time\(/u, 'measures elapsed time: count work, or use assertGrowsLinearly'],
  [/Date\.now\(\)\s*-\s*[a-z_$]/iu, 'measures elapsed time: count work, or use assertGrowsLinearly'],
  [/import\s*\{[^}]*\bsetTimeout\b[^}]*\}\s*from\s*'node:timers\/promises'/u, 'sleeps: wait for an event, or for expect.poll'],
  [/new Promise[^\n]*=>\s*setTimeout\(\s*\w+\s*,/u, 'sleeps: wait for an event, or for expect.poll'],
  [/\bvi\.waitFor\(/u, 'waits a second at most: expect.poll waits as long as vitest.config.ts says'],
]
/** Limits end what hangs; none is so short that a busy machine reaches it. */
const LEAST_LIMIT_MS = 60_000
const LIMITS = /\btimeout:\s*([\d_]+)|^\s*\},\s*([\d_]+)\)$/gmu

/** The places in the text of a test file where it watches the clock. */
export function clockProblems(text: string): readonly string[] {
  const lines = text.split('\n')
  const watched = lines.flatMap((line, index) =>
    RULES.filter(([pattern]) => pattern.test(line)).map(([, problem]) => `line ${index + 1} ${problem}`),
  )
  const short = [...text.matchAll(LIMITS)]
    .filter(([, option, argument]) => Number((option ?? argument ?? '').replaceAll('_', '')) < LEAST_LIMIT_MS)
    .map(({ index }) => `line ${text.slice(0, index).split('\n').length} sets a limit under a minute`)
  return [...new Set([...watched, ...short])]
}
