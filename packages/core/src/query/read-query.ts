import { type ChunkFilter, ConfigError, type SearchQuery, withoutBlanks } from '@mnemark/spec'
import { DAY_FORMS, readDayArgument } from '../dates/day-argument.ts'
import type { ReadDatesOptions } from '../dates/read-dates.ts'
import { entityKey, tagKey } from '../document/properties/labels.ts'
import { cutText } from '../document/markdown/plain-text.ts'
import { filePattern, pathPatterns, type ShownPath } from './path-patterns.ts'
import { filterOfFields, readFields } from './query-fields.ts'

export interface QueryContext extends ReadDatesOptions {
  readonly shownPath?: ShownPath | undefined
}

/** One value of a filter as given, and its form for a store. */
export interface Condition {
  readonly name: 'path' | 'tag' | 'entity' | 'kind' | 'source'
  readonly value: string
  readonly filter: ChunkFilter
  /** Set for a condition from the query text: the filter that the caller allows. */
  readonly within?: ChunkFilter
}

export interface ReadQuery {
  /**
   * The query in the form for stores and engines: days YYYY-MM-DD, globs, folded labels, no empty lists, no fields in
   * the text.
   */
  readonly query: SearchQuery
  readonly conditions: readonly Condition[]
}

/**
 * Normalises a search from any caller: leaves blanks out, reads folders and days as people write them, and turns fields
 * of the text into filters. Throws ConfigError `invalid-value` that names the member, for an invalid day and for a glob
 * that is too costly.
 */
export function readQuery(query: SearchQuery, context: QueryContext): ReadQuery {
  const { text, caller, signal, ...options } = query
  const given = withoutBlanks(options) ?? {}
  const { text: words, fields } = readFields(text ?? '', context)
  const typed = filterOfFields(fields)
  const allowed = readFilter(given.filter ?? {}, context)
  const asked = [readFilter(typed.filter, context), readFiles(typed.files)]
  const { filter: _, ...rest } = given
  const filter = joined([allowed, ...asked].flatMap(({ filter: one }) => one ?? []))
  const within = allowed.filter && { within: allowed.filter }
  return {
    query: { ...rest, text: words, caller, ...(signal && { signal }), ...(filter && { filter }) },
    conditions: [
      ...allowed.conditions,
      ...asked.flatMap(({ conditions }) => conditions.map((condition) => ({ ...condition, ...within }))),
    ],
  }
}

interface ReadFilter {
  readonly filter: ChunkFilter | undefined
  readonly conditions: readonly Condition[]
}

/** All of several filters must pass: a query never widens what its caller allows. */
function joined(filters: readonly ChunkFilter[]): ChunkFilter | undefined {
  const [first, ...others] = filters
  return first === undefined || others.length === 0 ? first : { ...first, all: [...(first.all ?? []), ...others] }
}

function readFiles(names: readonly string[]): ReadFilter {
  const conditions = names.map((value): Condition => ({ name: 'path', value, filter: { paths: [filePattern(value)] } }))
  return { filter: names.length === 0 ? undefined : { paths: names.map(filePattern) }, conditions }
}

function readFilter(asked: ChunkFilter, context: QueryContext): ReadFilter {
  const patternsOf = (path: string) => pathPatterns(path, context.shownPath)
  const conditions = [
    ...conditionsOf('source', asked.sources, (source) => ({ sources: [source] })),
    ...conditionsOf('path', asked.paths, (path) => ({ paths: patternsOf(path) })),
    ...conditionsOf('kind', asked.kinds, (kind) => ({ kinds: [kind] })),
    ...conditionsOf('entity', asked.entities, (entity) => ({ entities: listed([entityKey(entity)]) })),
    ...conditionsOf('tag', asked.tags, (tag) => ({ tags: listed([tagKey(tag)]) })),
  ]
  const days = readDays(asked, context)
  const all = texts(asked.all).map((one) => readFilter(one, context))
  const filter = withoutBlanks({
    ...asked,
    ...unitedOf(conditions),
    excludePaths: texts(asked.excludePaths).flatMap(patternsOf),
    ...days,
    all: all.flatMap(({ filter: one }) => one ?? []),
  })
  return { filter, conditions: [...conditions, ...all.flatMap((one) => one.conditions)] }
}

/** A label of signs alone is left out like a blank one. */
function listed(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key !== '')
}

function conditionsOf(
  name: Condition['name'],
  values: readonly string[] | string | undefined,
  filterOf: (value: string) => ChunkFilter,
): readonly Condition[] {
  return texts(values).flatMap((value) => {
    const filter = withoutBlanks(filterOf(value.trim()))
    return filter === undefined ? [] : [{ name, value: value.trim(), filter }]
  })
}

/** A single value may replace a list. */
function texts<Value>(values: readonly Value[] | Value | undefined): readonly Value[] {
  if (values === undefined) return []
  // Safe: a value that is no list is a single value.
  return Array.isArray(values) ? values : [values as Value]
}

const LISTS = ['sources', 'paths', 'kinds', 'entities', 'tags'] as const

/** Passes where any of the values matches, as in the filter they came from. */
function unitedOf(conditions: readonly Condition[]): ChunkFilter {
  const lists = LISTS.map((list) => [list, [...new Set(conditions.flatMap(({ filter }) => filter[list] ?? []))]] as const)
  return Object.fromEntries(lists)
}

function readDays(asked: ChunkFilter, context: QueryContext): Pick<ChunkFilter, 'since' | 'until' | 'asOf'> {
  const read = (name: 'since' | 'until' | 'asOf', edge: 'first' | 'last'): { [Name in typeof name]?: string } => {
    const text = asked[name]
    if (text === undefined) return {}
    const day = readDayArgument(String(text), edge, context)
    if (day !== undefined) return { [name]: day }
    throw new ConfigError('invalid-value', `${name}: there is no day ${cutText(text.trim(), 100)}; a day is ${DAY_FORMS}`)
  }
  const days = { ...read('since', 'first'), ...read('until', 'last'), ...read('asOf', 'last') }
  if (days.since !== undefined && days.until !== undefined && days.since > days.until)
    throw new ConfigError('invalid-value', `since: ${days.since} is later than until, ${days.until}`)
  return days
}
