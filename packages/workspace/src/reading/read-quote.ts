import {
  type DocumentSource,
  type DocumentStat,
  locateQuote,
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
export async function readQuote(request: ReadRequest, quoteHash: string, reading: QuoteReading): Promise<ReadReply> {
  const { signal, caller } = request
  const cited = await reading.read(request)
  const isNamed = cited.status !== 'not-found'
  const place = isNamed ? await placeIn(cited.path, { quoteHash, near: cited.startLine, signal }, reading.source) : null
  const found =
    place === null ? await placeElsewhere(cited.path, quoteHash, { signal }, reading.source) : { path: cited.path, place }
  if (found === null) return gone(cited)
  const { startLine, endLine, match } = found.place
  const isThere = found.path === cited.path && (found.place.isNear || !hasRange(request))
  const reply = await reading.read({ path: found.path, from: startLine, lines: endLine - startLine + 1, caller, signal })
  return { ...reply, moved: match === 'changed' ? 'changed' : isThere ? 'same' : 'moved' }
}

/** A path alone cites no place in the note from which the text could have moved. */
function hasRange({ path, from }: ReadRequest): boolean {
  return from !== undefined || /(?:#L|:)\d+(?:-L?\d+)?$/u.test(path)
}

function gone({ path, status }: ReadReply): ReadReply {
  const note = 'The quoted text is in no note any more. Read the note without the quote hash to see it as it is.'
  return { path, status, text: '', startLine: 0, endLine: 0, moved: 'gone', note }
}

interface QuoteSearch {
  readonly quoteHash: string
  readonly near?: number
  readonly signal?: AbortSignal | undefined
}

async function placeIn(
  path: string,
  { quoteHash, near, signal }: QuoteSearch,
  source: DocumentSource,
): Promise<QuotePlace | null> {
  for await (const item of source.stat?.([{ source: SOURCE_ID, path }], { signal }) ?? []) {
    if ('skipped' in item) throw new WorkspaceError('unreadable', `${path} cannot be searched for a quote: ${item.skipped}.`)
    const { text } = await source.read(item, { signal })
    return locateQuote(text, quoteHash, near)
  }
  return null
}

async function placeElsewhere(
  path: string,
  quoteHash: string,
  { signal }: Pick<QuoteSearch, 'signal'>,
  source: DocumentSource,
): Promise<{ readonly path: string; readonly place: QuotePlace } | null> {
  for await (const item of source.list({ signal })) {
    if ('skipped' in item || item.path === path) continue
    const text = await textOf(item, source, signal)
    const place = text === null ? null : locateQuote(text, quoteHash)
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
