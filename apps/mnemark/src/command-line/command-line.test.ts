import { expect, test } from 'vitest'
import { COMMANDS, GLOBAL_OPTIONS } from '../commands.ts'
import { isTyped, readCommandLine } from './command-line.ts'
import type { CommandLine } from './command-line.ts'
import { oneOf, wholeNumber } from './option-values.ts'

function read(...argv: string[]): CommandLine {
  return readCommandLine(argv, { globalOptions: GLOBAL_OPTIONS, commands: COMMANDS })
}

test('global options stand before or after the command, and the later one counts', () => {
  const { command, words, options } = read('--workspace', 'a', 'search', 'router', '--json', 'vlan', '--workspace=b')
  expect([command, words, options.get('workspace'), options.has('json')]).toEqual(['search', ['router', 'vlan'], 'b', true])
})

test('everything after -- is text, whatever it looks like', () => {
  expect(read('search', '--json', '--', '-word', '--json', '--').words).toEqual(['-word', '--json', '--'])
  expect(isTyped(['search', '--', '--json'], '--json')).toBe(false)
})

test.each([['-k', '3'], ['-k3'], ['--k', '3'], ['--k=3']])('a limit may be written %s %s', (...argv) => {
  expect(wholeNumber(read('search', 'x', ...argv).options, 'k', 1, 100)).toBe(3)
})

test.each(['0', '-1', '2.5', '3x', '101', ' 3', '1e2', '0x10', '+5', '٣'])('a limit of %j is refused', (value) => {
  expect(() => wholeNumber(read('search', 'x', '-k', value).options, 'k', 1, 100)).toThrow(
    `-k is ${JSON.stringify(value)}; allowed: a whole number from 1 to 100`,
  )
})

test('repeatable options keep every value', () => {
  expect(read('search', 'x', '--tag', 'a', '--tag', 'b').options.all('tag')).toEqual(['a', 'b'])
})

test.each([
  [['search', '-draft'], 'unknown option -d'],
  [['search', 'x', '--explian'], 'unknown option --explian for search'],
  [['index', '--mmr'], 'unknown option --mmr for index'],
  [['search', 'x', '--tag'], '--tag needs a value'],
  [['search', 'x', '--json=yes'], '--json takes no value'],
  [['serach', 'x'], 'unknown command "serach"'],
  [['constructor'], 'unknown command "constructor"'],
])('%j is bad use', (argv, message) => {
  expect(() => read(...argv)).toThrow(message)
})

test('P30: a blank value counts as left out', () => {
  const { options } = read('search', 'x', '-k', '', '--fusion', ' ')
  expect([wholeNumber(options, 'k', 1, 100), oneOf(options, 'fusion', ['weighted', 'rrf'])]).toEqual([undefined, undefined])
})

test('one of a few words', () => {
  expect(oneOf(read('search', 'x', '--fusion', 'rrf').options, 'fusion', ['weighted', 'rrf'])).toBe('rrf')
  expect(() => oneOf(read('search', 'x', '--fusion', 'sum').options, 'fusion', ['weighted', 'rrf'])).toThrow(
    'allowed: weighted, rrf',
  )
})
