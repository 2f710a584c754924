import { type CallOptions, canonicalJson, type ChunkFilter, type DocumentId, type Mark, type StoreSnapshot } from '@mnemark/spec'
import type { SelectedChunk } from '@mnemark/spec'
import { plainTag, tagKey } from '../document/properties/labels.ts'

const PAGE = 5_000

/** A note with chunks that pass a filter, described by these chunks. Parts of one big file are one note. */
export interface PassingNote {
  readonly source: string
  readonly path: string
  readonly documents: readonly DocumentId[]
  /** First and last day, YYYY-MM-DD. */
  readonly from: string | undefined
  readonly day: string | undefined
  /** Clock time on the last day. */
  readonly time: string | undefined
  /** Tags by their comparable form. */
  readonly tags: ReadonlyMap<string, NoteTag>
  readonly marks: ReadonlySet<Mark>
  readonly chunks: number
  readonly lines: number
}
export interface NoteTag {
  /** The first spelling found. */
  readonly tag: string
  readonly day: string | undefined
}

export interface PassingOptions extends CallOptions {
  readonly filter: ChunkFilter
  readonly yieldToEventLoop: () => Promise<void>
}

/**
 * Caches the notes that pass a filter, by path, for the next page and the next count: every commit that changes notes
 * adds or drops a keyword segment, so equal segments mean equal notes. Only the last result is cached.
 */
export class PassingNotes {
  #key: string | undefined
  #notes: readonly PassingNote[] = []

  async of(snapshot: StoreSnapshot, options: PassingOptions): Promise<readonly PassingNote[]> {
    const segments = (await snapshot.segments()).map(({ id }) => id)
    const key = canonicalJson([segments, options.filter])
    if (key === this.#key) return this.#notes
    const notes = await readNotes(snapshot, options)
    this.#key = key
    this.#notes = notes
    return notes
  }
}

interface OpenNote {
  readonly source: string
  readonly path: string
  readonly documents: DocumentId[]
  from: string | undefined
  day: string | undefined
  time: string | undefined
  readonly tags: Map<string, NoteTag>
  readonly marks: Set<Mark>
  chunks: number
  lines: number
}

/** In the order of paths the chunks of one note come together. */
async function readNotes(
  snapshot: StoreSnapshot,
  { filter, signal, yieldToEventLoop }: PassingOptions,
): Promise<readonly PassingNote[]> {
  const notes: OpenNote[] = []
  // Cached, since few tags are on many chunks, and folding one costs more than all the rest.
  const known = new Map<string, TagName>()
  for (let after: number | undefined; ; ) {
    signal?.throwIfAborted()
    const page = await snapshot.select(filter, { order: 'path', limit: PAGE, ...(after !== undefined && { after }) })
    for (const chunk of page) {
      const { source, path } = chunk.document
      const last = notes.at(-1)
      const note = last?.source === source && last.path === path ? last : opened(notes, chunk)
      addChunk(note, chunk, known)
    }
    if (page.length < PAGE) return notes
    after = page.at(-1)?.id
    await yieldToEventLoop()
  }
}

function opened(notes: OpenNote[], { document: { source, path } }: SelectedChunk): OpenNote {
  const days = { from: undefined, day: undefined, time: undefined }
  const note: OpenNote = { source, path, documents: [], ...days, tags: new Map(), marks: new Set(), chunks: 0, lines: 0 }
  notes.push(note)
  return note
}

function addChunk(note: OpenNote, { document, endLine, attributes }: SelectedChunk, known: Map<string, TagName>): void {
  const { from, to = from, time, tags = [], marks = [] } = attributes
  if (note.documents.at(-1)?.part !== document.part || note.documents.length === 0) note.documents.push(document)
  note.chunks++
  note.lines = Math.max(note.lines, endLine)
  for (const mark of marks) note.marks.add(mark)
  for (const tag of tags) addTag(note.tags, nameOf(tag, known), to)
  const [first, last] = [from ?? to, to]
  if (first !== undefined && (note.from === undefined || first < note.from)) note.from = first
  if (last === undefined || (note.day !== undefined && last < note.day)) return
  note.time = last === note.day ? later(note.time, time) : time
  note.day = last
}

interface TagName {
  readonly key: string
  readonly tag: string
}

function nameOf(written: string, known: Map<string, TagName>): TagName {
  const name = known.get(written) ?? { key: tagKey(written), tag: plainTag(written) }
  known.set(written, name)
  return name
}

function addTag(tags: Map<string, NoteTag>, { key, tag }: TagName, day: string | undefined): void {
  if (key === '') return
  const before = tags.get(key)
  tags.set(key, { tag: before?.tag ?? tag, day: later(before?.day, day) })
}

export function later(left: string | undefined, right: string | undefined): string | undefined {
  return (left ?? '') > (right ?? '') ? left : right
}
