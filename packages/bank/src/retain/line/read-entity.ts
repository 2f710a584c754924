import { entityKey } from '@mnemark/core/document'
import type { FactEntity } from '../fact.ts'
import type { LineReader } from './normal-signs.ts'

/** `null`: nothing that begins like an entity. `not-one`: an address, `@scope/name` or a directive of an agent. */
export type EntityReading = FactEntity | 'empty' | 'unclosed' | 'placeholder' | 'not-one' | null

/** Pairs that may stand round a name after `@`, in the order in which they are written. */
export const NAME_QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['[', ']'],
  ['“', '”'],
  ['«', '»'],
  ['「', '」'],
]
const MAX_NAME = 200
const RUN =
  /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200c\ufe0f][\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200c\u200d\ufe0f_.'’-]{0,199}/uy
const DIRECTIVE = /\[\[[ \t]{0,9}(?:reply_to|audio_as_voice)[^\]\n]{0,200}\]\]/y
const PLACEHOLDER = /^(?:entity|entities|name|entity ?name|someone|实体|名称|實體|名前|الكيان|الاسم)$/i
const BRACKETED = /@[<{][^>}\n]{0,100}[>}]/y

/** Whether a name needs no quotes after `@`. */
export function isRun(name: string): boolean {
  RUN.lastIndex = 0
  const run = RUN.exec(name)?.[0]
  return run === name && trimmedRun(run) === run
}

function trimmedRun(run: string): string {
  let end = run.length
  while (end > 0 && ".-'’_".includes(run[end - 1] ?? '')) end -= 1
  return run.slice(0, end)
}

/** Reads the entity that begins here and moves past it; on anything else the reader stays where it was. */
export function readEntity(reader: LineReader): EntityReading {
  const start = reader.at
  const reading = reader.text[start] === '@' ? readAt(reader) : reader.text.startsWith('[[', start) ? readLink(reader) : null
  if (reading === null || typeof reading === 'string') reader.at = start
  return reading
}

function readAt(reader: LineReader): EntityReading {
  if (reader.sees(BRACKETED)) return 'placeholder'
  reader.at += 1
  for (const [open, close] of NAME_QUOTES) {
    if (!reader.text.startsWith(open, reader.at)) continue
    if (open === '[' && reader.text[reader.at + 1] === '[') break
    const end = reader.text.indexOf(close, reader.at + 1)
    if (end === -1 || end - reader.at > MAX_NAME) return 'unclosed'
    const name = reader.raw.slice(reader.at + 1, end).trim()
    reader.at = end + 1
    return entityOf(name)
  }
  if (reader.text.startsWith('[[', reader.at)) return readLink(reader)
  RUN.lastIndex = reader.at
  const run = trimmedRun(RUN.exec(reader.text)?.[0] ?? '')
  if (run === '') return 'empty'
  const name = reader.raw.slice(reader.at, reader.at + run.length)
  reader.at += run.length
  const next = reader.text[reader.at]
  const isScope = next === '/' && /[\p{L}\p{N}_.-]/u.test(reader.text[reader.at + 1] ?? '')
  return isScope || (next === '@' && /[\p{L}\p{N}]/u.test(reader.text[reader.at + 1] ?? '')) ? 'not-one' : entityOf(name)
}

function entityOf(name: string): EntityReading {
  if (name === '' || entityKey(name) === '') return 'empty'
  return PLACEHOLDER.test(name) ? 'placeholder' : { name, key: entityKey(name), isLink: false }
}

function readLink(reader: LineReader): EntityReading {
  if (reader.sees(DIRECTIVE)) return 'not-one'
  const end = reader.text.indexOf(']]', reader.at + 2)
  if (end === -1 || end - reader.at > 2 * MAX_NAME) return 'unclosed'
  const [target = '', label] = split(reader.raw.slice(reader.at + 2, end), '|')
  const [name = '', part] = split(target, '#')
  reader.at = end + 2
  const page = name.trim()
  const key = entityKey(pageName(page))
  if (key === '') return 'empty'
  if (PLACEHOLDER.test(page)) return 'placeholder'
  return {
    name: page,
    key,
    isLink: true,
    ...(part !== undefined && part.trim() !== '' && { part: part.trim() }),
    ...(label !== undefined && label.trim() !== '' && { label: label.trim() }),
  }
}

function split(text: string, sign: string): readonly [string, string?] {
  const at = text.indexOf(sign)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** The last part of a page's path, without its suffix: what the page is called. */
export function pageName(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return last.replace(/\.(?:md|markdown)$/i, '')
}
