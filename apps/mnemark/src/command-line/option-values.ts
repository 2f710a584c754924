import { CommandError } from '../failure.ts'
import type { Options } from './command-line.ts'

/** A whole number in plain digits from `least` to `most`, or undefined where the option was not given. Throws CommandError. */
export function wholeNumber(
  options: Options,
  name: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const text = options.get(name)
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
  const text = options.get(name)
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw badValue(name, text, words.join(', '))
  return word
}

/**
 * A calendar day as YYYY-MM-DD; a month (YYYY-MM) or year (YYYY) stands for its first or last day. Undefined where the option was not
 * given. Throws CommandError for days that do not exist.
 */
export function day(options: Options, name: string, edge: 'first' | 'last'): string | undefined {
  const text = options.get(name)
  if (text === undefined) return undefined
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text)
  if (parts === null) throw badDay(name, text)
  const year = Number(parts[1])
  const month = Number(parts[2] ?? (edge === 'first' ? 1 : 12))
  const lastOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const dayOfMonth = Number(parts[3] ?? (edge === 'first' ? 1 : lastOfMonth))
  if (year < 1 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > lastOfMonth) throw badDay(name, text)
  return `${parts[1]}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
}

function badDay(name: string, text: string): CommandError {
  return badValue(name, text, 'a day that exists (2026-03-14), a month (2026-03) or a year (2026)')
}

function badValue(name: string, text: string, allowed: string): CommandError {
  const dashes = name.length === 1 ? '-' : '--'
  return new CommandError('bad-option', `${dashes}${name} is ${JSON.stringify(text)}; allowed: ${allowed}`, {
    next: 'Give an allowed value, or leave the option out.',
  })
}
