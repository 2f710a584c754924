import { findSecrets } from '@mnemark/masking'
import type { CallOptions } from '@mnemark/spec'
import { type SessionRecord, type Sessions, type StoredMessage, textOf } from '@mnemark/sessions'
import { CommandError } from '../../failure.ts'
import { citationOf, type Mask, type MessageDocument, messageDocument, noMask, readCitation } from './session-documents.ts'

/** One page of a list, the last written first. */
export function pageOfRecords(
  records: readonly SessionRecord[],
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): { readonly page: readonly SessionRecord[]; readonly next?: string } {
  const sorted = records.toSorted((left, right) => right.updatedAt - left.updatedAt || (left.id < right.id ? -1 : 1))
  const from = after === undefined ? null : readCursor(after)
  const rest = from === null ? sorted : sorted.filter((record) => isAfter(record, from))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { page, ...(last !== undefined && rest.length > page.length && { next: `${last.updatedAt}:${last.id}` }) }
}

type Cursor = Pick<SessionRecord, 'updatedAt' | 'id'>

function isAfter(record: SessionRecord, { updatedAt, id }: Cursor): boolean {
  return record.updatedAt < updatedAt || (record.updatedAt === updatedAt && record.id > id)
}

function readCursor(after: string): Cursor {
  const [, updatedAt = '', id = ''] = /^(\d{1,16}(?:\.\d{1,16})?):(.+)$/u.exec(after) ?? []
  if (id === '') throw badCursor('after')
  return { updatedAt: Number(updatedAt), id }
}

function badCursor(name: string): CommandError {
  return new CommandError('bad-input', `${name}: expected what the page before gave`, {
    next: 'Leave it out for the first page.',
  })
}

export interface PageOfMessages {
  /** The last ones, the oldest of them first. */
  readonly messages: readonly MessageDocument[]
  /** There are earlier ones: the `before` of the page with them. */
  readonly earlier?: string
}

export interface PageRequest extends CallOptions {
  readonly limit: number
  /** Citation of the oldest message that is known already. */
  readonly before?: string | undefined
  /** Results of tools too. */
  readonly tools?: boolean | undefined
  /** Messages of branches that the conversation left too. */
  readonly branches?: boolean | undefined
  /** Longer messages are cut. */
  readonly mostCharacters: number
  readonly hide: Mask
}

/** A page is never larger, but for its one message. */
const MOST_CHARACTERS = 200_000

/** One page of what was said in `records`, oldest first, going back from the end or from `before`. Reads no transcript that the page does not reach. */
export async function pageOfMessages(
  sessions: Sessions,
  records: readonly SessionRecord[],
  { before, limit, ...request }: PageRequest,
): Promise<PageOfMessages> {
  const start = startOf(records, before)
  const found: Found[] = []
  let reached = start.index
  for (; reached >= 0 && found.length <= limit; reached -= 1) {
    const record = records[reached]
    const isFirst = reached === start.index
    if (record !== undefined)
      found.unshift(
        ...(await lastOf(sessions, record, {
          ...request,
          most: limit + 1 - found.length,
          line: isFirst ? start.line : Number.POSITIVE_INFINITY,
        })),
      )
  }
  const wanted = withoutRepeats(found).slice(-limit)
  const messages = await documentsOf(wanted, request)
  const [oldest] = messages
  const hasMore = oldest !== undefined && (found.length > limit || messages.length < wanted.length)
  return { messages, ...(hasMore && { earlier: citationOf(oldest.sessionId, oldest.line) }) }
}

interface Found {
  readonly sessionId: string
  readonly stored: StoredMessage
}

function startOf(
  records: readonly SessionRecord[],
  before: string | undefined,
): { readonly index: number; readonly line: number } {
  if (before === undefined) return { index: records.length - 1, line: Number.POSITIVE_INFINITY }
  const cited = readCitation(before)
  const index = records.findIndex(({ id }) => id === cited?.id)
  if (cited === null || cited.line === null || index < 0) throw badCursor('before')
  return { index, line: cited.line }
}

/** The last messages of one transcript before a line. */
async function lastOf(
  sessions: Sessions,
  { id }: SessionRecord,
  {
    most,
    line,
    tools,
    branches,
    signal,
  }: Pick<PageRequest, 'tools' | 'branches' | 'signal'> & { readonly most: number; readonly line: number },
): Promise<readonly Found[]> {
  const found: Found[] = []
  for await (const { sessionId, ...stored } of sessions.history(id, { branches: branches === true, signal })) {
    if (stored.line >= line) continue
    if (stored.message.role === 'toolResult' && tools !== true) continue
    found.push({ sessionId, stored })
    if (found.length > most) found.shift()
  }
  return found
}

/** A copied transcript repeats messages of another; on a page each comes once, where it was said first. */
function withoutRepeats(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>()
  return found.filter(({ stored: { id, message } }) => {
    const name = `${id} ${JSON.stringify(message.content)}`
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

/** From the newest back, until the page is full. A secret that stands in one message is hidden in all of them. */
async function documentsOf(
  found: readonly Found[],
  { hide, mostCharacters, signal }: Pick<PageRequest, 'hide' | 'mostCharacters' | 'signal'>,
): Promise<readonly MessageDocument[]> {
  const texts = found.map(({ stored }) => textOf(stored.message.content))
  const known = hide === noMask ? [] : [...new Set((await Promise.all(texts.map(findSecrets))).flat())]
  const documents: MessageDocument[] = []
  let characters = 0
  for (const [index, { sessionId, stored }] of [...found.entries()].toReversed()) {
    signal?.throwIfAborted()
    const text = await hide(texts[index] ?? '', known)
    const document = await messageDocument(sessionId, stored, { text, mostCharacters, hide })
    characters += document.text.length
    if (documents.length > 0 && characters > MOST_CHARACTERS) break
    documents.unshift(document)
  }
  return documents
}
