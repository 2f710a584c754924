import type { FactRequest, RetainReport } from '@mnemark/bank'
import { dayInZone } from '@mnemark/spec'
import type { Revise, Workspace } from '@mnemark/workspace'
import { CommandError } from '../failure.ts'

/** A fact as a command line, a tool or a request says it. */
export type FactToRetain = FactRequest & { readonly again?: boolean | undefined }

export interface Retaining {
  readonly notes: Workspace
  readonly nowMs: number
  readonly timeZone: string | undefined
  readonly dateOrder?: 'dmy' | 'mdy' | undefined
  /** The text of a note that the caller may see, for the fact that a citation names; undefined where there is none. */
  readonly read: (path: string) => Promise<string | undefined>
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
  return retain(notes.change, fact, { path, day, again: asked.again, dateOrder, signal })
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
      "A fact of this text cannot be marked as an agent's, because its line opens something and does not close it.",
    )
  }
}
