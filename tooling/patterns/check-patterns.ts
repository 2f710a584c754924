/**
 * Every regular expression of the code that reads notes, names, queries and configuration takes time that grows with its input:
 * `pnpm check:patterns`, with recheck. Safe verdicts are kept in `node_modules/.cache`, so that only other patterns are looked at again.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collectPatterns } from './collect-patterns.ts'
import type { Pattern } from './collect-patterns.ts'
import { KNOWN_PATTERNS } from './known-patterns.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = [
  'apps/mnemark/src/**/*.ts',
  'packages/{bank,core,masking,provider-kit,sessions,spec,store-kit,store-memory,store-qmd,store-sqlite,tools,workspace}/src/**/*.ts',
]
const LEFT_OUT = /\.(?:test|test-d|bench|d)\.ts$|__fixtures__|\/cli\.ts$/
const CACHE = join(ROOT, 'node_modules/.cache/mnemark/patterns.json')
const LONGEST_MS = 60_000
/** A pattern that repeats nothing without a bound cannot take more than a constant for each character. */
const IS_UNBOUNDED = /[*+]|\{\d+,\}/

type Verdict = 'safe' | 'vulnerable' | 'unknown'

/** Its JavaScript: the native builds are not installed. */
async function loadChecker(): Promise<(source: string, flags: string) => Verdict> {
  process.env.RECHECK_BACKEND = 'pure'
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const { checkSync } = await import('recheck')
  // Flags that change no match: it does not know the newer ones.
  const judge = (source: string, flags: string, limits: object): Verdict =>
    checkSync(source, flags.replace(/[dv]/g, ''), { timeout: LONGEST_MS, randomSeed: 1, ...limits }).status
  // Its own limits are in milliseconds: on a busy machine it gives up early and calls sound patterns vulnerable.
  const patient = { seedingTimeout: LONGEST_MS, incubationTimeout: LONGEST_MS, attackTimeout: LONGEST_MS }
  return (source, flags) => {
    const verdict = judge(source, flags, {})
    return verdict === 'safe' ? verdict : judge(source, flags, patient)
  }
}

function readCache(): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'))
  } catch {
    return {}
  }
}

function isKnown({ file, source }: Pattern): boolean {
  return KNOWN_PATTERNS.some((known) => known.file === file && source.includes(known.holds ?? ''))
}

const files = globSync([...SOURCES], { cwd: ROOT })
  .filter((file) => !LEFT_OUT.test(file))
  .toSorted()
const patterns = await collectPatterns(
  files.map((file) => join(ROOT, file)),
  ROOT,
)
const check = await loadChecker()
const cache = readCache()
const problems: string[] = []
for (const pattern of patterns.filter(({ source }) => IS_UNBOUNDED.test(source)).filter((each) => !isKnown(each))) {
  const literal = `/${pattern.source}/${pattern.flags}`
  const verdict = (cache[literal] ??= check(pattern.source, pattern.flags))
  if (verdict === 'safe') continue
  // It judges by time too, so on a busy machine a sound pattern may seem slow: the next run looks again.
  delete cache[literal]
  problems.push(`${pattern.file}: ${verdict}: ${literal.slice(0, 300)}`)
}
const files404 = KNOWN_PATTERNS.filter(({ file }) => !files.includes(file)).map(
  ({ file }) => `known-patterns.ts: ${file} is gone`,
)
mkdirSync(dirname(CACHE), { recursive: true })
writeFileSync(CACHE, JSON.stringify(cache))
for (const problem of [...problems, ...files404]) console.error(problem)
console.log(`${patterns.length} patterns of ${files.length} files, ${problems.length} to look at`)
if (problems.length + files404.length > 0) {
  console.error(
    'Write them so that a failed try ends soon (bounded repeats, a lookbehind before a run), or name them in known-patterns.ts.',
  )
  process.exitCode = 1
}
