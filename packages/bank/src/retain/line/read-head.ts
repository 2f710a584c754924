import type { FactEntity, FactKind } from '../fact.ts'
import { LineReader } from './normal-signs.ts'
import { errorAt, type Finding, warningAt } from '../problems.ts'
import { readConfidence } from './read-confidence.ts'
import { readEntity } from './read-entity.ts'
import { type LeadingMarks, readMarks } from './read-marks.ts'

/** The part of a line before the content of a fact. */
export interface Head {
  /** Absent where the line has no letter, on a page that gives the kind. */
  readonly kind?: FactKind
  readonly isForget: boolean
  readonly isStruck: boolean
  readonly confidence?: number
  readonly entities: readonly FactEntity[]
  readonly marks: LeadingMarks
  /** Signs of emphasis that the head opened and did not close. */
  readonly openEmphasis: string
  /** Where the content begins in the line. */
  readonly end: number
  readonly warnings: readonly Finding[]
}

/** `plain`: any other line. `format`: a line that describes the form itself. A finding: a head that cannot be read. */
export type HeadReading = Head | 'plain' | 'format' | Finding

const KINDS: Readonly<Record<string, FactKind>> = {
  W: 'world',
  B: 'experience',
  O: 'opinion',
  S: 'observation',
  F: 'world',
  WORLD: 'world',
  EXPERIENCE: 'experience',
  OPINION: 'opinion',
  OBSERVATION: 'observation',
  SUMMARY: 'observation',
}
const EMPHASIS = /\*{1,3}|_{1,3}/y
const LETTER = /[A-Z](?![\p{L}\p{N}\p{M}'’_])/uy
const LONG_KIND =
  /(?:World|WORLD|Experience|EXPERIENCE|Opinion|OPINION|Observation|OBSERVATION|Summary|SUMMARY)(?=[ \t]{0,3}[:(])/y
const SECOND_KIND = /[ \t]?[/|+&][ \t]?[WBOSF](?![\p{L}\p{N}\p{M}])/uy
const COLON = /:(?![\\/])/y
const SEPARATOR = /[ \t]*(?::(?![\\/])|[—–]|(?<=[ \t])-(?=[ \t]))[ \t]*/y
const BETWEEN = /[ \t]*(?:[,،、&+/][ \t]*)?(?=@|\[\[)/y
const MORE_NAME = /(?:[ \t]\p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,40}){1,4}(?=[ \t]{0,3}:)/uy
const MORE_UNCASED = /(?:[ \t][\p{Lo}\p{M}\u200c]{1,40}){1,3}(?=[ \t]{0,3}:)/uy
const IS_CASED = /^[\p{Lu}\p{Ll}\p{Lt}]/u
const IS_UNCASED = /[\p{Lo}]\p{M}{0,9}$/u

/** Reads bullet, marks, letter, confidence and entities of a line. `isPlainAllowed`: the page gives the kind. */
export function readHead(line: string, isPlainAllowed: boolean): HeadReading {
  const reader = new LineReader(line)
  const marks = readMarks(reader)
  const isStruck = reader.text.startsWith('~~', reader.at)
  if (isStruck) reader.at += 2
  const start = reader.at
  const head = readLettered(reader, { marks, isStruck })
  const isOther = head === 'plain' || (typeof head === 'object' && 'code' in head && head.code === 'unknown-kind')
  if (!isOther || !isPlainAllowed || !marks.isBullet) return head
  reader.at = start
  return readUnlettered(reader, { marks, isStruck })
}

type Before = Pick<Head, 'marks' | 'isStruck'>

function readLettered(reader: LineReader, before: Before): HeadReading {
  const emphasis = reader.take(EMPHASIS)?.[0] ?? ''
  const at = reader.at
  const letter = (reader.take(LONG_KIND) ?? reader.take(LETTER))?.[0]
  if (letter === undefined) return 'plain'
  if (reader.take(SECOND_KIND) !== null) return isHeadHere(reader) ? errorAt('two-kinds', at) : 'plain'
  const open = closeEmphasis(reader, emphasis)
  const kind = KINDS[letter.toUpperCase()]
  if (kind === undefined) return isHeadHere(reader) ? unknownKind(reader, at) : 'plain'
  const confidence = readConfidence(reader)
  if (typeof confidence === 'string') return confidence
  if (confidence !== null && 'code' in confidence) return confidence
  const rest = readNames(reader, { emphasis: closeEmphasis(reader, open), isCertain: confidence?.isNamed === true })
  if (rest === null || typeof rest === 'string' || 'code' in rest) return rest ?? 'plain'
  if (confidence !== null && !confidence.isNamed && !rest.hasNames && !rest.hasSeparator) return 'plain'
  const warnings = [...rest.warnings]
  if (confidence !== null && kind !== 'opinion') warnings.push(warningAt('unused-confidence', at))
  return {
    ...before,
    kind,
    isForget: letter === 'F',
    entities: rest.entities,
    openEmphasis: rest.openEmphasis,
    end: reader.at,
    warnings,
    ...(confidence !== null && { confidence: confidence.value }),
  }
}

function isHeadHere(reader: LineReader): boolean {
  const { at } = reader
  reader.skipBlanks()
  const entity = readEntity(reader)
  const isHead = (entity !== null && entity !== 'not-one') || reader.sees(COLON) || reader.sees(/\([ \t]?c[ \t]?=/y)
  reader.at = at
  return isHead
}

function unknownKind(reader: LineReader, at: number): Finding {
  const line = reader.raw.length > 200 ? undefined : `${reader.raw.slice(0, at)}W${reader.raw.slice(at + 1)}`
  return errorAt('unknown-kind', at, line?.trim())
}

/** Takes closing signs of emphasis that stand here, and returns those still open. */
function closeEmphasis(reader: LineReader, emphasis: string): string {
  if (emphasis === '' || !reader.text.startsWith(emphasis, reader.at)) return emphasis
  reader.at += emphasis.length
  return ''
}

interface Names {
  readonly entities: readonly FactEntity[]
  readonly hasNames: boolean
  readonly hasSeparator: boolean
  readonly openEmphasis: string
  readonly warnings: readonly Finding[]
}

/** The entities and the separator after a letter; null where neither stands, though one must. */
function readNames(
  reader: LineReader,
  { emphasis, isCertain }: { readonly emphasis: string; readonly isCertain: boolean },
): Names | 'format' | 'plain' | Finding | null {
  const first = readEntities(reader)
  if (typeof first === 'string' || 'code' in first) return first
  let { entities, warnings } = first
  let open = closeEmphasis(reader, emphasis)
  const hasSeparator = reader.take(SEPARATOR) !== null
  open = closeEmphasis(reader, open)
  if (hasSeparator && entities.length === 0) {
    const { at } = reader
    const second = readEntities(reader)
    if (second === 'format') return second
    if (typeof second !== 'string' && 'entities' in second && second.entities.length > 0 && reader.take(SEPARATOR) !== null)
      ({ entities, warnings } = second)
    else reader.at = at
    open = closeEmphasis(reader, open)
  }
  if (entities.length === 0 && !hasSeparator && !isCertain) return null
  reader.skipBlanks()
  return { entities, hasNames: entities.length > 0, hasSeparator, openEmphasis: open, warnings }
}

type Entities = Pick<Names, 'entities' | 'warnings'>

function readEntities(reader: LineReader): Entities | 'format' | 'plain' | Finding {
  const entities: FactEntity[] = []
  const warnings: Finding[] = []
  for (;;) {
    const { at } = reader
    if (entities.length === 0) reader.skipBlanks()
    else if (reader.take(BETWEEN) === null) break
    const place = reader.at
    const entity = readEntity(reader)
    if (entity === null || entity === 'not-one') {
      reader.at = at
      break
    }
    if (entity === 'placeholder') return 'format'
    if (entity === 'empty') return errorAt('empty-entity', place)
    if (entity === 'unclosed') return errorAt('unclosed', place)
    entities.push(longerName(reader, entity, place, warnings))
  }
  return { entities, warnings }
}

/** `@Peter Lund:`: in scripts with capitals, capitalised words before the colon belong to the name; in others nobody can tell. */
function longerName(reader: LineReader, entity: FactEntity, place: number, warnings: Finding[]): FactEntity {
  if (entity.isLink || reader.text[place + 1] === '"' || reader.raw.slice(place + 1, reader.at) !== entity.name) return entity
  if (IS_CASED.test(entity.name)) {
    const more = reader.take(MORE_NAME)
    return more === null ? entity : named(reader.raw.slice(place + 1, reader.at).trim())
  }
  if (IS_UNCASED.test(entity.name) && reader.sees(MORE_UNCASED)) {
    MORE_UNCASED.lastIndex = reader.at
    const more = MORE_UNCASED.exec(reader.text)?.[0] ?? ''
    warnings.push(warningAt('unquoted-name', place, `@"${entity.name}${reader.raw.slice(reader.at, reader.at + more.length)}"`))
  }
  return entity
}

function named(name: string): FactEntity {
  const reader = new LineReader(`@"${name}"`)
  const entity = readEntity(reader)
  return entity === null || typeof entity === 'string' ? { name, key: name, isLink: false } : entity
}

/** Lines that a page of the bank may hold beside facts: tasks, links alone, rules. */
const NO_CONTENT = /^(?:\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|!?\[\[[^\]\n]{0,300}\]\]|[^\p{L}\p{N}]{0,200})$/u

/** `` - `opinion`: text ``, as some agents write a page of opinions. */
const KEYED_STATEMENT = /`(?:opinion|statement|belief|fact)`[ \t]{0,3}:[ \t]*/iy

/** A bullet on a page that gives the kind: entities and a colon may stand before the content. */
function readUnlettered(reader: LineReader, before: Before): HeadReading {
  if (before.marks.isTask || NO_CONTENT.test(reader.text.slice(reader.at).trimEnd())) return 'plain'
  reader.take(KEYED_STATEMENT)
  const { at } = reader
  const confidence = readConfidence(reader)
  const value = confidence !== null && typeof confidence === 'object' && 'value' in confidence ? confidence.value : undefined
  if (value === undefined) reader.at = at
  const from = reader.at
  const names = readEntities(reader)
  const found = typeof names === 'object' && 'entities' in names && names.entities.length > 0 ? names : undefined
  const isHead = found !== undefined && reader.take(SEPARATOR) !== null
  if (!isHead) reader.at = from
  reader.skipBlanks()
  return {
    ...before,
    isForget: false,
    entities: isHead ? found.entities : [],
    openEmphasis: '',
    end: reader.at,
    warnings: isHead ? found.warnings : [],
    ...(value !== undefined && { confidence: value }),
  }
}
