/** `npm start`: indexes the example workspace and runs a few searches, through the launcher that the reader will use. */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { isRecord, type JsonRecord } from './workspace-packages.ts'

const ROOT = dirname(import.meta.dirname)
const WORKSPACE = 'examples/workspace'
const SHOWN_HITS = 2
const SHOWN_CHARACTERS = 90

const SEARCHES = [
  { shows: 'Other forms of a word', query: 'configuring the routers' },
  { shows: 'An identifier, whole before its parts', query: 'OC-41252' },
  { shows: 'Arabic without hamza and article (الإطلاق)', query: 'اطلاق' },
  { shows: 'Arabic without vowel marks (قَرَّرَ)', query: 'قرر' },
  { shows: 'Chinese, which puts no spaces between words', query: '会议' },
  { shows: 'A word without its accents', query: 'naive cafe' },
] as const satisfies readonly { readonly shows: string; readonly query: string }[]

const isWindows = process.platform === 'win32'
const hasColour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined
const styled = (code: number, text: string): string => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text)
const bold = (text: string): string => styled(1, text)
const dim = (text: string): string => styled(2, text)

/** Runs the launcher with `--json`. Exit 1 with a reply means "nothing found"; all else ends the demo with the launcher's own words. */
function mnemark(commandLine: readonly string[]): JsonRecord {
  const [program, first] = isWindows ? [process.execPath, ['mnemark']] : ['./mnemark', []]
  const run = spawnSync(program, [...first, ...commandLine, '--json'], { cwd: ROOT, encoding: 'utf8' })
  const reply = run.status === 0 || run.status === 1 ? parsed(run.stdout) : undefined
  if (reply !== undefined) return reply
  console.error(`./mnemark ${commandLine.join(' ')} failed: ${run.error?.message ?? run.stderr + run.stdout}`)
  process.exit(run.status || 3)
}

function parsed(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

interface Range {
  readonly start: number
  readonly end: number
}

const rangesOf = (highlights: unknown): readonly Range[] =>
  listOf(highlights).map((range) => {
    const [start = 0, end = start] = listOf(range).map(Number)
    return { start, end }
  })

/** The line of the snippet with most of the match in it, its first match in bold, cut to fit. */
function matchingLine(hit: JsonRecord): string {
  const ranges = rangesOf(hit['highlights'])
  let offset = 0
  const lines = String(hit['snippet'])
    .split('\n')
    .map((text) => {
      const start = offset
      offset += text.length + 1
      const inside = ranges.filter((range) => range.start >= start && range.end <= start + text.length)
      const matched = inside.reduce((sum, range) => sum + range.end - range.start, 0)
      return { text, matched, first: { start: (inside[0]?.start ?? start) - start, end: (inside[0]?.end ?? start) - start } }
    })
  const best = lines.reduce((one, other) => (other.matched > one.matched ? other : one))
  return excerpt(best.text, best.first)
}

/** Cut by code points, so that no character falls in two, and isolated, so that right-to-left text stays in its place. */
function excerpt(line: string, { start, end }: Range): string {
  const before = Array.from(line.slice(0, start))
  const after = Array.from(line.slice(end))
  const kept = before.slice(-SHOWN_CHARACTERS / 2)
  const rest = after.slice(0, SHOWN_CHARACTERS - kept.length)
  const text = `${kept.join('')}${bold(line.slice(start, end))}${rest.join('')}`.trim()
  const cutMark = (isCut: boolean): string => (isCut ? '…' : '')
  return `\u2068${cutMark(kept.length < before.length)}${text}${cutMark(rest.length < after.length)}\u2069`
}

/** Prints one search; false when it found nothing. */
function search(shows: string, query: string): boolean {
  console.log(`\n${shows}\n${dim('$')} ./mnemark search --workspace ${WORKSPACE} ${JSON.stringify(query)}`)
  const reply = mnemark(['search', '--workspace', WORKSPACE, query])
  const hits = listOf(reply['hits']).filter(isRecord)
  for (const hit of hits.slice(0, SHOWN_HITS)) console.log(`  ${String(hit['citation'])}\n    ${matchingLine(hit)}`)
  if (hits.length > SHOWN_HITS) console.log(dim(`  … and ${hits.length - SHOWN_HITS} more`))
  if (hits.length === 0) console.error('  nothing found')
  return hits.length > 0
}

console.log(`${dim('$')} ./mnemark index --workspace ${WORKSPACE}`)
const report = mnemark(['index', '--workspace', WORKSPACE])
const documents = isRecord(report['documents']) ? report['documents'] : {}
console.log(`  ${String(documents['total'])} notes, ${String(report['chunks'])} passages, ${String(report['ms'])} ms`)

const answers = SEARCHES.map(({ shows, query }) => search(shows, query))

console.log(`\n${bold('Now your own notes')}, any folder of Markdown; nothing in it is changed but a folder named .mnemark:`)
console.log('  ./mnemark search --workspace ~/notes "what you want to find"\n')
if (answers.includes(false)) process.exitCode = 1
