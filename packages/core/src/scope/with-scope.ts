import { BackendError, type CallerContext, type ListReply, type MemoryBackend, type SearchReply } from '@mnemark/spec'
import { judgeScope, type Scope, type ScopeVerdict } from './judge-scope.ts'

export interface WithScopeOptions {
  readonly scope: Scope
  /** Called for each denial, with who asked, as far as known, and never with the query. */
  readonly log?: (message: string) => void
  /** Maps the caller to the one that rules judge; default: unchanged. For programs that know who calls without a name. */
  readonly whoIs?: (caller: CallerContext) => CallerContext
}

/**
 * Limits a backend to callers that `scope` allows to search, list and read. A denied search or list finds nothing and
 * says so; a denied read rejects with BackendError `denied`.
 */
export function withScope(backend: MemoryBackend, options: WithScopeOptions): MemoryBackend & AsyncDisposable {
  const { scope, log = () => {}, whoIs = (caller: CallerContext) => caller } = options
  const denialOf = (caller: CallerContext, action: string): string | null => {
    const verdict = judgeScope(scope, whoIs(caller))
    if (verdict.isAllowed) return null
    log(`memory ${action} denied by scope (channel=${verdict.channel ?? 'unknown'}, chatType=${verdict.chatType ?? 'unknown'})`)
    return explanation(verdict)
  }
  return {
    specVersion: backend.specVersion,
    name: backend.name,
    search: async (query) => {
      const denial = denialOf(query.caller, 'search')
      return denial === null ? backend.search(query) : deniedReply(backend.name, denial)
    },
    list: async (query) => {
      const denial = denialOf(query.caller, 'list')
      return denial === null ? backend.list(query) : deniedList(backend.name, denial)
    },
    read: async (request) => {
      const denial = denialOf(request.caller, 'read')
      if (denial !== null) throw new BackendError('denied', denial)
      return backend.read(request)
    },
    sync: (options) => backend.sync(options),
    status: (options) => backend.status(options),
    close: () => backend.close(),
    [Symbol.asyncDispose]: () => backend.close(),
  }
}

function explanation({ channel, chatType }: ScopeVerdict): string {
  const who = `chat type ${chatType ?? 'unknown'}, channel ${channel ?? 'unknown'}`
  return `The scope rules do not let this caller use the memory (${who}). The owner can add a rule to scope.rules.`
}

function deniedList(backend: string, message: string): ListReply {
  return { notes: [], total: 0, backend, degraded: [{ code: 'scope-denied', message }], stale: false }
}

function deniedReply(backend: string, message: string): SearchReply {
  return {
    hits: [],
    mode: 'unavailable',
    backend,
    provider: null,
    model: null,
    requestedProvider: null,
    degraded: [{ code: 'scope-denied', message }],
    stale: false,
    timing: {},
  }
}
