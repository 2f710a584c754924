import { expect, test } from 'vitest'
import { COMMANDS, GLOBAL_OPTIONS } from '../commands.ts'
import { readCommandLine, UnknownWord } from './command-line.ts'
import { didYouMean } from './did-you-mean.ts'

function said(...argv: readonly string[]): string {
  try {
    readCommandLine(argv, { globalOptions: GLOBAL_OPTIONS, commands: COMMANDS })
  } catch (error) {
    if (error instanceof UnknownWord) return didYouMean(error).message
    throw error
  }
  return 'nothing'
}

test.each([
  [['serch', 'x'], 'unknown command "serch"; did you mean search?'],
  [['serach', 'x'], 'unknown command "serach"; did you mean search?'],
  [['Search'], 'unknown command "Search"; did you mean search?'],
  [['stat'], 'unknown command "stat"; did you mean status?'],
  [['find', 'x'], 'unknown command "find"; did you mean search?'],
  [['cat', 'x'], 'unknown command "cat"; did you mean get?'],
  [['بحث'], 'unknown command "بحث"'],
  [['constructor'], 'unknown command "constructor"'],
  [['x'], 'unknown command "x"'],
])('P63: %j', (argv, message) => {
  expect(said(...argv)).toBe(message)
})

test.each([
  [['search', 'x', '-n', '3'], 'unknown option -n for search; did you mean -k?'],
  [['search', 'x', '-n3'], 'unknown option -n for search; did you mean -k?'],
  [['search', 'x', '--limit', '3'], 'unknown option --limit for search; did you mean -k?'],
  [['search', 'x', '--limit=3'], 'unknown option --limit for search; did you mean -k?'],
  [['get', 'x', '--limit', '3'], 'unknown option --limit for get; did you mean --lines?'],
  [['index', '-n'], 'unknown option -n for index; did you mean --dry-run?'],
  [['search', 'x', '--explian'], 'unknown option --explian for search; did you mean --explain?'],
  [['search', 'x', '--sinse', '7d'], 'unknown option --sinse for search; did you mean --since?'],
  [['--worksapce', 'x', 'search', 'y'], 'unknown option --worksapce; did you mean --workspace?'],
  [['search', 'y', '--worksapce', 'x'], 'unknown option --worksapce for search; did you mean --workspace?'],
  [['index', '--mmr'], 'unknown option --mmr for index; it belongs to search'],
  [['search', 'x', '--zzzzzz'], 'unknown option --zzzzzz for search'],
  [['--jsn'], 'unknown option --jsn; did you mean --json?'],
])('P63: %j', (argv, message) => {
  expect(said(...argv)).toBe(message)
})
