import { readQuery } from '@mnemark/core/backend'
import { ConfigError, type SearchQuery, withoutBlanks } from '@mnemark/spec'
import { CommandError } from '../failure.ts'
import { queryContext } from '../memory/open/query-context.ts'

interface QueryRules {
  readonly sources: readonly string[]
  readonly timeZone: string | undefined
}

/** Refuses a query that cannot match, or would keep a server busy, before anything is opened. Throws CommandError `bad-input`. */
export function checkQuery(query: Pick<SearchQuery, 'text' | 'filter'>, { sources, timeZone }: QueryRules): void {
  const { filter } = withoutBlanks(query) ?? {}
  const source = filter?.sources?.find((asked) => !sources.includes(asked))
  if (source !== undefined)
    throw badInput(`sources: there is no source ${JSON.stringify(source)}; there is ${sources.join(', ')}`)
  try {
    readQuery({ ...query, caller: { agentId: '' } }, queryContext({ timeZone }))
  } catch (error) {
    if (ConfigError.isInstance(error)) throw badInput(error.message)
    throw error
  }
}

function badInput(message: string): CommandError {
  return new CommandError('bad-input', message, { next: 'Correct the value, or leave it out.' })
}
