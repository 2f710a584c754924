/** The author of what a line tells. */
export type JournalAuthor = 'person' | 'agent' | 'model' | 'rule'

/**
 * One thing that notes do not say by themselves. Ids only: no text of a note stands here.
 *
 * `start`: facts that were there when the record began; `of` is the counter of the first line of that start, `end` stands on its last one.
 * `seen`: facts that came later. `anchor`: a person set the number of an opinion, which counts the facts in `absorbed` already.
 * `verdict`: a model or a person judged a fact against an opinion. `merge`, `unmerge`: two names were joined, or parted.
 * `forget`: a person deleted a statement, from `page` where only that one is meant; `evidence` alone does not bring it back.
 */
export type JournalEvent =
  | { readonly op: 'start'; readonly facts: readonly string[]; readonly of: number; readonly end?: true }
  | { readonly op: 'seen'; readonly facts: readonly string[] }
  | { readonly op: 'anchor'; readonly opinion: string; readonly value: number; readonly absorbed: readonly string[] }
  | {
      readonly op: 'verdict'
      readonly opinion: string
      readonly fact: string
      readonly verdict: 'supports' | 'contradicts' | 'unrelated' | 'unsure'
      /** 0 to 1. */
      readonly strength: number
      readonly model?: string
    }
  | { readonly op: 'merge' | 'unmerge'; readonly names: readonly [winner: string, loser: string] }
  | { readonly op: 'forget'; readonly id: string; readonly evidence: readonly string[]; readonly page?: string }

export type JournalEntry = JournalEvent & {
  /** Highest counter seen so far, plus one: the order of lines, whatever clocks say. */
  readonly n: number
  /** ISO, in UTC. */
  readonly at: string
  readonly by: JournalAuthor
}

/** Why a line is not read: `version` it is of a newer version; `conflict` a sync program or git left a mark; `unreadable` else. */
export type JournalProblemCode = 'version' | 'conflict' | 'unreadable'

export const JOURNAL_VERSION = 1

/** The line of an entry, without its line end. */
export function writeJournalLine(entry: JournalEntry): string {
  const { n, at, by, op, ...rest } = entry
  const said = entry.op === 'seen' && entry.facts.length === 1 ? { fact: entry.facts[0] } : rest
  return JSON.stringify({ v: JOURNAL_VERSION, n, at, by, op, ...said })
}

const CONFLICT = /^(?:<{7}|={7}|>{7})(?:\s|$)/u
const AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/u
const AUTHORS: readonly unknown[] = ['person', 'agent', 'model', 'rule']
const VERDICTS: readonly unknown[] = ['supports', 'contradicts', 'unrelated', 'unsure']

/** Reads one line; whatever it cannot be sure of is a problem, and the line stays as it is. */
export function readJournalLine(line: string): JournalEntry | JournalProblemCode {
  if (CONFLICT.test(line)) return 'conflict'
  const value = parsed(line)
  if (value === undefined) return 'unreadable'
  const { v, n, at, by } = value
  if (typeof v === 'number' && v > JOURNAL_VERSION) return 'version'
  const isDated = typeof at === 'string' && AT.test(at) && !Number.isNaN(Date.parse(at))
  if (v !== JOURNAL_VERSION || !isCount(n) || !isDated || !isAuthor(by)) return 'unreadable'
  const event = eventOf(value)
  return event === undefined ? 'unreadable' : { ...event, n, at, by }
}

type Fields = Readonly<Record<string, unknown>>

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    // Safe: an object of JSON has texts as its keys.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

function eventOf(fields: Fields): JournalEvent | undefined {
  const { op, of, end, opinion, value, absorbed, fact, verdict, strength, model, names, id, evidence, page } = fields
  // A line that tells of one fact may name it alone.
  const facts = fields['facts'] ?? (isId(fact) ? [fact] : undefined)
  switch (op) {
    case 'start':
      return areIds(facts) && isCount(of) ? { op, facts, of, ...(end === true && { end }) } : undefined
    case 'seen':
      return areIds(facts) ? { op, facts } : undefined
    case 'anchor':
      return isId(opinion) && isShare(value) && areIds(absorbed) ? { op, opinion, value, absorbed } : undefined
    case 'verdict':
      return isId(opinion) && isId(fact) && isVerdict(verdict) && isShare(strength)
        ? { op, opinion, fact, verdict, strength, ...(typeof model === 'string' && { model }) }
        : undefined
    case 'merge':
    case 'unmerge':
      return areNames(names) ? { op, names } : undefined
    case 'forget':
      return isId(id) && areIds(evidence) ? { op, id, evidence, ...(typeof page === 'string' && { page }) } : undefined
    default:
      return undefined
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-z]{4,40}$/u.test(value)
}

function areIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isId)
}

function areNames(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((name) => typeof name === 'string' && name !== '')
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isAuthor(value: unknown): value is JournalAuthor {
  return AUTHORS.includes(value)
}

function isVerdict(value: unknown): value is 'supports' | 'contradicts' | 'unrelated' | 'unsure' {
  return VERDICTS.includes(value)
}
