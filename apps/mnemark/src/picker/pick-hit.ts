import search from '@inquirer/search'
import type { SearchHit } from '@mnemark/spec'
import { isolate, printable, printableName } from '../terminal/isolate.ts'

/** Hits for what is typed so far; rejects where `signal` aborts, which is when more is typed. */
export type FindHits = (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>

/** Asks on stderr for one hit; null where the person leaves by Esc, Ctrl+C or the end of their input. */
export async function pickHit(typed: string, find: FindHits): Promise<SearchHit | null> {
  const leaving = new AbortController()
  const leaveOnEscape = (_text: string, key: { readonly name?: string } | undefined): void => {
    if (key?.name === 'escape') leaving.abort()
  }
  process.stdin.on('keypress', leaveOnEscape)
  try {
    return await search<SearchHit>(
      {
        message: 'Notes',
        initialValue: typed,
        pageSize: 10,
        source: async (term = '', { signal }) => (await find(withBeginning(term), signal)).map(choiceOf),
        theme: { style: { keysHelpTip: () => 'arrows move, Enter takes, Esc leaves' } },
      },
      { output: process.stderr, signal: leaving.signal, clearPromptOnDone: true },
    )
  } catch (error) {
    if (error instanceof Error && LEFT.has(error.name)) return null
    throw error
  } finally {
    process.stdin.off('keypress', leaveOnEscape)
    // Else a terminal that was listened to keeps the process from ending.
    process.stdin.pause()
  }
}

/** The names of the library's errors; it checks them by name itself. */
const LEFT = new Set(['AbortPromptError', 'ExitPromptError', 'CancelPromptError'])

/** The word that is being typed finds what begins so as well. */
function withBeginning(term: string): string {
  const last = /(?:^|\s)([\p{L}\p{N}][\p{L}\p{N}\p{M}]+)$/u.exec(term)?.[1]
  return last === undefined ? term : `${term} ${last}*`
}

function choiceOf(hit: SearchHit): { readonly name: string; readonly value: SearchHit; readonly description: string } {
  return {
    name: isolate(printableName(`${hit.path}:${hit.line}`)),
    value: hit,
    description: bestLines(hit)
      .map((line) => isolate(printable(line).slice(0, SHOWN_CHARACTERS).toWellFormed()))
      .join('\n'),
  }
}

const SHOWN_CHARACTERS = 200
const SHOWN_LINES = 3

/** The best line and what stands under it. */
function bestLines({ snippet, snippetLines, line }: SearchHit): readonly string[] {
  const lines = snippet.split('\n')
  return lines
    .slice(Math.max(0, snippetLines.indexOf(line)))
    .filter((each) => each.trim() !== '')
    .slice(0, SHOWN_LINES)
}
