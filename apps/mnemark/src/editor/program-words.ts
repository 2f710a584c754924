import { statSync } from 'node:fs'
import { parse } from 'shell-quote'
import type { Environment } from '../config/expand-variables.ts'
import { CommandError } from '../failure.ts'

/**
 * The program and options in a variable such as EDITOR: split as a shell would, and no more; a path with blanks that is a program
 * stays whole. Throws CommandError `bad-program` for text that only a shell could run.
 */
export function programWords(variable: string, environment: Environment): readonly string[] {
  const text = environment[variable] ?? ''
  if (statSync(text, { throwIfNoEntry: false })?.isFile() === true) return [text]
  const words = parse(text, (name) => environment[name] ?? '')
  const plain = words.filter((word) => typeof word === 'string')
  if (plain.length === words.length && plain.length > 0) return plain
  throw new CommandError(
    'bad-program',
    `${variable} is ${JSON.stringify(text)}: expected a program and its options; no shell runs it`,
    { next: 'Put what needs a shell into a script of its own, and name that.' },
  )
}
