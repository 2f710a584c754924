import { configError } from '../failure/config-error.ts'

/** A variable that should have been replaced before. */
const VARIABLE = /\$\{\s*\w+\s*\}/
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** Visible ASCII, with spaces and tabs inside. Checked here, because Node's own message for a bad header repeats its value. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/** Returns the text without surrounding space; throws `config` if it is empty. */
export function requireText(provider: string, name: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') throw configError(provider, `${name} is missing`, `Set ${name}.`)
  return text
}

/** Returns a key that fits in a header, without surrounding space (keys read from files end in a line break). Throws `config`. */
export function requireKey(provider: string, value: unknown): string {
  const key = requireText(provider, 'apiKey', value)
  checkHeaderValue(provider, 'apiKey', key)
  return key
}

/** Returns a copy with names in lower case. Throws `config` for an invalid header; the message has its name, never its value. */
export function checkHeaders(provider: string, headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    if (!HEADER_NAME.test(name)) throw configError(provider, 'a header has a name that cannot be sent', 'Correct the headers.')
    checkHeaderValue(provider, `header ${name}`, value)
    return [name.toLowerCase(), value.trim()]
  })
  return Object.freeze(Object.fromEntries(entries))
}

function checkHeaderValue(provider: string, name: string, value: unknown): void {
  if (typeof value !== 'string' || !HEADER_VALUE.test(value.trim()))
    throw configError(provider, `${name} has characters that cannot be sent`, 'Copy it again, without line breaks.')
  if (VARIABLE.test(value)) throw configError(provider, `${name} names a variable that was not replaced`, 'Set the variable.')
}

/** A whole number of at least 1, or undefined. Throws `config`. */
export function optionalCount(provider: string, name: string, value: number | undefined): number | undefined {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
    throw configError(provider, `${name} must be a whole number from 1`, `Correct ${name}.`)
  return value
}

/** Throws `config` for a price that is not a finite number from 0; an unknown one is left out. */
export function checkPrices(provider: string, prices: Readonly<Record<string, number | undefined>>): void {
  for (const [name, price] of Object.entries(prices))
    if (price !== undefined && !(Number.isFinite(price) && price >= 0))
      throw configError(provider, `${name} must be a number from 0`, `Correct ${name}.`)
}

/**
 * The parts of a request that no error may show: the key, the header values, and the credential after a scheme such as `Bearer`.
 */
export function secretsOf(apiKey: string | undefined, headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const values = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)]
  return values.flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)])
}
