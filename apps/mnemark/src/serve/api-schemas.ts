import type { SearchQuery } from '@mnemark/spec'
import type { ChangeOptions } from '@mnemark/workspace'
import * as v from 'valibot'
import { LEAST_BUDGET_TOKENS } from '../context/startup-context.ts'
import type { FactToRetain } from '@mnemark/tools'
import type { CitationToCheck } from '../operations/facts/check-pack.ts'
import type { FactQuestion } from '../operations/facts/recall-facts.ts'
import { DAY_FORMS, day, factMembers, lineNumber, path, questionMembers, request, texts } from '@mnemark/tools/host'

// Requests and replies of the HTTP API. Requests are strict, so that a misspelt member is reported; replies may gain members.

const flag = v.boolean()
/** An object that the description leaves open; a generated client can use it. */
const anyMembers = v.record(v.string(), v.unknown())
/** Checks a request, or describes a reply. */
type Schema<Checked = unknown> = v.GenericSchema<unknown, Checked>

/** Numbers and switches of a query string arrive as text. */
const wholeText = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'expected a whole number'))
const countText = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'expected a whole number from 1'))
const flagText = v.picklist(['true', 'false'], 'expected true or false')

type SearchBody = { readonly query: string } & Omit<SearchQuery, 'text' | 'caller' | 'signal'>
export const searchBody: Schema<SearchBody> = request<SearchBody>({
  query: v.pipe(v.string(), v.maxLength(4_000), v.description('Without a word, what passes the filter is listed, newest first.')),
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  filter: v.exactOptional(
    v.strictObject({
      sources: v.exactOptional(texts),
      paths: v.exactOptional(v.pipe(texts, v.description('Folders, paths, globs.'))),
      excludePaths: v.exactOptional(texts),
      since: v.exactOptional(v.pipe(day, v.description(`${DAY_FORMS}.`))),
      until: v.exactOptional(day),
      asOf: v.exactOptional(day),
      kinds: v.exactOptional(texts),
      entities: v.exactOptional(texts),
      tags: v.exactOptional(texts),
    }),
  ),
  overrides: v.exactOptional(
    v.strictObject({
      minScore: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      mmr: v.exactOptional(
        v.strictObject({ enabled: flag, lambda: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))) }),
      ),
      temporalDecay: v.exactOptional(
        v.strictObject({ enabled: flag, halfLifeDays: v.exactOptional(v.pipe(v.number(), v.gtValue(0))) }),
      ),
      fusion: v.exactOptional(v.picklist(['weighted', 'rrf'])),
      vectorWeight: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      keywordsOnly: v.exactOptional(flag),
      rerank: v.exactOptional(flag),
    }),
  ),
  explain: v.exactOptional(v.pipe(flag, v.description('Say how each score came about.'))),
  why: v.exactOptional(
    v.pipe(
      v.strictObject({ path, line: v.exactOptional(lineNumber) }),
      v.description('Say why this place is, or is not, among the hits.'),
    ),
  ),
})

const degraded = v.array(v.looseObject({ code: v.string(), message: v.string() }))
const versions = v.looseObject({
  items: v.array(
    v.looseObject({
      citation: v.string(),
      day: v.exactOptional(v.pipe(v.string(), v.description('YYYY-MM-DD; left out where the text has none.'))),
      differs: v.pipe(v.array(v.string()), v.description('What it has where they differ: five pieces of 80 characters at most.')),
    }),
  ),
  total: v.pipe(v.number(), v.description('How many there are; at most ten are listed.')),
  isComplete: v.pipe(v.boolean(), v.description('false: near copies, compared among the candidates of this search only.')),
})
const hit = v.looseObject({
  source: v.string(),
  path: v.string(),
  startLine: v.number(),
  endLine: v.number(),
  line: v.pipe(v.number(), v.description('Line of the best match, from 1.')),
  score: v.pipe(v.number(), v.description('0 to 1: the share of what the question could get, on one scale whatever took part.')),
  share: v.pipe(
    v.number(),
    v.description("0 to 1: how much of the question's content words it holds, rare words counting more."),
  ),
  snippet: v.string(),
  snippetLines: v.pipe(v.array(v.number()), v.description('For each line of the snippet its line in the file.')),
  highlights: v.pipe(v.array(v.array(v.number())), v.description('Character ranges of the snippet, [start, end).')),
  citation: v.string(),
  quoteHash: v.exactOptional(v.pipe(v.string(), v.description('Finds the cited text again after it has moved.'))),
  repeats: v.exactOptional(
    v.pipe(
      v.looseObject({ count: v.number(), first: v.string(), last: v.string() }),
      v.description('Said again in the same words and values, at other times.'),
    ),
  ),
  versions: v.exactOptional(
    v.pipe(versions, v.description('Same wording, other values: newest first, undated last, the hit among them.')),
  ),
})

export const searchReply: Schema = v.looseObject({
  hits: v.array(hit),
  mode: v.pipe(
    v.picklist(['hybrid', 'keywords', 'vectors', 'unavailable']),
    v.description('unavailable: the answer is no answer; degraded says why.'),
  ),
  backend: v.string(),
  provider: v.nullable(v.string()),
  model: v.nullable(v.string()),
  requestedProvider: v.nullable(v.string()),
  degraded,
  stale: v.boolean(),
})

export const noteQuery: Schema<{
  readonly path: string
  readonly from?: string
  readonly lines?: string
  readonly quoteHash?: string
}> = request({
  path,
  from: v.exactOptional(countText),
  lines: v.exactOptional(countText),
  quoteHash: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
})
export const noteReply: Schema = v.looseObject({
  path: v.string(),
  status: v.picklist(['ok', 'empty', 'not-found']),
  text: v.string(),
  startLine: v.number(),
  endLine: v.number(),
  nextFrom: v.exactOptional(v.number()),
  moved: v.exactOptional(v.picklist(['same', 'moved', 'changed', 'gone'])),
  note: v.exactOptional(v.string()),
})

type Several = string | readonly string[]
/** A query-string member that may be repeated. */
const several = v.union([v.pipe(v.string(), v.maxLength(500)), texts])

interface NotesQuery extends Readonly<Partial<Record<'source' | 'path' | 'tag' | 'kind' | 'entity', Several>>> {
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  readonly order?: 'newest' | 'path'
  readonly limit?: string
  readonly after?: string
  readonly tags?: 'true' | 'false'
}
export const notesQuery: Schema<NotesQuery> = request({
  source: v.exactOptional(several),
  path: v.exactOptional(
    v.pipe(several, v.description('Folders, paths, globs; may be given again, as source, tag, kind and entity.')),
  ),
  tag: v.exactOptional(several),
  kind: v.exactOptional(several),
  entity: v.exactOptional(several),
  since: v.exactOptional(v.pipe(day, v.description(`${DAY_FORMS}.`))),
  until: v.exactOptional(day),
  asOf: v.exactOptional(day),
  order: v.exactOptional(v.pipe(v.picklist(['newest', 'path']), v.description('newest when left out; undated notes last.'))),
  limit: v.exactOptional(v.pipe(countText, v.description('At most 1000; 100 when left out.'))),
  after: v.exactOptional(v.pipe(v.string(), v.maxLength(20_000), v.description('The next of the answer before.'))),
  tags: v.exactOptional(v.pipe(flagText, v.description('Count tags as well.'))),
})
const listedDay = v.exactOptional(v.pipe(v.string(), v.description('YYYY-MM-DD')))
export const notesReply: Schema = v.looseObject({
  notes: v.array(
    v.looseObject({
      source: v.string(),
      path: v.string(),
      title: v.exactOptional(v.string()),
      from: listedDay,
      day: v.exactOptional(
        v.pipe(v.string(), v.description('The last day of what passes, YYYY-MM-DD; left out where none is dated.')),
      ),
      isEvergreen: v.exactOptional(v.boolean()),
      tags: v.array(v.string()),
      marks: v.array(v.string()),
      chunks: v.exactOptional(v.number()),
      lines: v.exactOptional(v.number()),
      size: v.exactOptional(v.pipe(v.number(), v.description('Bytes.'))),
      modifiedAt: v.exactOptional(v.string()),
    }),
  ),
  total: v.pipe(v.number(), v.description('Notes that pass, on all pages.')),
  newest: listedDay,
  tags: v.exactOptional(v.array(v.looseObject({ tag: v.string(), notes: v.number(), newest: listedDay }))),
  next: v.exactOptional(v.pipe(v.string(), v.description('There are more: the after of the next page.'))),
  backend: v.string(),
  degraded,
  stale: v.boolean(),
})

const added = v.pipe(v.string(), v.maxLength(1_000_000))
type EditBody = { readonly path: string } & Partial<Pick<ChangeOptions, 'expected' | 'quote'>> & {
    readonly replace?: { readonly old: string; readonly new: string }
    readonly insert?: { readonly afterLine: number; readonly text: string }
  }
export const editBody: Schema<EditBody> = request({
  path,
  replace: v.exactOptional(
    v.pipe(
      v.strictObject({ old: v.pipe(added, v.minLength(1)), new: added }),
      v.description('The old text must stand there exactly once. This or insert.'),
    ),
  ),
  insert: v.exactOptional(
    v.pipe(
      v.strictObject({ afterLine: v.pipe(v.number(), v.integer(), v.minValue(0)), text: v.pipe(added, v.minLength(1)) }),
      v.description('0 is the beginning.'),
    ),
  ),
  expected: v.exactOptional(
    v.pipe(v.string(), v.maxLength(100), v.description('The hash of the last edit: another note is a conflict.')),
  ),
  quote: v.exactOptional(
    v.pipe(
      v.strictObject({ hash: v.pipe(v.string(), v.maxLength(100)), line: v.exactOptional(lineNumber) }),
      v.description(
        'The quoteHash of a hit, and its first line that is not blank: where it does not stand now, it is a conflict.',
      ),
    ),
  ),
})
export const editReply: Schema = v.looseObject({
  path: v.string(),
  status: v.picklist(['edited', 'unchanged', 'not-found']),
  startLine: v.number(),
  endLine: v.number(),
  hash: v.string(),
  previous: v.nullable(v.string()),
  conflict: v.pipe(
    v.nullable(v.string()),
    v.description('What another program saved at the same moment is kept under this name.'),
  ),
  warning: v.exactOptional(v.string()),
})

export const appendBody: Schema<{ readonly text: string; readonly to: string }> = request({
  text: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000_000)),
  to: v.optional(v.pipe(path, v.description('daily, memory, or the path of a note.')), 'daily'),
})
export const appendReply: Schema = v.looseObject({
  path: v.string(),
  status: v.picklist(['appended', 'duplicate']),
  count: v.number(),
  startLine: v.number(),
  endLine: v.number(),
  warning: v.exactOptional(v.pipe(v.string(), v.description('The text looks as if it held a password or a key.'))),
})

export const retainBody: Schema<FactToRetain> = request<FactToRetain>(factMembers)
export const retainReply: Schema = v.looseObject({
  path: v.string(),
  status: v.pipe(v.picklist(['written', 'exists']), v.description('exists: it stands there already, and nothing was written.')),
  startLine: v.number(),
  endLine: v.number(),
  factId: v.string(),
  conflict: v.pipe(
    v.nullable(v.string()),
    v.description('What another program saved at the same moment is kept under this name.'),
  ),
  warning: v.exactOptional(v.string()),
})

const kinds = v.picklist(
  ['world', 'experience', 'opinion', 'observation', 'note'],
  'expected world, experience, opinion, observation or note',
)
export const recallBody: Schema<FactQuestion> = request<FactQuestion>({
  ...questionMembers,
  knownOn: v.exactOptional(v.pipe(day, v.description('What was written down by that day.'))),
  kinds: v.exactOptional(v.array(kinds)),
})
const recalledEvidence = v.array(v.looseObject({ source: v.string(), quote: v.string(), timestamp: v.exactOptional(v.string()) }))
const recalledReasons = v.looseObject({
  for: recalledEvidence,
  against: recalledEvidence,
  groups: v.pipe(v.looseObject({ for: v.number(), against: v.number() }), v.description('Numbers of independent origins.')),
})
const recalledFact = v.looseObject({
  kind: kinds,
  timestamp: v.exactOptional(v.pipe(v.string(), v.description('First valid day, YYYY-MM-DD.'))),
  until: v.exactOptional(v.pipe(v.string(), v.description('Last valid day; left out where it still holds.'))),
  entities: v.array(v.string()),
  content: v.string(),
  source: v.pipe(v.string(), v.description('path#L12-L12')),
  quoteHash: v.string(),
  score: v.number(),
  tokens: v.number(),
  factId: v.exactOptional(v.string()),
  confidence: v.exactOptional(v.number()),
  author: v.exactOptional(v.picklist(['person', 'agent', 'model'])),
  slot: v.exactOptional(v.string()),
  evidence: v.exactOptional(v.pipe(recalledReasons, v.description('Of opinions.'))),
  state: v.exactOptional(v.picklist(['closed', 'retracted', 'turning'])),
  earlier: v.exactOptional(
    v.array(v.looseObject({ content: v.string(), source: v.string(), timestamp: v.exactOptional(v.string()), why: v.string() })),
  ),
})
export const recallReply: Schema = v.looseObject({
  facts: v.array(recalledFact),
  dropped: v.array(v.looseObject({ source: v.string(), why: v.picklist(['budget', 'limit', 'same-origin', 'superseded']) })),
  overBudget: v.pipe(flag, v.description('Nothing fitted the budget, and the best one came whole.')),
  read: v.looseObject({ entities: v.array(v.string()) }),
  nearest: v.exactOptional(v.pipe(recalledFact, v.description('Where nothing is known of the days asked for.'))),
  mode: v.picklist(['hybrid', 'keywords', 'vectors', 'unavailable']),
  degraded: v.array(v.looseObject({ code: v.string(), message: v.string() })),
  stale: flag,
})

const entityName = v.pipe(v.string(), v.maxLength(1_000))
export const entitiesQuery: Schema<{ readonly name?: string }> = request({
  name: v.exactOptional(
    v.pipe(entityName, v.description('Any of its names; without one all are listed, those of most facts first.')),
  ),
})
const entity = v.looseObject({
  name: v.string(),
  slug: v.pipe(v.string(), v.description('The file name that its page has or would have, without ending.')),
  aliases: v.array(v.string()),
  facts: v.number(),
  opinions: v.number(),
  first: listedDay,
  last: listedDay,
  page: v.exactOptional(v.string()),
})
export const entitiesReply: Schema = v.looseObject({
  entities: v.array(entity),
  facts: v.exactOptional(
    v.array(
      v.looseObject({
        factId: v.string(),
        kind: kinds,
        content: v.string(),
        source: v.string(),
        timestamp: listedDay,
        until: listedDay,
        confidence: v.exactOptional(v.number()),
        author: v.string(),
      }),
    ),
  ),
  suggestions: v.exactOptional(v.array(v.looseObject({ name: v.string(), why: v.string() }))),
  near: v.exactOptional(v.pipe(v.array(v.string()), v.description('Names like one that nobody has.'))),
})

interface MergeBody {
  readonly names: readonly [string, string]
  readonly yes?: boolean
}
export const mergeBody: Schema<MergeBody> = request<MergeBody>({
  names: v.pipe(
    v.array(entityName),
    v.length(2, 'expected two names'),
    v.transform(([first = '', second = '']): readonly [string, string] => [first, second]),
  ),
  yes: v.exactOptional(v.pipe(flag, v.description('Join also names that differ in a number, and pages of different type.'))),
})
export const mergeReply: Schema = v.looseObject({
  status: v.pipe(v.picklist(['merged', 'parted', 'unchanged']), v.description('unchanged: they were one, or two, already.')),
  entity,
  changes: v.array(v.looseObject({ path: v.string(), diff: v.string() })),
  done: v.exactOptional(v.looseObject({ op: v.string(), winner: v.string(), loser: v.string(), path: v.string() })),
  remark: v.exactOptional(v.pipe(v.string(), v.description('Why the journal does not tell of it.'))),
  conflict: v.pipe(
    v.nullable(v.string()),
    v.description('What another program saved at the same moment is kept under this name.'),
  ),
})

const MOST_CITATIONS = 200
/** Facts of an answer may be sent as they are: members that are not needed are not looked at. */
const citationToCheck = v.looseObject({
  source: v.pipe(v.string(), v.maxLength(5_000), v.description('path#L12-L14, the source of a fact or the citation of a hit.')),
  quoteHash: v.pipe(v.string(), v.maxLength(100)),
  content: v.exactOptional(v.pipe(v.string(), v.maxLength(1_000_000), v.description('Told again in the answer.'))),
})
export const checkBody: Schema<{ readonly citations: readonly CitationToCheck[] }> = request({
  citations: v.pipe(v.array(citationToCheck), v.maxLength(MOST_CITATIONS)),
})
export const checkReply: Schema = v.looseObject({
  citations: v.array(
    v.looseObject({
      source: v.string(),
      quoteHash: v.string(),
      content: v.exactOptional(v.string()),
      status: v.pipe(v.picklist(['same', 'moved', 'changed', 'gone']), v.description('gone: it is in no note any more.')),
      now: v.exactOptional(
        v.pipe(
          v.looseObject({ source: v.string(), quoteHash: v.string(), text: v.string() }),
          v.description('Its present lines, with their citation and hash.'),
        ),
      ),
    }),
  ),
})

export const contextQuery: Schema<{ readonly budget?: string; readonly question?: string }> = request({
  question: v.exactOptional(
    v.pipe(v.string(), v.maxLength(4_000), v.description('The first question of the session: what is known of it stands first.')),
  ),
  budget: v.exactOptional(v.pipe(wholeText, v.description(`Tokens, at least ${LEAST_BUDGET_TOKENS}; 4000 when left out.`))),
})
export const contextReply: Schema = v.looseObject({
  text: v.pipe(v.string(), v.description('One block for the beginning of a session, marked as data.')),
  tokens: v.number(),
  parts: v.array(
    v.looseObject({ path: v.string(), startLine: v.number(), endLine: v.number(), totalLines: v.number(), tokens: v.number() }),
  ),
  leftOut: v.array(v.string()),
  isPrivate: v.boolean(),
  problems: v.array(v.string()),
})

export const statusQuery: Schema<{ readonly deep?: 'true' | 'false' }> = request({
  deep: v.exactOptional(v.pipe(flagText, v.description('Also ask the embedding provider.'))),
})
export const statusReply: Schema = v.looseObject({
  documents: v.number(),
  chunks: v.number(),
  isDirty: v.boolean(),
  backend: v.string(),
  degraded,
  details: v.pipe(anyMembers, v.description('For the owner: what was left out, the provider chain, jobs. Else empty.')),
})

export const syncBody: Schema<{ readonly force: boolean }> = request({
  force: v.optional(v.pipe(flag, v.description('Read and analyse every note again.')), false),
})
export const syncReply: Schema = v.looseObject({
  total: v.number(),
  indexed: v.number(),
  unchanged: v.number(),
  removed: v.number(),
  chunks: v.number(),
  isComplete: v.boolean(),
  ms: v.number(),
})

export const toolsReply: Schema = v.strictObject({
  tools: v.array(v.strictObject({ name: v.string(), description: v.string(), inputSchema: anyMembers })),
})
export const toolReply: Schema = v.strictObject({
  text: v.pipe(v.string(), v.description('The answer in words, for the model: quoted text is marked as data.')),
  data: anyMembers,
})

export const errorReply: Schema = v.strictObject({
  error: v.strictObject({
    code: v.string(),
    message: v.string(),
    next: v.pipe(v.string(), v.description('What to do about it.')),
  }),
})
