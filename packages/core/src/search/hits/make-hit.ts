import { type CallerContext, citationOf, type HitExplanation, type SearchHit } from '@mnemark/spec'
import { CHANNELS } from '../../keywords/format/channels.ts'
import { makeSnippet } from '../../snippet/make-snippet.ts'
import type { Match } from '../highlight-matches.ts'
import { hitVersions } from '../versions/hit-versions.ts'
import { isTemplate } from '../candidates/lead.ts'
import type { VersionedHit } from '../versions/stand-for-versions.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { SearchSettings } from '../search-settings.ts'

const SNIPPET_CHARACTERS = 700

export function explain(candidate: Candidate): HitExplanation {
  const {
    keywords,
    vectors,
    rank,
    keywordRank = rank,
    raw,
    possible,
    nameMatch,
    lead,
    fusion,
    fused,
    decay,
    rerank,
    mmr,
    standsIn,
  } = candidate
  const isOfPath = nameMatch === 'exact' || nameMatch === 'name' || nameMatch === 'stem'
  const path = isOfPath ? nameMatch : keywords?.parts.some(({ channel }) => channel === 'path') ? 'partial' : undefined
  return {
    ...(keywords && {
      keywords: {
        rank: keywordRank,
        bm25: keywords.bm25,
        score: raw,
        possible,
        terms: keywords.parts
          .map(({ term, channel, part }) => ({ term, stream: `${CHANNELS[channel].stream} (${CHANNELS[channel].field})`, part }))
          .sort((left, right) => right.part - left.part),
      },
    }),
    ...(vectors && { vectors }),
    ...(path && { path: { rank, match: path } }),
    ...(nameMatch && !isOfPath && { name: { match: nameMatch } }),
    ...(lead < 0 && { heldBack: isTemplate(candidate.chunk) ? ('template' as const) : ('translation' as const) }),
    ...(fusion && { fusion }),
    fused,
    ...(decay && { decay }),
    ...(rerank && { rerank }),
    ...(mmr && { mmr }),
    ...(standsIn && {
      version: {
        of: citationOf(standsIn.chunk.document.path, standsIn.chunk.startLine, standsIn.chunk.endLine),
        score: standsIn.score,
      },
    }),
  }
}

function citesInText(settings: SearchSettings, caller: CallerContext): boolean {
  return settings.citations === 'on' || (settings.citations === 'auto' && caller.chatType === 'direct')
}

export interface HitRequest {
  /** See `createHighlighter`; one for all hits of an answer. */
  readonly highlight: (text: string) => readonly Match[]
  /** Indexes of the query's words that are neither function words nor made of others. */
  readonly contentWords: ReadonlySet<number>
  /** Share of the question's content words that a chunk holds. */
  readonly shareOf: (chunkId: number) => number
  readonly settings: SearchSettings
  readonly caller: CallerContext
  readonly explain: boolean
}

/**
 * Matches that the excerpt is chosen by. A note found by its name whose text lacks the name is shown from its
 * beginning, despite matches of similar words.
 */
function drawing(matches: readonly Match[], { nameMatch }: Candidate, contentWords: ReadonlySet<number>): readonly Match[] {
  if (nameMatch === undefined || nameMatch === 'heading') return matches
  const said = new Set(matches.flatMap(({ word, isForm }) => (isForm || !contentWords.has(word) ? [] : word)))
  return said.size < (nameMatch === 'words' ? 1 : contentWords.size) ? [] : matches
}

export function makeHit(found: VersionedHit, request: HitRequest): SearchHit {
  const { hit, repeats, copies } = found
  const { chunk } = hit
  const versions = hitVersions(found)
  const { source, path } = chunk.document
  const citation = citationOf(path, chunk.startLine, chunk.endLine)
  const ending = citesInText(request.settings, request.caller) ? `\nSource: ${citation}` : ''
  const isHidden = chunk.unindexed?.some(([start, end]) => start === 0 && end === chunk.text.length) ?? false
  const excerpt = makeSnippet({
    text: chunk.text,
    matches: drawing(request.highlight(chunk.text), hit, request.contentWords),
    maxCharacters: Math.max(100, SNIPPET_CHARACTERS - ending.length),
    // A stub is all headings, so these are shown.
    ...(isHidden ? {} : { hidden: chunk.unindexed ?? [] }),
  })
  return {
    source,
    path,
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    line: chunk.startLine + excerpt.lineOffset,
    score: hit.score,
    share: request.shareOf(chunk.id),
    snippet: excerpt.snippet + ending,
    snippetLines: excerpt.lineOffsets.map((offset) => chunk.startLine + offset),
    highlights: excerpt.highlights,
    citation,
    ...(repeats && { repeats }),
    ...(versions && { versions }),
    ...(copies && copies.length > 0 && { copies }),
    ...(Object.keys(chunk.attributes).length > 0 && { attributes: chunk.attributes }),
    ...(request.explain && { explain: explain(hit) }),
  }
}
