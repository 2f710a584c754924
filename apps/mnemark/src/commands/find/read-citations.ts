import { CommandError } from '../../failure.ts'
import type { CitationToCheck } from '../../operations/facts/check-pack.ts'

/**
 * The citations of an answer: JSON that `recall` or `search` printed, a list of such facts, or lines of a citation and its hash. Throws CommandError
 * `bad-use` for what names no place or no hash.
 */
export function readCitations(text: string): readonly CitationToCheck[] {
  const items = listOf(text)
  if (items.length === 0) throw unreadable('it holds no citation')
  return items.map((item, at) => citationOf(item) ?? refuse(at + 1))
}

function listOf(text: string): readonly unknown[] {
  const trimmed = text.trim()
  if (!/^[[{]/u.test(trimmed)) return trimmed.split(/\r\n?|\n/u).filter((line) => line.trim() !== '')
  let document: unknown
  try {
    document = JSON.parse(trimmed)
  } catch {
    throw unreadable('it is no JSON')
  }
  if (Array.isArray(document)) return document
  const lists = ['facts', 'hits', 'citations'].map((name) => memberOf(document, name))
  return lists.find((list) => Array.isArray(list)) ?? []
}

function citationOf(item: unknown): CitationToCheck | undefined {
  if (typeof item === 'string') {
    const line = item.trim()
    const end = Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t'))
    return end < 0 ? undefined : { source: line.slice(0, end).trim(), quoteHash: line.slice(end + 1) }
  }
  // A fact has its place as `source`; of a hit that is the name of a folder of notes.
  const source = memberOf(item, 'citation') ?? memberOf(item, 'source')
  const [quoteHash, content] = [memberOf(item, 'quoteHash'), memberOf(item, 'content')]
  if (typeof source !== 'string' || typeof quoteHash !== 'string') return undefined
  return { source, quoteHash, ...(typeof content === 'string' && { content }) }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}

function refuse(number: number): never {
  throw unreadable(`citation ${number} of it has no place or no quote hash`)
}

function unreadable(why: string): CommandError {
  return new CommandError('bad-use', `the answer to check cannot be read: ${why}`, {
    next: 'Give what recall --json printed, or lines such as memory/2026-03-01.md#L5-L5 q1.…',
  })
}
