import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { contentKey } from '../retain/fact-id.ts'
import { nearCopies } from './near-copies.ts'
import type { EvidenceReason } from './opinion.ts'
import { compareAge, sourceDayOf } from './source-day.ts'

export type Side = 'for' | 'against'

/** A line that speaks about an opinion, and how. */
export interface WeighedLine {
  readonly fact: IndexedFact
  readonly side: Side
  readonly weight: number
  readonly why: EvidenceReason
  /** True where a person names the opinion in a relation: such a line is no mere quote. */
  readonly isExplicit: boolean
}

/** The session that a line was written in, where somebody knows it. */
export type SessionOf = (fact: IndexedFact) => string | undefined

/** Lines of one origin and their copies, by connected pairs; in an order that depends on no index. */
export function groupsOf(lines: readonly WeighedLine[], sessionOf: SessionOf): readonly (readonly WeighedLine[])[] {
  const ordered = lines.toSorted((left, right) => compareLines(left, right))
  const facts = ordered.map(({ fact }) => fact)
  const groups = new Joined(ordered.length)
  const first = new Map<string, number>()
  const oldest = oldestByText(facts)
  const originals = originalsOf(facts)
  for (const [at, line] of ordered.entries()) {
    for (const key of keysOf(line.fact, sessionOf)) {
      const known = first.get(key)
      if (known === undefined) first.set(key, at)
      else groups.join(known, at)
    }
    const original = isCopyOfOthers(line.fact) ? originalOf(line.fact, originals, oldest) : undefined
    if (original !== undefined) groups.join(original, at)
    for (const quoted of line.isExplicit ? [] : quotesIn(line.fact.content)) {
      const source = oldest.get(quoted)
      if (source !== undefined) groups.join(source, at)
    }
  }
  for (const [left, right] of nearCopies(facts.map(({ content }) => content))) groups.join(left, right)
  return groups.all().map((members) => members.flatMap((at) => ordered[at] ?? []))
}

/** Oldest first, the undated last: they are copies of the others. */
function compareLines(left: WeighedLine, right: WeighedLine): number {
  return Number(isCopyOfOthers(left.fact)) - Number(isCopyOfOthers(right.fact)) || compareAge(left.fact, right.fact)
}

function oldestByText(ordered: readonly IndexedFact[]): ReadonlyMap<string, number> {
  const oldest = new Map<string, number>()
  for (const [at, fact] of ordered.entries()) {
    const key = contentKey(fact.content)
    if (!oldest.has(key)) oldest.set(key, at)
  }
  return oldest
}

/** Lines that are no copies, by id and by text and day. */
function originalsOf(ordered: readonly IndexedFact[]): ReadonlyMap<string, number> {
  const originals = new Map<string, number>()
  for (const [at, fact] of ordered.entries()) {
    if (isCopyOfOthers(fact)) continue
    for (const key of [fact.id, dayKey(fact)]) if (!originals.has(key)) originals.set(key, at)
  }
  return originals
}

function dayKey(fact: IndexedFact): string {
  return JSON.stringify([contentKey(fact.content), sourceDayOf(fact)])
}

/** The line that a copy repeats: the same fact, else the same words of its day, else the oldest that says so. It joins no two others. */
function originalOf(
  fact: IndexedFact,
  originals: ReadonlyMap<string, number>,
  oldest: ReadonlyMap<string, number>,
): number | undefined {
  return originals.get(fact.id) ?? originals.get(dayKey(fact)) ?? oldest.get(contentKey(fact.content))
}

/** A line that no day tells apart from others of the same words. */
function isCopyOfOthers(fact: IndexedFact): boolean {
  return fact.isCopy || sourceDayOf(fact) === undefined
}

function keysOf(fact: IndexedFact, sessionOf: SessionOf): readonly string[] {
  const day = sourceDayOf(fact)
  if (fact.isCopy) return [`id ${fact.id}`]
  const session = sessionOf(fact) ?? ''
  return [
    `id ${fact.id}`,
    `origin ${JSON.stringify([fact.author, day ?? fact.path, session])}`,
    ...(day === undefined ? [] : [`text ${JSON.stringify([contentKey(fact.content), day, session])}`]),
  ]
}

const QUOTES = /"([^"]{1,400})"|“([^“”]{1,400})”|„([^„“”]{1,400})[“”]|«([^«»]{1,400})»|「([^「」]{1,400})」/g

function quotesIn(content: string): readonly string[] {
  return [...content.matchAll(QUOTES)].flatMap((found) => {
    const quoted = found.slice(1).find((text) => text !== undefined)
    return quoted === undefined ? [] : [contentKey(quoted)]
  })
}

/** The line that a group counts with: its strongest one, or its latest where it speaks for both sides; undefined where none has a weight. */
export function countedLine(group: readonly WeighedLine[]): WeighedLine | undefined {
  const lines = group.filter(({ weight }) => weight > 0).toSorted((left, right) => compareAge(left.fact, right.fact))
  const latest = lines.at(-1)
  if (latest === undefined || lines.some(({ side }) => side !== latest.side)) return latest
  return lines.reduce((best, line) => (line.weight >= best.weight ? line : best), latest)
}

/** Numbers that are joined in pairs, and the sets that follow. */
class Joined {
  readonly #parents: number[]

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, at) => at)
  }

  join(left: number, right: number): void {
    const [one, other] = [this.#rootOf(left), this.#rootOf(right)]
    this.#parents[Math.max(one, other)] = Math.min(one, other)
  }

  all(): readonly (readonly number[])[] {
    const sets = new Map<number, number[]>()
    for (const at of this.#parents.keys()) {
      const root = this.#rootOf(at)
      const set = sets.get(root)
      if (set === undefined) sets.set(root, [at])
      else set.push(at)
    }
    return [...sets.values()]
  }

  #rootOf(at: number): number {
    let root = at
    while ((this.#parents[root] ?? root) !== root) root = this.#parents[root] ?? root
    this.#parents[at] = root
    return root
  }
}
