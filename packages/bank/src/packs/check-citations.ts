import { type CallOptions, citationOf, type DocumentSource, locateQuote, quoteHash, WorkspaceError } from '@mnemark/spec'

/** A place that was cited, as `recall` and `search` give it. */
export interface CitedText {
  /** `path#L12-L14`. */
  readonly source: string
  readonly quoteHash: string
}

/** A cited text and its fate. */
export interface CheckedCitation extends CitedText {
  /**
   * `same`: it stands where it was cited. `moved`: its words stand elsewhere. `changed`: most of its words stand at `now`, with others.
   * `gone`: it is in no note any more.
   */
  readonly status: 'same' | 'moved' | 'changed' | 'gone'
  /** Its present lines, their citation and hash, all of one reading of one note; absent where it is gone. */
  readonly now?: CitedText & { readonly text: string }
}

export interface CheckOptions extends CallOptions {
  /** Where the notes are. `stat` looks up the cited ones; without it they are found in the list. */
  readonly notes: Pick<DocumentSource, 'id' | 'list' | 'stat' | 'read'>
}

type Found = Pick<CheckedCitation, 'status' | 'now'>

const CITATION = /^(?<path>.+)#L(?<from>\d{1,9})(?:-L?(?<to>\d{1,9}))?$/su

/**
 * Asks again for every citation of an answer, in its order. A note is read once, and all notes only where a text is not in its own. Rejects with
 * WorkspaceError: `refused` for what is no citation or no quote hash, `unreadable` for a cited note that is there and cannot be read.
 */
export async function checkCitations(
  citations: readonly CitedText[],
  { notes, signal }: CheckOptions,
): Promise<readonly CheckedCitation[]> {
  const asked = citations.map(placeOf)
  // Hashes are refused before anything is read.
  for (const { quoteHash: hash } of citations) locateQuote('', hash)
  const found = new Map<number, Found>()
  const byPath = Map.groupBy(asked.entries(), ([, { path }]) => path)
  for (const [path, places] of byPath) {
    const text = await textAt(path, notes, signal)
    for (const [at, place] of places) {
      const there = text === null ? null : compareCitation(text, place)
      if (there !== null) found.set(at, there)
    }
  }
  const missing = new Map([...asked.entries()].filter(([at]) => !found.has(at)))
  for (const [at, elsewhere] of await findElsewhere(missing, notes, signal)) found.set(at, elsewhere)
  return citations.map(({ source, quoteHash: hash }, at) => ({ source, quoteHash: hash, ...(found.get(at) ?? GONE) }))
}

const GONE: Found = { status: 'gone' }

interface CitedPlace {
  readonly path: string
  readonly from: number
  /** Absent where the citation names one line alone: the text may be longer. */
  readonly to: number | undefined
  readonly hash: string
}

function placeOf({ source, quoteHash: hash }: CitedText): CitedPlace {
  const { path, from, to } = CITATION.exec(source)?.groups ?? {}
  if (path !== undefined && from !== undefined)
    return { path, from: Number(from), to: to === undefined ? undefined : Number(to), hash }
  throw new WorkspaceError('refused', 'This is no citation: expected path#L12-L14, as `source` of a fact or `citation` of a hit.')
}

/** The fate of a text in its own note, by one state of the note; null where nothing is left of it there. */
function compareCitation(text: string, { path, from, to, hash }: CitedPlace): Found | null {
  const place = locateQuote(text, hash, from)
  if (place === null) return null
  const isThere = place.isNear && (to === undefined || place.endLine <= to)
  const status = place.match === 'changed' ? 'changed' : isThere ? 'same' : 'moved'
  return { status, now: linesAt(path, text, place) }
}

function linesAt(
  path: string,
  text: string,
  { startLine, endLine }: { readonly startLine: number; readonly endLine: number },
): NonNullable<CheckedCitation['now']> {
  const lines = text
    .split(/\r\n?|\n/u)
    .slice(startLine - 1, endLine)
    .join('\n')
  return { source: citationOf(path, startLine, endLine), quoteHash: quoteHash(lines), text: lines }
}

async function textAt(path: string, notes: CheckOptions['notes'], signal: AbortSignal | undefined): Promise<string | null> {
  const items = notes.stat?.([{ source: notes.id, path }], { signal }) ?? notes.list({ signal })
  for await (const item of items) {
    if (item.path !== path) continue
    if ('skipped' in item) throw new WorkspaceError('unreadable', `${path} cannot be searched for a quote: ${item.skipped}.`)
    return (await notes.read(item, { signal })).text
  }
  return null
}

/** Texts of which another note has every word, each in the first such note of the list. */
async function findElsewhere(
  missing: Map<number, CitedPlace>,
  notes: CheckOptions['notes'],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>()
  if (missing.size === 0) return found
  for await (const item of notes.list({ signal })) {
    if ('skipped' in item) continue
    const text = await readable(notes.read(item, { signal }))
    if (text === null) continue
    for (const [at, { path, hash }] of missing) {
      const place = item.path === path ? null : locateQuote(text, hash)
      if (place?.match !== 'same') continue
      found.set(at, { status: 'moved', now: linesAt(item.path, text, place) })
      missing.delete(at)
    }
    if (missing.size === 0) break
  }
  return found
}

/** Null for a note that cannot be read: the text may be in another one. */
async function readable(reading: Promise<{ readonly text: string }>): Promise<string | null> {
  try {
    return (await reading).text
  } catch (error) {
    if (WorkspaceError.isInstance(error) && error.code === 'unreadable') return null
    throw error
  }
}
