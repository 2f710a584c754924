import { visibleName } from '@mnemark/spec'
import type { ChunkFilter, HitVersions, SearchHit, SearchReply } from '@mnemark/spec'
import * as v from 'valibot'
import { DATA_NOTICE, harmlessName, inEnvelope, neutralise, recalled } from '../reply/data-envelope.ts'
import type { Caller, CitationMode } from '../host/host.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import { remarksOf } from '../reply/remarks.ts'
import { count, DAY_FORMS, day, request, texts } from '../definition/tool-input.ts'

interface SearchInput extends Pick<ChunkFilter, 'paths' | 'since' | 'until' | 'tags'> {
  readonly query: string
  readonly limit?: number
}

const input = request<SearchInput>({
  query: v.pipe(
    v.string(),
    v.maxLength(4_000),
    v.description(
      'What to look for: words, a question, a name, a date. "a phrase" in quotes, -word and prefix* work; any language. Left empty, what passes the other filters is listed, newest first.',
    ),
  ),
  limit: v.exactOptional(v.pipe(count(100), v.description('Hits at most, 1 to 100. Default 6.'))),
  paths: v.exactOptional(
    v.pipe(
      texts,
      v.description('Only notes in these folders, such as "decisions/", or of these globs, such as "memory/2026-03-*.md".'),
    ),
  ),
  since: v.exactOptional(v.pipe(day, v.description(`Only notes dated on or after this day: ${DAY_FORMS}.`))),
  until: v.exactOptional(v.pipe(day, v.description('Only notes dated on or before it.'))),
  tags: v.exactOptional(v.pipe(texts, v.description('With one of these tags; "project" finds "project/alpha" too.'))),
})

const CITED: Readonly<Record<CitationMode, string>> = {
  on: 'Name the source of what you use, as path#Lfirst-Llast.',
  auto: 'In a direct chat name the source of what you use, as path#Lfirst-Llast; in groups and channels do not.',
  off: 'Do not name paths or lines of notes to the user.',
}

/** Finds notes; the first tool an agent reaches for. */
export const memorySearch: MemoryTool<SearchInput> = {
  name: 'memory_search',
  title: 'Search the memory',
  effects: { isReadOnly: true, isIdempotent: true },
  input,
  aliases: {
    maxresults: 'limit',
    topk: 'limit',
    k: 'limit',
    n: 'limit',
    count: 'limit',
    numresults: 'limit',
    q: 'query',
    text: 'query',
    question: 'query',
    path: 'paths',
    folder: 'paths',
    folders: 'paths',
    tag: 'tags',
    after: 'since',
    before: 'until',
  },
  describe: ({ citations }) =>
    [
      'Searches your long-term memory of notes for the best places: path, lines, score, share, excerpt.',
      'Use it before you answer about earlier work, decisions, dates, people, preferences or open tasks.',
      "share: how much of your question's words a place holds, rare words counting more. Low beside a high score: found by meaning. Both low: read before you rely on it.",
      'Read more with memory_get. Nothing found: try other words once.',
      'Where a hit lists "same wording, other values", look at the days, and name the day of the value you use.',
      CITED[citations],
    ].join(' '),
  run: async (host, { query, limit, ...filter }, call) => {
    const reply = await host.search({ text: query, ...(limit !== undefined && { limit }), filter }, call)
    return { text: describeReply(reply, host.citations, call.caller), data: dataOf(reply) }
  },
}

function describeReply(reply: SearchReply, citations: CitationMode, caller: Caller): string {
  const { quoting, own } = remarksOf(reply.degraded)
  if (reply.hits.length === 0) {
    const found = reply.mode === 'unavailable' ? 'The memory could not be searched.' : 'Nothing found.'
    return [found, ...(quoting.length === 0 ? [] : [inEnvelope(quoting.join('\n'))]), ...own].join('\n')
  }
  const hits = reply.hits.map((hit, index) => describeHit(hit, index + 1))
  return [inEnvelope([...hits, ...quoting].join('\n\n')), citationRule(citations, caller), ...own].join('\n')
}

function citationRule(mode: CitationMode, { chatType }: Caller): string {
  const isCited = mode === 'on' || (mode === 'auto' && chatType === 'direct')
  return isCited ? CITED.on : CITED.off
}

function describeHit(hit: SearchHit, position: number): string {
  // A list has no scores, so the day explains the order.
  const measure =
    hit.score > 0
      ? `score ${hit.score.toFixed(2)}, share ${hit.share.toFixed(2)}, best at line ${hit.line}`
      : (hit.attributes?.to ?? hit.attributes?.from ?? 'undated')
  const lines = [`[${position}] ${harmlessName(hit.citation)} (${measure})`]
  if (hit.quoteHash !== undefined) lines.push(`quoteHash: ${hit.quoteHash}`)
  if (hit.repeats !== undefined) lines.push(`said ${hit.repeats.count} times, last in ${harmlessName(hit.repeats.last)}`)
  return [...lines, neutralise(hit.snippet), ...(hit.versions === undefined ? [] : describeVersions(hit.versions))].join('\n')
}

function describeVersions({ items, total, isComplete }: HitVersions): readonly string[] {
  const more = total - items.length
  return [
    `${versionsHeading(total, isComplete)}:`,
    ...items.map(({ citation, day, differs }) =>
      neutralise(`- ${differs.map(inOneLine).join(', ')} (${day ?? 'undated'}, ${visibleName(citation)})`),
    ),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ]
}

/** Never says which value is right: the newest note may be a mistake, and an undated one may be the rule. */
function versionsHeading(total: number, isComplete: boolean): string {
  return isComplete
    ? `same wording, other values, ${total} in all`
    : `nearly the same wording, other values, ${total} among the notes compared`
}

function inOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ')
}

/** For programs: without members that a model does not need, such as highlights; texts are disarmed as in the answer's text. */
function dataOf(reply: SearchReply): Readonly<Record<string, unknown>> {
  return {
    ...(reply.hits.length > 0 && { notice: DATA_NOTICE }),
    hits: reply.hits.map((hit) => ({
      path: harmlessName(hit.path),
      startLine: hit.startLine,
      endLine: hit.endLine,
      line: hit.line,
      score: hit.score,
      share: hit.share,
      citation: harmlessName(hit.citation),
      ...(hit.quoteHash !== undefined && { quoteHash: hit.quoteHash }),
      snippet: recalled(neutralise(hit.snippet)),
      ...(hit.versions !== undefined && { versions: versionsData(hit.versions) }),
    })),
    mode: reply.mode,
    stale: reply.stale,
    // They may name notes, tags and folders.
    degraded: reply.degraded.map(({ code, message }) => ({ code, message: neutralise(message) })),
  }
}

function versionsData(versions: HitVersions): HitVersions {
  return {
    ...versions,
    items: versions.items.map((item) => ({
      ...item,
      citation: harmlessName(item.citation),
      differs: item.differs.map(neutralise),
    })),
  }
}
