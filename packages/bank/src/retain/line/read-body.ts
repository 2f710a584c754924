import type { FactEntity } from '../fact.ts'
import { LineReader } from './normal-signs.ts'
import { readEntity } from './read-entity.ts'

/** The struck parts of a text, and the text without them; undefined where a `~~` is never closed. */
export interface Unstruck {
  readonly text: string
  readonly struck: readonly string[]
}

export function withoutStruck(text: string): Unstruck | undefined {
  if (!text.includes('~~')) return { text, struck: [] }
  const parts = text.split('~~')
  if (parts.length % 2 === 0) return undefined
  return {
    text: squeezed(parts.filter((_, at) => at % 2 === 0).join(' ')),
    struck: parts
      .filter((_, at) => at % 2 === 1)
      .map(squeezed)
      .filter((part) => part !== ''),
  }
}

export function squeezed(text: string): string {
  return text.replace(/[ \t]+/g, ' ').trim()
}

const MAX_MENTIONS = 64
const MENTION = /(?<![\p{L}\p{N}\p{M}_.@/`-])@(?=[\p{L}\p{N}"[“«「])|\[\[(?!\[)/uy
const LITERAL_NEWLINE = /\\n(?=$|[ \t(（]|[-*#>]|\\n)|(?<=[.!?,;。！？؟])\\n/

/** Entities named in a text, code apart, each once. */
export function mentionsIn(text: string): readonly FactEntity[] {
  const reader = new LineReader(text)
  const found = new Map<string, FactEntity>()
  while (reader.at < text.length && found.size < MAX_MENTIONS) {
    const sign = text[reader.at]
    if (sign === '`') reader.at = afterCode(text, reader.at)
    else if ((sign !== '@' && sign !== '[' && sign !== '＠') || !reader.sees(MENTION)) reader.at += 1
    else {
      const entity = readEntity(reader)
      if (entity === null || typeof entity === 'string') reader.at += 1
      else if (!found.has(entity.key)) found.set(entity.key, entity)
    }
  }
  return [...found.values()]
}

/** The end of the code that a backtick opens, or the next character where nothing closes it. */
function afterCode(text: string, at: number): number {
  const close = text.indexOf('`', at + 1)
  return close === -1 ? at + 1 : close + 1
}

/** Where the two characters `\n` stand for a line break; -1 where nowhere. Paths such as `C:\new` have none. */
export function literalNewlineIn(text: string): number {
  return text.includes('\\n') ? text.search(LITERAL_NEWLINE) : -1
}
