import { CommandError } from '../failure.ts'
import type { Options } from './command-line.ts'

/** A whole number in plain digits from `least` to `most`, or undefined where the option was not given. Throws CommandError. */
export function wholeNumber(
  options: Options,
  name: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const text = given(options, name)
  if (text === undefined) return undefined
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  throw badValue(name, text, `a whole number ${range}`)
}

/** One of a few words, or undefined where the option was not given. Throws CommandError. */
export function oneOf<const Words extends readonly string[]>(
  options: Options,
  name: string,
  words: Words,
): Words[number] | undefined {
  const text = given(options, name)
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw badValue(name, text, words.join(', '))
  return word
}

/** A blank option, as from an unset variable in quotes, counts as left out. */
function given(options: Options, name: string): string | undefined {
  const text = options.get(name)
  return text?.trim() === '' ? undefined : text
}

function badValue(name: string, text: string, allowed: string): CommandError {
  const dashes = name.length === 1 ? '-' : '--'
  return new CommandError('bad-option', `${dashes}${name} is ${JSON.stringify(text)}; allowed: ${allowed}`, {
    next: 'Give an allowed value, or leave the option out.',
  })
}
