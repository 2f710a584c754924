import {
  ConfigError,
  documentKey,
  type ListedNote,
  type ListQuery,
  type ListReply,
  type StoredDocument,
  type StoreSnapshot,
} from '@mnemark/spec'
import { compareKeys } from '../keywords/format/key-order.ts'
import { countTags } from './count-tags.ts'
import { later, type PassingNote } from './passing-notes.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

export interface ListSettings {
  readonly order: 'newest' | 'path'
  readonly limit: number
  readonly after: Place | undefined
  readonly tags: boolean
}
/** Sort keys of a note. */
type Place = Pick<PassingNote, 'source' | 'path' | 'day' | 'time'>

/**
 * @throws ConfigError `invalid-value` for an invalid order, limit or cursor
 */
export function listSettings({ order = 'newest', limit = DEFAULT_LIMIT, after, tags = false }: Partial<ListQuery>): ListSettings {
  if (order !== 'newest' && order !== 'path')
    throw new ConfigError('invalid-value', `order: expected "newest" or "path", got ${JSON.stringify(order)}`)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    const expected = `expected a whole number from 1 to ${MAX_LIMIT}`
    throw new ConfigError('invalid-value', `limit: ${expected}, got ${JSON.stringify(limit)}`)
  }
  return { order, limit, after: after === undefined ? undefined : readCursor(after, order), tags }
}

/** One page of the notes that pass, with totals over all of them. Reads rows of documents for the page only. */
export async function listNotes(
  snapshot: StoreSnapshot,
  notes: readonly PassingNote[],
  { order, limit, after, tags }: ListSettings,
): Promise<Pick<ListReply, 'notes' | 'total' | 'newest' | 'tags' | 'next'>> {
  // The notes come by path, and ties keep their order.
  const ordered = order === 'path' ? notes : [...notes].sort(compareAge)
  const compare = COMPARE[order]
  const start = after === undefined ? 0 : ordered.findIndex((note) => compare(note, after) > 0)
  const page = start < 0 ? [] : ordered.slice(start, start + limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && ordered.length > start + limit
  const newest = notes.reduce<string | undefined>((day, note) => later(day, note.day), undefined)
  return {
    notes: await described(snapshot, page),
    total: notes.length,
    ...(newest !== undefined && { newest }),
    ...(tags && { tags: countTags(notes) }),
    ...(hasMore && { next: cursorOf(last, order) }),
  }
}

function comparePath(left: Place, right: Place): number {
  return compareKeys(left.path, right.path) || compareKeys(left.source, right.source)
}

/** The later day first, then the later time; notes without one last. */
function compareAge(left: Place, right: Place): number {
  return compareText(right.day, left.day) || compareText(right.time, left.time)
}

function compareText(left = '', right = ''): number {
  return left < right ? -1 : left > right ? 1 : 0
}

const COMPARE = {
  newest: (left: Place, right: Place): number => compareAge(left, right) || comparePath(left, right),
  path: comparePath,
} as const

async function described(snapshot: StoreSnapshot, page: readonly PassingNote[]): Promise<readonly ListedNote[]> {
  const stored = await snapshot.documentsOf(page.flatMap(({ documents }) => documents))
  const byKey = new Map(stored.map((document) => [documentKey(document), document]))
  return page.map((note) =>
    listed(
      note,
      note.documents.flatMap((id) => byKey.get(documentKey(id)) ?? []),
    ),
  )
}

function listed(note: PassingNote, documents: readonly StoredDocument[]): ListedNote {
  const { source, path, from, day, chunks, lines } = note
  const [first] = documents
  const title = documents.find((document) => document.title !== undefined)?.title
  return {
    source,
    path,
    ...(title !== undefined && { title }),
    ...(from !== undefined && { from }),
    ...(day !== undefined && { day }),
    ...(first?.dateReason !== undefined && { dateReason: first.dateReason }),
    isEvergreen: first?.isEvergreen ?? false,
    tags: [...note.tags.values()].map(({ tag }) => tag),
    marks: [...note.marks],
    chunks,
    lines,
    size: documents.reduce((sum, { size }) => sum + size, 0),
    modifiedAt: new Date(Math.max(0, ...documents.map(({ modifiedAtMs }) => modifiedAtMs))).toISOString(),
  }
}

/** Holds the sort keys, so that the next page begins after them whatever happened to the note. */
function cursorOf({ source, path, day, time }: Place, order: ListSettings['order']): string {
  const bytes = new TextEncoder().encode(JSON.stringify([order, path, source, day ?? '', time ?? '']))
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function readCursor(cursor: string, order: ListSettings['order']): Place {
  const [of, path, source, day, time] = cursorParts(cursor)
  if (path === undefined || source === undefined)
    throw new ConfigError('invalid-value', 'after: expected the `next` of a list, as it came')
  if (of !== order) throw new ConfigError('invalid-value', `after: this list is ordered by ${of}; ask for the same order again`)
  return { path, source, day: day || undefined, time: time || undefined }
}

function cursorParts(cursor: string): readonly string[] {
  try {
    const binary = atob(String(cursor).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return Array.isArray(parts) && parts.length === 5 && parts.every((part) => typeof part === 'string') ? parts : []
  } catch {
    return []
  }
}
