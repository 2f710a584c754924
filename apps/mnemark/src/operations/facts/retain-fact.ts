import type { FactPlace, FactRequest, PlacedFact, RetainReport, WritableFact } from '@mnemark/bank'
import { type ChunkFilter, dayInZone, type MemoryStore } from '@mnemark/spec'
import type { Revise, Workspace } from '@mnemark/workspace'
import { CommandError } from '../../failure.ts'

/** A fact as a command line, a tool or a request says it. */
export type FactToRetain = FactRequest & { readonly again?: boolean | undefined }

export interface Retaining {
  readonly notes: Workspace
  readonly nowMs: number
  readonly timeZone: string | undefined
  readonly dateOrder?: 'dmy' | 'mdy' | undefined
  /** The text of a note that the caller may see, for the fact that a citation names; undefined where there is none. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Paths of the notes that may hold a fact already, by the index as it is; absent where there is none. */
  readonly notesWith?: ((fact: PlacedFact) => Promise<readonly string[]>) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Adds a fact to the log of the day. Throws CommandError `bad-input` for what would not be read as it is meant; nothing is written then. */
export async function retainFact(asked: FactToRetain, retaining: Retaining): Promise<RetainReport> {
  // Parsing facts is loaded with the first one.
  const { makeFact, retain } = await import('@mnemark/bank')
  const { notes, nowMs, timeZone, dateOrder, signal } = retaining
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const [corrects, retracts] = [await idOf(asked.corrects, retaining), await idOf(asked.retracts, retaining)]
  const fact = makeFact({ ...asked, corrects, retracts }, { nowMs, timeZone: zone })
  if ('code' in fact) throw refused(fact.code, fact.message, fact.proposed)
  const path = await notes.dailyLog(nowMs)
  const day = dayInZone(nowMs, timeZone)
  // A correction is said by nothing that another note holds.
  const isNew = asked.again === true || (fact.relations ?? []).length > 0
  const known = isNew ? undefined : await placeElsewhere(fact, path, retaining)
  const find = (factId: string): FactPlace | undefined => (known?.factId === factId ? known : undefined)
  return retain(notes.change, fact, { path, day, again: asked.again, dateOrder, find, signal })
}

/** Where another note holds the fact that would be written to `path`; the index is believed for no longer than the note agrees. */
async function placeElsewhere(
  fact: WritableFact,
  path: string,
  { notesWith, read, dateOrder }: Retaining,
): Promise<(FactPlace & { readonly factId: string }) | undefined> {
  if (notesWith === undefined) return undefined
  const { readFacts, writeFact } = await import('@mnemark/bank')
  const [asWritten] = readFacts(`# Log\n\n## Retain\n\n${writeFact(fact)}\n`, { path, dateOrder }).facts
  const others = asWritten === undefined ? [] : await notesWith(asWritten)
  for (const other of others.filter((each) => each !== path)) {
    const facts = readFacts((await read(other)) ?? '', { path: other, dateOrder }).facts
    const same = facts.find(({ id, state }) => id === asWritten?.id && state === asWritten.state)
    if (same !== undefined) return { path: other, startLine: same.startLine, endLine: same.endLine, factId: same.id }
  }
  return undefined
}

/** Asks the index as it is, without bringing it up to date: writing a fact waits for no sync. */
export async function notesWithFact(
  store: Pick<MemoryStore, 'snapshot'>,
  fact: PlacedFact,
  filter?: ChunkFilter,
): Promise<readonly string[]> {
  const { notesWithFact: find } = await import('@mnemark/bank')
  const snapshot = await store.snapshot()
  try {
    return await find(snapshot, fact, filter)
  } finally {
    snapshot.release()
  }
}

const CITATION = /^([^"^].{0,4000}?)(?:#L|:)(\d{1,9})(?:-L?\d{1,9})?$/u

/** A line moves; the fact that stands there now is named by its id. */
async function idOf(target: string | undefined, { read, dateOrder }: Retaining): Promise<string | undefined> {
  const [, path, number] = CITATION.exec(target?.trim() ?? '') ?? []
  if (path === undefined) return target
  const { readFacts } = await import('@mnemark/bank')
  const line = Number(number)
  const text = await read(path)
  const facts = text === undefined ? [] : readFacts(text, { path, dateOrder }).facts
  const fact = facts.find(({ startLine, endLine }) => startLine <= line && line <= endLine)
  if (fact === undefined) throw refused('relation-target', 'No fact stands on the line that is to be corrected or retracted.')
  return `^${fact.id}`
}

function refused(code: string, message: string, proposed?: string): CommandError {
  const next = proposed === undefined ? 'Correct the fact; nothing was written.' : `Nothing was written. Write: ${proposed}`
  return new CommandError('bad-input', `${code}: ${message}`, { next })
}

/** Signs the facts among lines that an agent adds. */
export async function signedByAgent(dateOrder?: 'dmy' | 'mdy'): Promise<Revise> {
  const { signFacts } = await import('@mnemark/bank')
  return (text, addition) => {
    const signed = signFacts(text, { ...addition, dateOrder, author: 'agent' })
    if (signed !== null) return signed
    throw refused(
      'unclosed',
      "A fact cannot be marked as an agent's: the change makes a fact of a person say something else beside its line, or a line opens something and does not close it.",
    )
  }
}
