import { parseDocument } from '@mnemark/core/document'
import { estimateTokens } from '@mnemark/core/text'
import type { FactState } from '../facts/fact-registry.ts'
import { contentKey } from '../retain/fact-id.ts'
import { managedLines } from '../retain/managed-lines.ts'
import { readFacts, readFactsOf } from '../retain/read-facts.ts'
import { type MemoryCandidate, memoryCandidates, memoryKey, outdatedStatements, statementForms } from './memory-candidates.ts'
import { pageDiff } from './page-diff.ts'
import { readable } from './page-item.ts'
import type { PageOpinion } from './page-opinion.ts'

/** One change that is proposed for the long-term file. */
export interface MemoryEdit {
  readonly verb: 'add' | 'correct' | 'remove'
  /** The line that comes, or the one that goes. */
  readonly line: string
  /** The line that a correction replaces. */
  readonly instead?: string
  /** Citation of the line that says so; for a removed line that is said twice or has no room, its own place. */
  readonly source: string
  readonly why: string
}

/** A change of the long-term file that nobody makes but its owner. */
export interface MemoryProposal {
  readonly path: string
  /** Absent: there is no such file yet. */
  readonly before?: string
  readonly after: string
  /** All edits as one unified diff. */
  readonly diff: string
  /** One line for each edit: verb, reason, source. */
  readonly why: string
  readonly edits: readonly MemoryEdit[]
  /** Statements that would qualify and do not fit. */
  readonly left: readonly Pick<MemoryCandidate, 'line' | 'source' | 'why'>[]
  /** Estimated tokens of the file. */
  readonly tokens: { readonly before: number; readonly after: number; readonly limit: number }
}

export interface MemoryProposalOptions {
  /** Path of the file; its statements are known, and never proposed from itself. */
  readonly path: string
  readonly opinions?: readonly PageOpinion[] | undefined
  /** Size of the file in estimated tokens. Default `MEMORY_LIMIT_TOKENS`. */
  readonly limitTokens?: number | undefined
}

/** The share of 4,000 tokens of start-up context that the long-term file has at the least, so that it is always loaded whole. */
export const MEMORY_LIMIT_TOKENS = 750

const HEADING = '## From the notes'

/**
 * Proposes additions, corrections and removals for `MEMORY.md`, as one diff. The same notes give the same proposal; once it is applied there
 * is none. Undefined where there is nothing to propose. Lines of a person are corrected or removed only where a note says that they hold no
 * longer or the file says them twice; only bullets below `## From the notes` make room for others.
 */
export function proposeMemory(
  state: FactState,
  before: string | undefined,
  options: MemoryProposalOptions,
): MemoryProposal | undefined {
  const { path, limitTokens = MEMORY_LIMIT_TOKENS } = options
  const { opinions = [] } = options
  const file = new MemoryFile(before ?? '# Memory\n', path)
  for (const fact of state.facts) if (fact.path === path) file.fixed.add(memoryKey(fact, state))
  const edits = [...settle(file, { state, forms: statementForms(state, opinions) })]
  const candidates = memoryCandidates(state, opinions)
  file.keepOthers(new Set(candidates.map(({ key }) => key)))
  const { kept, left } = fill(
    candidates.filter(({ key }) => !file.fixed.has(key)),
    limitTokens - file.cost(),
  )
  for (const edit of makeRoom(file, kept, limitTokens)) merge(edits, edit)
  for (const { key, line, source, why } of kept) {
    if (file.ours.has(key)) continue
    file.add(line)
    edits.push({ verb: 'add', line, source, why })
  }
  if (edits.length === 0) return undefined
  const after = file.text()
  return {
    path,
    ...(before !== undefined && { before }),
    after,
    diff: pageDiff(path, before, after),
    why: edits.map(({ verb, why, source }) => `${verb}: ${why} (see ${source})`).join('\n'),
    edits,
    left: left.map(({ line, source, why }) => ({ line, source, why })),
    tokens: { before: before === undefined ? 0 : estimateTokens(before), after: estimateTokens(after), limit: limitTokens },
  }
}

/** A line that was to be corrected and has no room goes as it is. */
function merge(edits: MemoryEdit[], removal: MemoryEdit): void {
  const at = edits.findIndex(({ verb, line }) => verb === 'correct' && line === removal.line)
  const line = edits[at]?.instead
  if (line === undefined) edits.push(removal)
  else edits[at] = { ...removal, line }
}

/** Takes out the bullets below our heading that are worth less than those that fit. */
function* makeRoom(file: MemoryFile, kept: readonly MemoryCandidate[], limitTokens: number): Generator<MemoryEdit> {
  const keys = new Set(kept.map(({ key }) => key))
  for (const line of file.ours.values()) {
    if (keys.has(line.key)) continue
    file.remove(line)
    yield { verb: 'remove', line: line.text, source: `${file.path}#L${line.at + 1}`, why: `no room in ${limitTokens} tokens` }
  }
}

/** Corrects and removes what holds no longer or is said twice, and finds what the others say. */
function* settle(
  file: MemoryFile,
  { state, forms }: { readonly state: FactState; readonly forms: ReadonlyMap<string, string> },
): Generator<MemoryEdit> {
  const outdated = outdatedStatements(state)
  const lines = file.bullets().flatMap((line) => {
    const key = formsOf(line.text, state)
      .map((form) => forms.get(form))
      .find((one) => one !== undefined)
    return key === undefined ? [] : [{ ...line, key }]
  })
  for (const line of lines) if (!outdated.has(line.key)) yield* stand(file, line)
  for (const line of lines) {
    const ending = outdated.get(line.key)
    if (ending === undefined) continue
    const { why, source, successor } = ending
    if (successor === undefined || file.says(successor.key)) {
      file.remove(line)
      yield { verb: 'remove', line: line.text, source, why }
    } else {
      file.replace(line, successor)
      yield { verb: 'correct', line: successor.line, instead: line.text, source, why }
    }
  }
}

function* stand(file: MemoryFile, line: KnownLine): Generator<MemoryEdit> {
  if (file.says(line.key)) {
    file.remove(line)
    yield { verb: 'remove', line: line.text, source: `${file.path}#L${line.at + 1}`, why: 'said twice' }
  } else if (line.isOurs) file.ours.set(line.key, line)
  else file.fixed.add(line.key)
}

/** The best that fit, in their order: one that does not fit ends nothing. */
function fill(
  candidates: readonly MemoryCandidate[],
  room: number,
): { readonly kept: readonly MemoryCandidate[]; readonly left: readonly MemoryCandidate[] } {
  let rest = room
  const kept: MemoryCandidate[] = []
  const left: MemoryCandidate[] = []
  for (const candidate of candidates) {
    const tokens = costOf(candidate.line)
    if (tokens <= rest) {
      kept.push(candidate)
      rest -= tokens
    } else left.push(candidate)
  }
  return { kept, left }
}

function costOf(line: string): number {
  return estimateTokens(`${line}\n`)
}

interface Bullet {
  /** From 0. */
  readonly at: number
  readonly text: string
  /** True below the heading under which we propose: such a bullet may make room for a better one. */
  readonly isOurs: boolean
}

type KnownLine = Bullet & { readonly key: string }

/** The lines of the long-term file while they change; every line that is not named keeps its bytes. */
class MemoryFile {
  readonly path: string
  /** Keys of statements that stay. */
  readonly fixed = new Set<string>()
  /** Standing bullets below our heading, by key. */
  readonly ours = new Map<string, KnownLine>()
  readonly #text: string
  readonly #lines: (string | undefined)[]
  readonly #added: string[] = []
  readonly #lineEnd: string
  readonly #outline: ReturnType<typeof parseDocument>['outline']
  readonly #parsed: ReturnType<typeof parseDocument>

  constructor(text: string, path: string) {
    this.path = path
    this.#text = text
    this.#lines = text.split('\n')
    this.#lineEnd = text.includes('\r\n') ? '\r' : ''
    this.#parsed = parseDocument({ source: 'memory', path }, { text })
    this.#outline = this.#parsed.outline
  }

  /** Plain bullets of one line: no facts of a Retain section, nothing that lines below belong to. */
  bullets(): readonly Bullet[] {
    const { kinds, indents } = this.#outline
    const taken = [
      ...managedLines(this.#text, this.#outline),
      ...readFactsOf(this.#text, this.#parsed, { path: this.path }).facts,
    ]
    const section = this.#section()
    return kinds.flatMap((kind, at) => {
      const isTaken = taken.some(({ startLine, endLine }) => startLine <= at + 1 && endLine >= at + 1)
      const goesOn = kinds[at + 1] === 'text' || (kinds[at + 1] === 'list' && (indents[at + 1] ?? 0) > (indents[at] ?? 0))
      if (kind !== 'list' || isTaken || goesOn || (indents[at] ?? 0) > 0) return []
      const text = (this.#lines[at] ?? '').replace(/\r$/, '')
      const isOurs = section !== undefined && at > section.first && at < section.end
      return [{ at, text, isOurs }]
    })
  }

  says(key: string): boolean {
    return this.fixed.has(key) || this.ours.has(key)
  }

  remove({ at }: Bullet): void {
    this.#lines[at] = undefined
  }

  replace({ at, isOurs }: Bullet, { line, key }: MemoryCandidate): void {
    this.#lines[at] = line + ((this.#lines[at] ?? '').endsWith('\r') ? '\r' : '')
    if (isOurs) this.ours.set(key, { at, text: line, isOurs, key })
    else this.fixed.add(key)
  }

  /** Bullets below our heading that say nothing which qualifies are somebody's own. */
  keepOthers(qualified: ReadonlySet<string>): void {
    for (const key of this.ours.keys()) {
      if (qualified.has(key)) continue
      this.ours.delete(key)
      this.fixed.add(key)
    }
  }

  add(line: string): void {
    this.#added.push(line)
  }

  /** Tokens of all lines but the bullets that may make room; heading and blank lines of the section count. */
  cost(): number {
    const makingRoom = new Set([...this.ours.values()].map(({ at }) => at))
    const rest = this.#lines.filter((line, at) => line !== undefined && !makingRoom.has(at))
    const lines = this.#section() === undefined ? [...rest, '', HEADING, ''] : rest
    return lines.reduce((sum: number, line) => sum + costOf(line ?? ''), 0)
  }

  text(): string {
    if (this.#added.length === 0) return this.#lines.filter((line) => line !== undefined).join('\n')
    const section = this.#section()
    const lines: (string | undefined)[] = [...this.#lines]
    const added = this.#added.map((line) => line + this.#lineEnd)
    if (section === undefined) {
      const isOpen = lines.at(-1) !== ''
      const isBlank = /^\r?$/.test(lines.at(-2) ?? '')
      if (isOpen) lines[lines.length - 1] += this.#lineEnd
      const blank = isOpen || !isBlank ? [this.#lineEnd] : []
      const start = isOpen ? lines.length : lines.length - 1
      lines.splice(start, 0, ...blank, HEADING + this.#lineEnd, this.#lineEnd, ...added)
      if (isOpen) lines.push('')
    } else {
      const last = lines.findLastIndex((line, at) => at < section.end && at >= section.first && /\S/.test(line ?? ''))
      const isHeading = last === section.first
      const isOpen = last === lines.length - 1
      if (isOpen) lines[last] += this.#lineEnd
      lines.splice(last + 1, 0, ...(isHeading ? [this.#lineEnd] : []), ...added, ...(isOpen ? [''] : []))
    }
    return lines.filter((line) => line !== undefined).join('\n')
  }

  #section(): { readonly first: number; readonly end: number } | undefined {
    const { headings } = this.#outline
    const at = headings.findIndex(({ level, text }) => level === 2 && `## ${text.trim()}` === HEADING)
    const heading = headings[at]
    if (heading === undefined) return undefined
    const next = headings.slice(at + 1).find(({ level }) => level <= 2)
    return { first: heading.line, end: next?.line ?? this.#lines.length }
  }
}

/** The statement of a bullet, with names before a colon or as a plain sentence, as `statementForms` has it. */
function formsOf(bullet: string, state: FactState): readonly string[] {
  const { facts } = readFacts(`Something was said.\n\n${readable(bullet)}\n`, { path: 'bank/world.md' })
  const [fact] = facts
  return fact === undefined ? [] : [memoryKey(fact, state), contentKey(fact.content)]
}
