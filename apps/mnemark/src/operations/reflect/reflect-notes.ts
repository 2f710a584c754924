import type { AskModel, FactRegistry, FactState, JournalEvent, Opinion, Reflection, UndecidedPair } from '@mnemark/bank'
import { readDayArgument } from '@mnemark/core/dates'
import { type CallOptions, citationOf, dayInZone, type Degradation, type MemoryStore } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Settings } from '../../config/load-settings.ts'
import { CommandError } from '../../failure.ts'
import { appendToJournal, readJournal } from '../facts/journal-files.ts'
import { recordAnchors, recordsIn } from './journal-records.ts'

/** An opinion as all surfaces tell it. */
export interface OpinionDocument
  extends Pick<Opinion, 'id' | 'statement' | 'confidence' | 'groups' | 'state' | 'lastUpdated' | 'lastConfirmed'> {
  readonly entities: readonly string[]
  readonly anchor: { readonly confidence: number; readonly day?: string; readonly isTyped: boolean }
}

/** The findings of a run, and all that it wrote. */
export interface ReflectDocument {
  /** Pages of the bank: written where `isApplied`, else as they would be. */
  readonly changes: readonly { readonly path: string; readonly diff: string }[]
  readonly isApplied: boolean
  readonly opinions: readonly OpinionDocument[]
  readonly undecided: readonly {
    readonly opinion: string
    readonly statement: string
    readonly content: string
    readonly source: string
  }[]
  /** Changes of MEMORY.md: a person makes them, or nobody. */
  readonly proposals: readonly { readonly path: string; readonly diff: string; readonly why: string }[]
  /** Pages whose block a person edited; `adopt` takes the edits over. */
  readonly edited: readonly string[]
  /** Pages that are left alone until a person mends them, and why. */
  readonly damaged: readonly { readonly path: string; readonly why: string }[]
  /** Edits of pages that were taken over. */
  readonly adopted: readonly { readonly path: string; readonly facts: readonly string[]; readonly deleted: number }[]
  readonly degraded: readonly Degradation[]
}

export interface Reflecting extends CallOptions {
  readonly store: MemoryStore
  readonly notes: Workspace
  readonly settings: Pick<Settings, 'workspace' | 'stateFolder' | 'timeZone' | 'agentId' | 'memory'>
  readonly nowMs: number
  /** Writes what is planned. */
  readonly isApplying: boolean
  /** A chat model that judges pairs which no rule decides; its verdicts are kept in the journal. Only where `isApplying`. */
  readonly ask?: AskModel | null | undefined
  /** Takes a person's edits of blocks over first. */
  readonly isAdopting?: boolean | undefined
  /** Only pages of entities that facts since this day name, in any form of a day; the pages of all kinds are planned as ever. */
  readonly since?: string | undefined
  /** Names of entities that get a page whatever is known of them. */
  readonly requested?: readonly string[] | undefined
  readonly registry?: FactRegistry | undefined
}

const MEMORY = 'MEMORY.md'
const KIND_PAGES = ['bank/opinions.md', 'bank/world.md', 'bank/experience.md']

/**
 * Plans the pages of the bank from the index as it is, and writes them where that is asked for: one page after the other, each whole, so that a
 * run may end anywhere and be repeated.
 */
export async function reflectOnNotes(reflecting: Reflecting): Promise<ReflectDocument> {
  const { notes, settings, nowMs, isApplying, signal } = reflecting
  const degraded = isApplying ? await judged(reflecting) : []
  const { planned, adopted } = await plan(reflecting)
  if (isApplying) {
    await recordAnchors(planned.opinions, settings, nowMs)
    for (const { path, before = '', after } of planned.changes) {
      signal?.throwIfAborted()
      // Somebody else wrote it meanwhile: the next run plans it anew.
      await notes.change(path, (text) => (text === before ? after : null), { creates: true })
    }
  }
  return {
    changes: planned.changes.map(({ path, diff }) => ({ path, diff })),
    isApplied: isApplying,
    opinions: planned.opinions.map(opinionDocument),
    undecided: planned.undecided.map(pairDocument),
    proposals: planned.proposals.map(({ path, diff, why }) => ({ path, diff, why })),
    edited: planned.edited.map(({ path }) => path),
    damaged: planned.damaged.map(({ path, why }) => ({ path, why })),
    adopted,
    degraded,
  }
}

/** Has the model judge what is undecided; an answer that cannot be used changes nothing and is named. */
async function judged(reflecting: Reflecting): Promise<readonly Degradation[]> {
  const { ask, settings, nowMs, signal } = reflecting
  if (ask === undefined || ask === null) return []
  const { judgePairs } = await import('@mnemark/bank')
  const { maskText } = await import('@mnemark/masking')
  const { undecided } = (await plan({ ...reflecting, isAdopting: false })).planned
  const pairs = await Promise.all(
    undecided.map(async ({ opinion, statement, fact }) => {
      return { opinion, statement: await maskText(statement), fact: fact.id, line: await maskText(fact.text) }
    }),
  )
  const { verdicts, refusals } = await judgePairs(pairs, ask, { signal })
  const events = verdicts.map(
    ({ opinion, fact, verdict, strength, model }): JournalEvent => ({ op: 'verdict', opinion, fact, verdict, strength, model }),
  )
  await appendToJournal(settings, events, { nowMs, by: 'model' })
  return refusals.map(({ reason, message }) => {
    const code = reason === 'unavailable' ? 'provider-unavailable' : 'source-failed'
    return { code, message: `nothing is judged by an answer of the chat model: ${message}` }
  })
}

async function plan(
  reflecting: Reflecting,
): Promise<{ readonly planned: Reflection; readonly adopted: ReflectDocument['adopted'] }> {
  const { store, settings, nowMs, isAdopting, requested, registry, since } = reflecting
  const { adoptPage, FactRegistry: Registry, pagesOptions, reflect } = await import('@mnemark/bank')
  const journal = await readJournal(settings)
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const recorded = recordsIn(journal, timeZone)
  const snapshot = await store.snapshot()
  try {
    const state = await (registry ?? new Registry()).read(snapshot)
    const texts = await pagesOf(reflecting)
    const touched = since === undefined ? undefined : touchedSince(state, dayOf(since, { nowMs, timeZone }))
    const options = { ...recorded, requested, touched, memory: { path: MEMORY }, today: dayInZone(nowMs, timeZone) }
    const planned = reflect(state, texts, options)
    if (isAdopting !== true || planned.edited.length === 0) return { planned, adopted: [] }
    const pages = pagesOptions(planned.opinions, options)
    const adoptions = planned.edited.flatMap(({ path }) => adoptPage(path, state, texts, pages) ?? [])
    const adopted: ReflectDocument['adopted'][number][] = []
    for (const adoption of adoptions) {
      const { path, facts, tombstones: deleted, text } = adoption
      const events = deleted.map(({ fact }): JournalEvent => ({ op: 'forget', id: fact, evidence: [], page: path }))
      // In this order a run that ends in between can be repeated: what is deleted stays so, and no edit is lost.
      await appendToJournal(settings, events, { nowMs, by: 'person' })
      for (const { line } of facts) await retainLine(line, reflecting)
      await reflecting.notes.change(path, (present) => (present === texts.get(path) ? text : null), { creates: true })
      adopted.push({ path, facts: facts.map(({ content }) => content), deleted: deleted.length })
    }
    return { planned, adopted }
  } finally {
    snapshot.release()
  }
}

function dayOf(since: string, clock: { readonly nowMs: number; readonly timeZone: string }): string {
  const day = readDayArgument(since, 'first', clock)
  if (day === undefined)
    throw new CommandError('bad-input', 'since is no day', { next: 'Write YYYY-MM-DD, 30d or "last month".' })
  return day
}

/** Keys of the entities that facts since a day name, in their head or their text. */
function touchedSince({ facts, entities }: FactState, day: string): ReadonlySet<string> {
  const named = facts.filter(({ days }) => (days?.from ?? '') >= day).flatMap((fact) => [...fact.entities, ...fact.mentions])
  return new Set(named.map(({ key }) => entities.find(key)?.key ?? key))
}

/** Pages there are, as a change of them sees them: those of the bank, and the long-term file. */
async function pagesOf({ store, notes }: Reflecting): Promise<ReadonlyMap<string, string>> {
  const paths = new Set([...KIND_PAGES, MEMORY])
  const snapshot = await store.snapshot()
  try {
    for await (const { path } of snapshot.documents('memory')) if (path.startsWith('bank/')) paths.add(path)
  } finally {
    snapshot.release()
  }
  const texts = new Map<string, string>()
  for (const path of paths) {
    const { status } = await notes.change(path, (text) => {
      texts.set(path, text)
      return null
    })
    if (status === 'not-found') texts.delete(path)
  }
  return texts
}

async function retainLine(line: string, { notes, settings, nowMs, signal }: Reflecting): Promise<void> {
  const { makeFact, retain } = await import('@mnemark/bank')
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const fact = makeFact({ text: line }, { nowMs, timeZone })
  if ('code' in fact) return
  const day = dayInZone(nowMs, timeZone)
  await retain(notes.change, fact, { path: await notes.dailyLog(nowMs), day, dateOrder: settings.memory.dateOrder, signal })
}

function opinionDocument(opinion: Opinion): OpinionDocument {
  const { id, statement, entities, confidence, anchor, groups, lastUpdated, lastConfirmed, state } = opinion
  const { day } = anchor
  return {
    id,
    statement,
    entities: entities.map(({ name }) => name),
    confidence,
    anchor: { confidence: anchor.confidence, isTyped: anchor.isTyped, ...(day !== undefined && { day }) },
    groups,
    ...(lastUpdated !== undefined && { lastUpdated }),
    ...(lastConfirmed !== undefined && { lastConfirmed }),
    state,
  }
}

function pairDocument({ opinion, statement, fact }: UndecidedPair): ReflectDocument['undecided'][number] {
  return { opinion, statement, content: fact.content, source: citationOf(fact.path, fact.startLine, fact.endLine) }
}
