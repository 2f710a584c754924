import {
  type DocumentSource,
  type DocumentStat,
  locateQuote,
  quoteHash,
  type QuotePlace,
  type ReadReply,
  type ReadRequest,
  WorkspaceError,
} from '@mnemark/spec'
import { SOURCE_ID } from '../listing/scan.ts'

export interface QuoteReading {
  readonly source: DocumentSource
  /** Reads lines, regardless of a quote. */
  readonly read: (request: ReadRequest) => Promise<ReadReply>
}

/**
 * Reads a quoted text where it stands now: in its note, whole or in part, else in another note that has all of it. `moved` says which;
 * where it is `gone` there is no text, so that nothing else is taken for the quote.
 * @throws WorkspaceError as reading does, and `refused` for what is no quote hash
 */
export async function readQuote(request: ReadRequest, quoted: string, reading: QuoteReading): Promise<ReadReply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await readOnce(request, quoted, reading)
    if (reply !== null) return reply
    if (tries === TRIES) throw new WorkspaceError('unreadable', 'The note is being changed again and again. Try again later.')
  }
}

/** Null where the note changed between looking for the text and reading it: the lines would be of another state than their numbers. */
async function readOnce(request: ReadRequest, quoted: string, reading: QuoteReading): Promise<ReadReply | null> {
  const { signal, caller } = request
  const cited = await reading.read(request)
  const isNamed = cited.status !== 'not-found'
  const place = isNamed ? await placeIn(cited.path, { quoted, near: cited.startLine, signal }, reading.source) : null
  const found =
    place === null ? await placeElsewhere(cited.path, quoted, { signal }, reading.source) : { path: cited.path, place }
  if (found === null) return gone(cited)
  const { startLine, endLine, match } = found.place
  const isNear = found.place.isNear && (!hasEnd(request) || endLine <= cited.endLine)
  const isThere = found.path === cited.path && (isNear || !hasRange(request))
  const reply = await reading.read({ path: found.path, from: startLine, lines: endLine - startLine + 1, caller, signal })
  // A line beyond what is read at once comes with a note, and not whole.
  if (reply.note === undefined && quoteHash(reply.text) !== found.place.hash) return null
  return { ...reply, moved: match === 'changed' ? 'changed' : isThere ? 'same' : 'moved' }
}

/** A path alone cites no place in the note from which the text could have moved. */
function hasRange({ path, from }: ReadRequest): boolean {
  return from !== undefined || /(?:#L|:)\d+(?:-L?\d+)?$/u.test(path)
}

/** Whether more than a first line is cited, so that text which reaches beyond has moved. */
function hasEnd({ path, lines }: ReadRequest): boolean {
  return lines !== undefined || /(?:#L|:)\d+-L?\d+$/u.test(path)
}

function gone({ path, status }: ReadReply): ReadReply {
  const note = 'The quoted text is in no note any more. Read the note without the quote hash to see it as it is.'
  return { path, status, text: '', startLine: 0, endLine: 0, moved: 'gone', note }
}

/** Another program may save in between; after so many tries it is said. */
const TRIES = 3

/** A place, and the hash of the text that was found there. */
interface FoundPlace extends QuotePlace {
  readonly hash: string
}

function locate(text: string, quoted: string, near?: number): FoundPlace | null {
  const place = locateQuote(text, quoted, near)
  if (place === null) return null
  const lines = text.split(/\r\n?|\n/u).slice(place.startLine - 1, place.endLine)
  return { ...place, hash: quoteHash(lines.join('\n')) }
}

interface QuoteSearch {
  readonly quoted: string
  readonly near?: number
  readonly signal?: AbortSignal | undefined
}

async function placeIn(path: string, { quoted, near, signal }: QuoteSearch, source: DocumentSource): Promise<FoundPlace | null> {
  for await (const item of source.stat?.([{ source: SOURCE_ID, path }], { signal }) ?? []) {
    if ('skipped' in item) throw new WorkspaceError('unreadable', `${path} cannot be searched for a quote: ${item.skipped}.`)
    const { text } = await source.read(item, { signal })
    return locate(text, quoted, near)
  }
  return null
}

async function placeElsewhere(
  path: string,
  quoted: string,
  { signal }: Pick<QuoteSearch, 'signal'>,
  source: DocumentSource,
): Promise<{ readonly path: string; readonly place: FoundPlace } | null> {
  for await (const item of source.list({ signal })) {
    if ('skipped' in item || item.path === path) continue
    const text = await textOf(item, source, signal)
    const place = text === null ? null : locate(text, quoted)
    if (place?.match === 'same') return { path: item.path, place }
  }
  return null
}

/** Null for a note that cannot be read: the quote may be in another one. */
async function textOf(stat: DocumentStat, source: DocumentSource, signal: AbortSignal | undefined): Promise<string | null> {
  try {
    return (await source.read(stat, { signal })).text
  } catch (error) {
    if (WorkspaceError.isInstance(error) && error.code === 'unreadable') return null
    throw error
  }
}
