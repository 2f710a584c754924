import { CommandError } from '../failure.ts'
import { nearestWord } from '../nearest-word.ts'
import type { UnknownWord } from './command-line.ts'

/** Names that other programs use for a command; the first match is suggested. */
const COMMANDS_MEANT: Readonly<Record<string, readonly string[]>> = {
  search: ['find', 'query', 'grep', 'rg', 'ask'],
  get: ['cat', 'read', 'show', 'open', 'view'],
  append: ['add', 'write', 'note'],
  forget: ['rm', 'delete', 'remove'],
  index: ['sync', 'update', 'refresh', 'reindex', 'build'],
  edit: ['replace'],
  status: ['info', 'stats'],
  serve: ['server', 'http'],
  init: ['new', 'create', 'setup'],
}
const OPTIONS_MEANT: Readonly<Record<string, readonly string[]>> = {
  k: ['n', 'limit', 'max', 'top', 'count', 'num', 'max-results', 'top-k'],
  lines: ['n', 'limit', 'max', 'count'],
  'dry-run': ['n', 'dry'],
  workspace: ['C', 'd', 'dir', 'directory', 'folder', 'root', 'vault', 'notes'],
  since: ['after'],
  until: ['before'],
  kind: ['type'],
  json: ['j', 'format', 'output'],
  out: ['o', 'output', 'file'],
  quiet: ['q', 'silent'],
  yes: ['y', 'force', 'assume-yes'],
  version: ['v'],
}

/** The same error with a suggestion. */
export function didYouMean(error: UnknownWord): CommandError {
  const { kind, typed, words, elsewhere, next } = error
  const word = meant(typed, words, kind === 'command' ? COMMANDS_MEANT : OPTIONS_MEANT)
  const hint = word === undefined ? otherPlace(elsewhere) : `; did you mean ${kind === 'command' ? word : dashed(word)}?`
  return new CommandError(error.code, error.message + hint, { next })
}

function meant(
  typed: string,
  words: readonly string[],
  otherNames: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  const named = words.find((word) => otherNames[word]?.includes(typed))
  if (named !== undefined) return named
  // One letter is close to every other one.
  return typed.length < 2 ? undefined : (nearestWord(typed, words, 2) ?? words.find((word) => word.startsWith(typed)))
}

function otherPlace(commands: readonly string[]): string {
  return commands.length === 0 ? '' : `; it belongs to ${commands.join(', ')}`
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
