import { ConfigError } from '@mnemark/spec'
import type { InputTypeConfig } from '../../config/schema/config.ts'
import { isObject } from '../../config/schema/is-object.ts'
import type { LinkSettings } from '../../config/resolve/settings.ts'

/** How queries and documents are distinguished, as configured: not at all, by a prefix, or by values or fields of the service. */
export type InputTypes =
  | 'symmetric'
  | { readonly prefix: Pair<string> }
  | { readonly fields: Pair<Readonly<Record<string, unknown>>> }
  | { readonly texts: Pair<string> }

export interface Pair<Value> {
  readonly query: Value
  readonly document: Value
}

/**
 * The configured input types; undefined if there are none. `queryInputType` and `documentInputType` override `inputType`, which
 * overrides that of `models.providers`. Throws ConfigError for an unknown form.
 */
export function inputTypesOf(link: LinkSettings, ofProvider: InputTypeConfig | undefined): InputTypes | undefined {
  const shared = link.inputType ?? ofProvider
  const own = { query: link.queryInputType, document: link.documentInputType }
  if (isObject(shared)) return withOwn(readObject(shared, link), own, link)
  const query = own.query ?? shared
  const document = own.document ?? shared
  if (query === undefined && document === undefined) return undefined
  if (query === 'symmetric' && document === 'symmetric') return 'symmetric'
  if (query !== undefined && document !== undefined) return { texts: { query, document } }
  return { fields: { query: fieldOf(query), document: fieldOf(document) } }
}

const fieldOf = (inputType: string | undefined): Readonly<Record<string, unknown>> =>
  inputType === undefined ? {} : { input_type: inputType }

function readObject(written: object, link: LinkSettings): InputTypes {
  const { prefix, query, document }: Readonly<Record<string, unknown>> = { ...written }
  if (isObject(prefix)) {
    const words: Readonly<Record<string, unknown>> = { ...prefix }
    if (typeof words.query === 'string' && typeof words.document === 'string')
      return { prefix: { query: words.query, document: words.document } }
  }
  if (typeof query === 'string' && typeof document === 'string') return { texts: { query, document } }
  if (isObject(query) && isObject(document)) return { fields: { query: { ...query }, document: { ...document } } }
  throw unknownForm(link)
}

function withOwn(types: InputTypes, own: Partial<Pair<string | undefined>>, link: LinkSettings): InputTypes {
  if (own.query === undefined && own.document === undefined) return types
  if (types === 'symmetric' || 'prefix' in types) throw unknownForm(link)
  if ('texts' in types)
    return { texts: { query: own.query ?? types.texts.query, document: own.document ?? types.texts.document } }
  const { query, document } = types.fields
  return { fields: { query: { ...query, ...fieldOf(own.query) }, document: { ...document, ...fieldOf(own.document) } } }
}

function unknownForm({ key, id }: LinkSettings): ConfigError {
  return new ConfigError(
    'invalid-value',
    `${key}: the input type of ${id} has no known form; allowed: "symmetric", a text, { prefix: { query, document } } or { query, document }`,
  )
}

/** For models that only a prefix can tell. Throws ConfigError for other forms. */
export function prefixOnly(
  types: InputTypes | undefined,
  link: LinkSettings,
): 'symmetric' | { readonly prefix: Pair<string> } | undefined {
  if (types === undefined || types === 'symmetric' || 'prefix' in types) return types
  throw unsupported(link, '"symmetric" or { prefix: { query, document } }')
}

/** For services without input types. Throws ConfigError if some are configured. */
export function noInputTypes(types: InputTypes | undefined, link: LinkSettings): void {
  if (types !== undefined && types !== 'symmetric') throw unsupported(link, 'none')
}

export function unsupported({ key, id }: LinkSettings, allowed: string): ConfigError {
  return new ConfigError('invalid-value', `${key}: ${id} does not take this input type; allowed: ${allowed}`)
}
