import type { ChunkFilter } from '@mnemark/spec'
import { CommandError } from '../failure.ts'

/** Refuses a filter that could only find nothing without a word, or keep a server busy. Throws CommandError `bad-input`. */
export function checkFilter(filter: ChunkFilter, sources: readonly string[]): void {
  const { since, until, asOf, paths = [], excludePaths = [] } = filter
  for (const [name, day] of Object.entries({ since, until, asOf })) {
    if (day !== undefined && !exists(day)) throw badInput(`${name}: there is no day ${day}`)
  }
  if (since !== undefined && until !== undefined && since > until) throw badInput(`since: ${since} is later than until, ${until}`)
  const source = filter.sources?.find((asked) => !sources.includes(asked))
  if (source !== undefined)
    throw badInput(`sources: there is no source ${JSON.stringify(source)}; there is ${sources.join(', ')}`)
  if ([...paths, ...excludePaths].some(isCostly)) {
    throw badInput(
      `paths: a glob may have ${MOST_IN_NAME} wildcards in a name and ${MOST_IN_ALL} in all, and no groups in parentheses`,
    )
  }
}

function exists(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const MOST_IN_NAME = 3
const MOST_IN_ALL = 8

/** A glob becomes a regular expression: every wildcard more makes it slower by the length of a path, and groups do so without bound. */
function isCostly(glob: string): boolean {
  const wildcards = glob.split('/').map((name) => name.match(/\*+|[\])}]\+/g)?.length ?? 0)
  const isGrouped = glob.includes('(') && /[*+?|{[]/.test(glob)
  return (
    isGrouped || wildcards.some((count) => count > MOST_IN_NAME) || wildcards.reduce((sum, count) => sum + count, 0) > MOST_IN_ALL
  )
}

function badInput(message: string): CommandError {
  return new CommandError('bad-input', message, { next: 'Correct the input and call again.' })
}
