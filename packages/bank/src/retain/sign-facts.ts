import { parseDocument } from '@mnemark/core/document'
import type { FactAuthor, FactChild, PlacedFact } from './fact.ts'
import { contentKey, factId } from './fact-id.ts'
import { type ReadFactsOptions, readFactsOf } from './read-facts.ts'

export interface SignOptions extends ReadFactsOptions {
  /** The text of the note before. A person's fact of it that stands where it was, or is written again as it was, stays unsigned. */
  readonly before: string
  /** The lines, from 1, that were added or changed. */
  readonly startLine: number
  readonly endLine: number
  readonly author: Exclude<FactAuthor, 'person'>
}

/**
 * Adds `(by: agent)` or `(by: model)` to every fact that says of itself to be a person's and was none before: to those of the added lines, and to
 * older lines that became facts by the change, as by a heading above them. Lines are neither added nor taken away.
 * Null where a fact cannot be signed, because something on its line, such as a comment, is not closed, or because the change makes a person's fact
 * say something else without touching its line, as by a child below it: a person's line is never signed.
 */
export function signFacts(text: string, options: SignOptions): string | null {
  const own = unsigned(text, options)
  if (own.facts.length === 0) return text
  const { starts, ends, kinds } = own.outline
  let signed = text
  for (const { startLine, endLine } of own.facts.toReversed()) {
    let last = startLine - 1
    while (last + 1 < endLine && kinds[last + 1] === 'text') last += 1
    if (own.isOfPerson(last + 1)) return null
    const start = starts[last] ?? 0
    const end = ends[last] ?? text.length
    signed = text.slice(0, start) + withAuthor(text.slice(start, end), options.author) + signed.slice(end)
  }
  return unsigned(signed, options).facts.length === 0 ? signed : null
}

const BLOCK_ID = /^\^[A-Za-z0-9-]{4,64}$/

/** At the end of the line, before the id of its block. */
function withAuthor(line: string, author: string): string {
  const said = line.trimEnd()
  const lastWord = Math.max(said.lastIndexOf(' '), said.lastIndexOf('\t'))
  const end = lastWord >= 0 && BLOCK_ID.test(said.slice(lastWord + 1)) ? said.slice(0, lastWord).trimEnd().length : said.length
  return `${line.slice(0, end)} (by: ${author})${line.slice(end)}`
}

type Outline = ReturnType<typeof parseDocument>['outline']

interface Unsigned {
  readonly facts: readonly PlacedFact[]
  readonly outline: Outline
  /** Whether a line, from 1, that the change did not touch belonged to a person's fact before. */
  readonly isOfPerson: (line: number) => boolean
}

function unsigned(text: string, options: SignOptions): Unsigned {
  const { facts, outline } = factsOf(text, options)
  if (facts.every(({ author }) => author !== 'person')) return { facts: [], outline, isOfPerson: () => false }
  const before = factsOf(options.before, options)
  const known = new Map(before.facts.filter(({ author }) => author === 'person').map((fact) => [fact.startLine, fact]))
  const shift = outline.starts.length - before.outline.starts.length
  const left = new Set(known.values())
  const kept = new Set<PlacedFact>()
  const isAbove = (fact: PlacedFact): boolean => fact.endLine < options.startLine
  const isBelow = (fact: PlacedFact): boolean => fact.startLine > options.endLine
  for (const fact of facts) {
    const same = isAbove(fact) ? known.get(fact.startLine) : isBelow(fact) ? known.get(fact.startLine - shift) : undefined
    if (same === undefined || contentKey(same.content) !== contentKey(fact.content)) continue
    kept.add(fact)
    left.delete(same)
  }
  const again = countsOf([...left].map(keyOf))
  const isOwn = (fact: PlacedFact): boolean =>
    fact.author !== 'person' || kept.has(fact) || (!isAbove(fact) && !isBelow(fact) && takeOne(again, keyOf(fact)))
  const isOfPerson = (line: number): boolean => {
    const was = line < options.startLine ? line : line > options.endLine ? line - shift : undefined
    return was !== undefined && [...known.values()].some((fact) => fact.startLine <= was && was <= fact.endLine)
  }
  return { facts: facts.filter((fact) => !isOwn(fact)), outline, isOfPerson }
}

function factsOf(text: string, options: ReadFactsOptions): { readonly facts: readonly PlacedFact[]; readonly outline: Outline } {
  const parsed = parseDocument({ source: 'memory', path: options.path }, { text }, { dateOrder: options.dateOrder })
  return { facts: readFactsOf(text, parsed, options).facts, outline: parsed.outline }
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Whether there was one left. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0
  counts.set(key, left - 1)
  return left > 0
}

/** All that a fact claims. Days that come from a heading are none of it: a heading may be dated by the same change. */
function keyOf(fact: PlacedFact): string {
  const { days: _ofNote, ...said } = fact
  const { written, confidence, stated, state, relations, children } = fact
  const id = factId({ ...said, ...(written !== undefined && { days: written }) })
  return JSON.stringify([id, state, confidence, stated, relations, children.filter(isClaim)])
}

/** Where a fact was seen says nothing else than before; how far it holds does. */
function isClaim({ key }: FactChild): boolean {
  return !SEEN.has(key)
}

const SEEN: ReadonlySet<FactChild['key']> = new Set(['evidence', 'source', 'updated', 'last reinforced'])
