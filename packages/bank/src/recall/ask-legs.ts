import type { ChunkFilter, IndexView, LegHit, LegsReply } from '@mnemark/spec'
import type { Candidate } from './candidate.ts'
import { pageKindOf } from '../retain/fact-places.ts'
import { factsAbout, hasWindow, type Question } from './question.ts'
import type { RecallQuery } from './recall-reply.ts'
import { factCandidates, ownRelevance, relevanceAsFound } from './score-facts.ts'
import { passageCandidates } from './score-passages.ts'

/** Facts of an entity that are scored; further ones are the least relevant. */
const MOST_OF_ENTITY = 300
const MOST_OTHERS = 30
const MOST_PASSAGES = 24

export interface FoundCandidates extends Pick<LegsReply, 'mode' | 'provider' | 'model' | 'requestedProvider' | 'degraded'> {
  readonly candidates: readonly Candidate[]
}

/** Asks the index for facts of the named entities, other facts, and passages, and scores what it finds. */
export async function askLegs(
  view: IndexView,
  question: Question,
  { text, filter, signal }: Pick<RecallQuery, 'text' | 'filter' | 'signal'>,
): Promise<FoundCandidates> {
  const { state, entities, rest, settings, slot } = question
  const own = factsAbout(question)
  const phrases = state.slots.filter(({ name }) => name === slot).flatMap((one) => one.phrases)
  const names = [...entities.flatMap(({ name, aliases }) => [name, ...aliases]), ...phrases]
  const said = { text: rest, names: phrases }
  const wantsNotes = settings.kinds?.has('note') ?? true
  const hasDays = hasWindow(question)
  const entriesBy = entities.length > 0 || hasDays ? { entriesBy: said } : {}
  const notes = { names, except: state.factChunks, limit: MOST_PASSAGES, isDistinct: true, ...entriesBy }
  const scope = { filter, asOf: settings.asOf }
  // Where nothing narrows the passages, other facts are found with them.
  const isTogether = wantsNotes && filter === undefined && settings.asOf === undefined
  const { legs, ...reply } = await view.searchLegs({
    text,
    signal,
    legs: {
      own: own.length === 0 ? null : { ...said, chunks: new Set(own.map(({ chunkId }) => chunkId)), limit: MOST_OF_ENTITY },
      together: isTogether ? { names, limit: MOST_OTHERS + MOST_PASSAGES, ...entriesBy } : null,
      others: isTogether ? null : { names, chunks: state.byChunk, limit: MOST_OTHERS },
      notes: (isTogether && !hasDays) || !wantsNotes ? null : { ...notes, ...narrowed({ ...scope, ...noteDays(question) }) },
      // Passages that name the asked days themselves, in notes of other days.
      dated: !isTogether && wantsNotes && hasDays ? { ...notes, ...narrowed(scope) } : null,
    },
  })
  const isByWords = reply.mode === 'keywords'
  const isFact = ({ chunk }: LegHit): boolean => state.factChunks.has(chunk.id)
  const others = [...legs.others, ...legs.together.filter(isFact)]
  const isOwn = new Set(own)
  const apart = others.flatMap(({ chunk }) => state.byChunk.get(chunk.id) ?? []).filter((fact) => !isOwn.has(fact))
  const hits = [...legs.notes, ...legs.dated, ...legs.together.filter((hit) => !isFact(hit))]
  const passages = [...new Map(hits.map((hit) => [hit.chunk.id, hit])).values()].filter((hit) => !isManaged(hit))
  // The line that a fact was taken from says nothing beside it.
  const cited = new Set([...own, ...apart].flatMap(({ sources }) => sources))
  const candidates = [
    ...factCandidates(own, ownRelevance(legs.own, isByWords), question),
    ...factCandidates(apart, relevanceAsFound(others, isByWords), question),
    ...passageCandidates(passages, question, isByWords).filter(({ source }) => !cited.has(source)),
  ]
  return { ...reply, candidates }
}

/** The blocks that pages of the bank keep say again what the facts beside them say. */
function isManaged({ chunk: { attributes, document } }: LegHit): boolean {
  return pageKindOf(document.path) !== undefined && attributes.marks?.includes('derived') === true
}

/** Days of plain passages: a state is asked for by its end alone. */
function noteDays({ since, until, slot }: Question): Days {
  return { since: slot === undefined ? since : undefined, until }
}

type Days = { readonly [Name in 'since' | 'until' | 'asOf']?: string | undefined }

/** The filter of a leg; none where nothing narrows it, since a filter is read from the store. */
function narrowed({ filter, ...days }: Days & { readonly filter: ChunkFilter | undefined }): { readonly filter?: ChunkFilter } {
  const own: ChunkFilter = Object.fromEntries(Object.entries(days).filter(([, day]) => day !== undefined))
  if (Object.keys(own).length === 0) return filter === undefined ? {} : { filter }
  return { filter: filter === undefined ? own : { all: [filter, own] } }
}
