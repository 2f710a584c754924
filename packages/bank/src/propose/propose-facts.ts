import { parseDocument } from '@mnemark/core/document'
import { type DateOrder, readTimeWindows } from '@mnemark/core/dates'
import { citationOf } from '@mnemark/spec'
import { statementKey } from '../packs/statement.ts'
import type { Fact, FactDays, FactKind } from '../retain/fact.ts'
import { isFactPath } from '../retain/fact-places.ts'
import { makeFact } from '../retain/make-fact.ts'
import { readFactsOf } from '../retain/read-facts.ts'
import type { WritableFact } from '../retain/write-fact.ts'
import type { ProposalReason } from './cue-words.ts'
import { PROGRAMS, USERS } from './cue-words.ts'
import { isDoubted, readCue } from './read-cue.ts'
import { type Statement, statementsIn } from './statements.ts'

/** A fact that a log seems to say, for a person to accept. */
export interface FactProposal {
  readonly kind: FactKind
  /** Names as the log writes them. */
  readonly entities: readonly string[]
  /** The words of the log, negations included. */
  readonly content: string
  /** `memory/2026-03-14.md#L3-L3`. */
  readonly source: string
  /** `candidate`: a bullet of a Retain section that has no letter. `model`: a chat model offers it. */
  readonly why: ProposalReason | 'candidate' | 'model'
  /** To be written by `retain`, with the days of its log and its source. */
  readonly fact: WritableFact
}

/** A log and the day it was written on. */
export interface ProposeFrom {
  readonly path: string
  readonly text: string
}

export interface ProposeOptions {
  /** The day YYYY-MM-DD on which proposals are written: facts of the same day need no trailer. */
  readonly today: string
  readonly dateOrder?: DateOrder | undefined
  /** Known names that stand in a text, in their order; in scripts without capitals nothing else tells a name. */
  readonly namesIn?: ((text: string) => readonly string[]) | undefined
  /** Facts that are known, in whatever note: what they say is not offered again. */
  readonly known?: Iterable<Pick<Fact, 'entities' | 'content'>> | undefined
  /** The key that two names of one entity share, as `Entities` gives it. */
  readonly keyOf?: ((key: string) => string) | undefined
}

const LONGEST = 300
/** Notes that somebody else wrote, that repeat others, or that are over. */
const NO_LOG: ReadonlySet<string> = new Set(['template', 'derived', 'copy', 'archived', 'superseded', 'untrusted'])
/** Remarks of programs about their own work, and commands, are no facts. */
const OWN_LINE =
  /(?:^|[\s(])(?:confidence|score|status|candidate|staged|retries|exit code|tokens?)\s*[:=]|^\s*(?:\$|>|sudo\s|npm\s|git\s|cd\s|curl\s|docker\s)|&&|\|\||-{2}[a-z]|^[^\p{L}]*$/iu
const HALF = /(?:[:：,،、;；]|\.{3}|…|(?<![\p{L}])(?:and|or|but|because|und|oder|weil|y|o|et|ou|و|أو))\s*$/iu

/**
 * Facts that logs seem to say outside their Retain sections, by rules; see the README. Each keeps the words of its log, so that no negation is
 * lost; what is asked, doubted or about nobody who is named is left out. What is known, or said twice, is offered once. Pure.
 */
export function proposeFacts(logs: readonly ProposeFrom[], options: ProposeOptions): readonly FactProposal[] {
  const found = logs
    .filter(({ path }) => isFactPath(path))
    .flatMap((log) => statementsOf(log, options).flatMap((one) => proposalOf(one, log, options) ?? []))
  return unseen(found, options)
}

/** Those that say what neither a known fact nor one before them says. */
export function unseen(found: readonly FactProposal[], options: ProposeOptions): readonly FactProposal[] {
  const seen = new Set([...(options.known ?? [])].map((fact) => saidBy(fact, options)))
  return found.filter(({ fact }) => {
    const key = saidBy({ entities: fact.entities ?? [], content: fact.content }, options)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** The statements of a log that may hold facts, and its day. */
export interface LogStatement extends Statement {
  readonly day: string | undefined
}

export function statementsOf({ path, text }: ProposeFrom, { dateOrder, namesIn }: ProposeOptions): readonly LogStatement[] {
  const parsed = parseDocument({ source: 'memory', path }, { text }, { dateOrder })
  if (parsed.marks.some((mark) => NO_LOG.has(mark))) return []
  const facts = readFactsOf(text, parsed, { path, dateOrder })
  const { from: day } = parsed
  return statementsIn(text, parsed, facts, { path, namesIn })
    .filter(({ text: said }) => said.length <= LONGEST && !OWN_LINE.test(said) && !HALF.test(said))
    .map((statement) => ({ ...statement, day }))
}

function saidBy(fact: Pick<Fact, 'entities' | 'content'>, { keyOf }: ProposeOptions): string {
  return statementKey(fact, keyOf)
}

function proposalOf(statement: LogStatement, { path }: ProposeFrom, options: ProposeOptions): FactProposal | undefined {
  const { speaker } = statement
  if (speaker !== undefined && PROGRAMS.test(speaker)) return undefined
  const text = statement.text.replace(/[.。۔]$/u, '').trimEnd()
  const names = namesOf(text, speaker, options)
  const cue = readCue(text, speaker === undefined ? names : [])
  if (cue === undefined && (!statement.isCandidate || isDoubted(text))) return undefined
  // In speech a sentence begins with a capital more often than with a name.
  if (cue?.subject !== undefined && speaker !== undefined && !(options.namesIn?.(cue.subject) ?? []).includes(cue.subject))
    return undefined
  const { why, kind, subject, restAt } = cue ?? { why: 'candidate' as const, kind: 'world' as const, restAt: 0 }
  const entities = subject !== undefined ? [subject] : names
  return makeProposal(
    { kind, entities, content: text.slice(restAt), why: statement.isCandidate ? 'candidate' : why },
    statement,
    {
      path,
      options,
    },
  )
}

function namesOf(text: string, speaker: string | undefined, { namesIn }: ProposeOptions): readonly string[] {
  if (speaker !== undefined) return [USERS.test(speaker) ? 'user' : speaker]
  return (namesIn?.(text) ?? []).slice(0, 3)
}

/** The proposal, where it can be written and read as it is meant. */
export function makeProposal(
  { kind, entities, content, why }: Pick<FactProposal, 'kind' | 'entities' | 'content' | 'why'>,
  { startLine, endLine, day }: LogStatement,
  { path, options }: { readonly path: string; readonly options: ProposeOptions },
): FactProposal | undefined {
  const made = makeFact({ text: content.trim(), kind, entities }, { nowMs: Date.parse(options.today), timeZone: 'UTC' })
  if ('code' in made || made.state !== undefined) return undefined
  const source = citationOf(path, startLine, endLine)
  const written = made.written ?? daysOf(content, day, options)
  const fact: WritableFact = {
    ...made,
    sources: [source],
    ...(written !== undefined && { written }),
    ...(why === 'model' && { author: 'model' as const }),
  }
  return { kind: made.kind, entities: (made.entities ?? []).map(({ name }) => name), content: made.content, source, why, fact }
}

/** One day or beginning that the words name, counted from the day of the log; else that day. */
function daysOf(content: string, day: string | undefined, { today, dateOrder }: ProposeOptions): FactDays | undefined {
  if (day === undefined) return undefined
  const [window, ...more] = readTimeWindows(content, { today: day, dateOrder, yearless: 'nearest' })
  if (window !== undefined && more.length === 0) {
    const { from, to, relation, precision } = window
    if (relation === 'since' && from !== undefined) return { from, isOpen: true }
    if (relation === 'in' && precision === 'day' && from !== undefined && to !== undefined) return { from, to }
  }
  return day === today ? undefined : { from: day, to: day }
}
