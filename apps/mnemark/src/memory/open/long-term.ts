import { namesCaller } from '@mnemark/core/backend'
import type { CallerContext, ChunkFilter, HitVersions, MemoryBackend, SearchHit, SearchQuery } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { CommandError } from '../../failure.ts'
import { chatTypeOf } from './owner-caller.ts'

/** Paths of an agent's long-term memory of its owner, in any case: never for a group or a channel, unless a rule names them. */
const PATHS = ['memory.md', 'bank/**'].map((path) => path.replace(/[a-z]/gu, inAnyCase))

function inAnyCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`
}

/** The same rule as `PATHS`; if the two differ, counts of notes show it. */
export function isLongTerm(path: string): boolean {
  return /^(?:memory\.md$|bank\/)/iu.test(path.normalize('NFC').split(/#L\d/u, 1)[0] ?? '')
}

/** True for everyone but groups and channels; for those if a rule of trusted configuration names them. */
export function mayReadLongTerm({ namingScopes }: Pick<Settings, 'namingScopes'>, caller: CallerContext): boolean {
  const chatType = chatTypeOf(caller)
  if (chatType !== 'group' && chatType !== 'channel') return true
  return namingScopes.length > 0 && namingScopes.every((scope) => namesCaller(scope, caller))
}

/** The error for a path this caller may not see, whether or not a note exists there. */
export function longTermDenied(): CommandError {
  return new CommandError('denied', 'MEMORY.md and bank/ are not for groups and channels.', {
    next: 'Answer without them. The owner can let a group in by a rule of memory.scope that names it.',
  })
}

/** Wraps the backend without long-term notes for callers who may not see them: in hits, versions, lists and readings. */
export function withoutLongTerm(memory: MemoryBackend, settings: Pick<Settings, 'namingScopes'>): MemoryBackend {
  return {
    specVersion: memory.specVersion,
    name: memory.name,
    search: async (query) => {
      if (mayReadLongTerm(settings, query.caller)) return memory.search(query)
      const reply = await memory.search(narrowed(query))
      return { ...reply, hits: reply.hits.filter(({ path }) => !isLongTerm(path)).map(withoutVersions) }
    },
    list: async (query) => {
      if (mayReadLongTerm(settings, query.caller)) return memory.list(query)
      const reply = await memory.list({ ...query, filter: withoutPaths(query.filter ?? {}) })
      return { ...reply, notes: reply.notes.filter(({ path }) => !isLongTerm(path)) }
    },
    read: async (request) => {
      const reply = await memory.read(request)
      if (isLongTerm(reply.path) && !mayReadLongTerm(settings, request.caller)) throw longTermDenied()
      return reply
    },
    sync: (options) => memory.sync(options),
    status: (options) => memory.status(options),
    close: () => memory.close(),
  }
}

function narrowed(query: SearchQuery): SearchQuery {
  const { filter = {}, why, ...rest } = query
  const isAsked = why !== undefined && !isLongTerm(why.path)
  return {
    ...rest,
    ...(isAsked && { why }),
    filter: withoutPaths(filter),
  }
}

/** The filter for what a caller may read of the index; undefined = all of it. */
export function longTermFilter(settings: Pick<Settings, 'namingScopes'>, caller: CallerContext): ChunkFilter | undefined {
  return mayReadLongTerm(settings, caller) ? undefined : withoutPaths({})
}

function withoutPaths(filter: ChunkFilter): ChunkFilter {
  return { ...filter, excludePaths: [...(filter.excludePaths ?? []), ...PATHS] }
}

/** Versions pass the filter as hits do; this is a second check. */
function withoutVersions(hit: SearchHit): SearchHit {
  const { versions } = hit
  if (versions === undefined || !versions.items.some(({ citation }) => isLongTerm(citation))) return hit
  const items = versions.items.filter(({ citation }) => !isLongTerm(citation))
  const kept: HitVersions = { ...versions, items, total: versions.total - (versions.items.length - items.length) }
  return { ...hit, versions: kept }
}
