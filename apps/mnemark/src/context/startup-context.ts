import { estimateTokens } from '@mnemark/core'
import { type CallerContext, type CallOptions, type DocumentSource, type DocumentStat, WorkspaceError } from '@mnemark/spec'
import { harmlessName, inEnvelope, neutralise } from '@mnemark/tools/envelope'
import { cutToTokens, tokensOf } from './cut-to-tokens.ts'
import { logsOf } from './daily-logs.ts'
import { isPrivateMainSession } from './session-scope.ts'
import { shareBudget } from './share-budget.ts'

export const DEFAULT_BUDGET_TOKENS = 4_000
export const LEAST_BUDGET_TOKENS = 200

export interface ContextRequest extends CallOptions {
  readonly caller: CallerContext
  /** The budget for the whole text, marks included, by the estimate of `@mnemark/core`; at least `LEAST_BUDGET_TOKENS`. */
  readonly budgetTokens: number
  /** Today and the day before, YYYY-MM-DD, in the user's time zone. */
  readonly days: { readonly today: string; readonly yesterday: string }
  /** Lines about the first question of the session, disarmed. They have a share of the budget and stand first. */
  readonly recalled?: readonly string[]
  /** Prepares a text before it is shown, for example by hiding secrets. */
  readonly prepare?: (text: string) => string | Promise<string>
}

export interface ContextPart {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly totalLines: number
  readonly tokens: number
}

export interface StartupContext {
  /** One block for the start of a session, inside the data envelope; empty if there is no content. */
  readonly text: string
  readonly tokens: number
  readonly parts: readonly ContextPart[]
  /** Notes that did not fit the budget. */
  readonly leftOut: readonly string[]
  /** True if the curated long-term file may be shown to this caller. */
  readonly isPrivate: boolean
  /** Notes that could not be read, and why. */
  readonly problems: readonly string[]
}

interface Note {
  readonly path: string
  /** Instead of the path, for lines of several notes, which are no part of their own. */
  readonly title?: string
  readonly lines: readonly string[]
  readonly tokens: number
}

/** The end of a text that matters more: a log is read from its last entry back, a curated file from its top. */
interface Section {
  readonly keep: 'beginning' | 'end'
  readonly notes: readonly Note[]
}

/**
 * The text for the start of an agent's session: `SOUL.md`, the long-term file (only in the private main session of its owner),
 * and the logs of today and yesterday. A section that needs less than its share leaves the rest to the others; text that does not
 * fit is cut at a line, and the answer names it.
 */
export async function buildStartupContext(notes: DocumentSource, request: ContextRequest): Promise<StartupContext> {
  const isPrivate = isPrivateMainSession(request.caller)
  const problems: string[] = []
  const listed = await listNotes(notes, request, problems)
  const read = (stats: readonly DocumentStat[]): Promise<readonly Note[]> => readNotes(notes, stats, request, problems)
  const named = (names: readonly string[]): readonly DocumentStat[] => listed.filter(({ path }) => names.includes(path))
  const { today, yesterday } = request.days
  const { recalled = [] } = request
  const about = { path: '', title: 'Recalled for the first question', lines: recalled, tokens: tokensOf(recalled) }
  const sections: readonly Section[] = [
    { keep: 'beginning', notes: recalled.length === 0 ? [] : [about] },
    { keep: 'beginning', notes: await read(named(['SOUL.md'])) },
    { keep: 'beginning', notes: isPrivate ? await read(named(['MEMORY.md', 'memory.md'])) : [] },
    { keep: 'end', notes: await read(logsOf(today, listed)) },
    { keep: 'end', notes: await read(logsOf(yesterday, listed)) },
  ]
  return { ...fill(sections, request.budgetTokens), isPrivate, problems }
}

async function listNotes(notes: DocumentSource, { signal }: CallOptions, problems: string[]): Promise<readonly DocumentStat[]> {
  const listed: DocumentStat[] = []
  try {
    for await (const item of notes.list({ signal })) if (!('skipped' in item)) listed.push(item)
  } catch (error) {
    if (!WorkspaceError.isInstance(error)) throw error
    problems.push(error.message)
  }
  return listed
}

async function readNotes(
  notes: DocumentSource,
  stats: readonly DocumentStat[],
  { signal, prepare = (text) => text }: ContextRequest,
  problems: string[],
): Promise<readonly Note[]> {
  const read: Note[] = []
  for (const stat of stats) {
    try {
      const { text } = await notes.read(stat, { signal })
      const lines = neutralise(await prepare(text))
        .trimEnd()
        .split('\n')
      if (text.trim() !== '') read.push({ path: stat.path, lines, tokens: tokensOf(lines) })
    } catch (error) {
      if (!WorkspaceError.isInstance(error)) throw error
      problems.push(error.message)
    }
  }
  return read
}

/** A heading and a blank line around each note. */
const HEADING_TOKENS = 40

function fill(sections: readonly Section[], budgetTokens: number): Pick<StartupContext, 'text' | 'tokens' | 'parts' | 'leftOut'> {
  const room = Math.max(0, budgetTokens - estimateTokens(inEnvelope('')))
  const needs = sections.map(({ notes }) => notes.reduce((sum, { tokens }) => sum + tokens + HEADING_TOKENS, 0))
  const shares = shareBudget(needs, room)
  const shown = sections.map((section, index) => fillSection(section, shares[index] ?? 0))
  const blocks = shown.flatMap((section) => section.blocks)
  const leftOut = shown.flatMap((section) => section.leftOut)
  if (blocks.length === 0) return { text: '', tokens: 0, parts: [], leftOut }
  const text = inEnvelope(blocks.map(({ text: block }) => block).join('\n\n'))
  return { text, tokens: estimateTokens(text), parts: blocks.flatMap(({ part }) => part ?? []), leftOut }
}

interface Block {
  readonly text: string
  readonly part?: ContextPart
}

function fillSection(
  { keep, notes }: Section,
  shareTokens: number,
): { readonly blocks: readonly Block[]; readonly leftOut: readonly string[] } {
  const blocks: Block[] = []
  const leftOut: string[] = []
  let room = shareTokens
  for (const note of notes) {
    const kept = cutToTokens(note.lines, room - HEADING_TOKENS, keep)
    if (kept === null) {
      if (note.title === undefined) leftOut.push(note.path)
      continue
    }
    const part = { path: note.path, ...kept, totalLines: note.lines.length }
    const text = `## ${note.title ?? headingOf(part)}\n\n${note.lines.slice(kept.startLine - 1, kept.endLine).join('\n')}`
    blocks.push({ text, ...(note.title === undefined && { part }) })
    room -= kept.tokens + HEADING_TOKENS
  }
  return { blocks, leftOut }
}

function headingOf({ path, startLine, endLine, totalLines }: Omit<ContextPart, 'tokens'>): string {
  const name = harmlessName(path)
  return startLine === 1 && endLine === totalLines ? name : `${name}#L${startLine}-L${endLine} (of ${totalLines} lines)`
}
