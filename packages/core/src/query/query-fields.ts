import type { ChunkFilter } from '@mnemark/spec'
import { readDayArgument } from '../dates/day-argument.ts'
import type { ReadDatesOptions } from '../dates/read-dates.ts'
import { phraseSource } from '../keywords/terms/query-syntax.ts'

type FieldName = 'tag' | 'path' | 'file' | 'kind' | 'since' | 'until'

/** `name:value` of a query, as typed. */
export interface QueryField {
  readonly name: FieldName | 'not-path'
  readonly value: string
}

export interface FieldReading {
  /** The query without its fields. */
  readonly text: string
  readonly fields: readonly QueryField[]
}

/**
 * A value follows the colon without a space; `file://` begins an address, `tags::` a property, and in quotes everything
 * is text.
 */
const FIELD = String.raw`(?<=^|[\s\(])(?<sign>-?)(?<name>[Tt][Aa][Gg][Ss]?|[Pp][Aa][Tt][Hh]|[Ff][Ii][Ll][Ee]|[Kk][Ii][Nn][Dd]|[Ss][Ii][Nn][Cc][Ee]|[Uu][Nn][Tt][Ii][Ll])[:：](?!\/\/|:)(?:["“„«「『](?<quoted>[^"“”„«»「」『』]+)["“”»」』]|(?<word>[^\s"“”„«»「」『』]+))`
const FIELD_OR_PHRASE = new RegExp(`${FIELD}|${phraseSource}`, 'gv')
const TRAILING = /(?<![,;!?.:)،؛؟，。；！？])[,;!?.:)،؛؟，。；！？]+$/u
/** Kinds that do not occur in people's front matter: `kind:device` searches a property. */
const KINDS: ReadonlySet<string> = new Set(['world', 'experience', 'opinion', 'observation', 'transcript', 'note'])

/** Takes `tag:`, `path:`, `file:`, `kind:`, `since:` and `until:` out of a query; everything else stays in the text. */
export function readFields(query: string, dates: ReadDatesOptions): FieldReading {
  const fields: QueryField[] = []
  const text = query.replace(FIELD_OR_PHRASE, (...match) => {
    // Safe: the last argument of a replacer is the groups, where a pattern names any.
    const groups = match.at(-1) as Readonly<Record<string, string | undefined>>
    const read = fieldOf(groups, dates)
    fields.push(...read)
    return read.length > 0 ? ' ' : String(match[0])
  })
  return { text: fields.length === 0 ? query : text.trim(), fields }
}

function fieldOf(
  { sign, name, quoted, word }: Readonly<Record<string, string | undefined>>,
  dates: ReadDatesOptions,
): QueryField[] {
  const value = quoted?.trim() ?? word?.replace(TRAILING, '') ?? ''
  const field = name?.toLowerCase().replace('tags', 'tag')
  if (value === '' || field === undefined) return []
  const values = quoted === undefined ? value.split(/[,،，]/).filter((part) => part !== '') : [value]
  if (sign === '-') return field === 'path' ? [{ name: 'not-path', value }] : []
  switch (field) {
    case 'path':
    case 'file':
      return [{ name: field, value }]
    case 'tag':
      return values.map((one) => ({ name: field, value: one }))
    case 'kind':
      return values.every((one) => KINDS.has(one)) ? values.map((one) => ({ name: field, value: one })) : []
    case 'since':
    case 'until':
      return readDayArgument(value, 'first', dates) === undefined ? [] : [{ name: field, value }]
    default:
      return []
  }
}

/** The filter that the fields express, in the same form as a caller's. `file:` and `path:` must both match. */
export function filterOfFields(fields: readonly QueryField[]): {
  readonly filter: ChunkFilter
  readonly files: readonly string[]
} {
  const valuesOf = (name: QueryField['name']) => fields.filter((field) => field.name === name).map(({ value }) => value)
  const [since, until] = [valuesOf('since').at(-1), valuesOf('until').at(-1)]
  return {
    filter: {
      tags: valuesOf('tag'),
      paths: valuesOf('path'),
      excludePaths: valuesOf('not-path'),
      kinds: valuesOf('kind'),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    },
    files: valuesOf('file'),
  }
}
