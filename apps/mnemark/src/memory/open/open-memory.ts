import { join, resolve } from 'node:path'
import type { CallerContext, Degradation, IndexViews, MemoryBackend, MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import type { SqliteMemoryStore, SqliteStoreOptions } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'
import type { WatchOptions, Workspace } from '@mnemark/workspace'
import type { NamedModule } from '../../config/files/load-module.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import type { Consent } from '../../providers/use/consent.ts'
import { mayFindProvider } from '../../providers/choose/may-find-provider.ts'
import type { UsableReranker } from '../../providers/models/usable-models.ts'
import type { UsableChain } from '../../providers/use/usable-chain.ts'
import { findIndexPlace, prepareIndexPlace } from '../index/index-place.ts'
import { ForgottenNotes, withoutForgotten } from '../../state/forgotten-notes.ts'
import { heldMemory } from './held-memory.ts'
import { inCommands } from './in-commands.ts'
import { heldViews, viewsInCommands } from './index-views.ts'
import { keepingUntrusted } from '../index/keep-untrusted.ts'
import { RepairingMemory } from '../repair/repairing-memory.ts'
import type { OpenIndex } from '../repair/repairing-memory.ts'
import { expectKnownRoots, keepKnownRoots } from './known-roots.ts'
import { tellingOutside } from '../index/outside-layout.ts'
import { queryContext } from './query-context.ts'
import { setAsideIndex } from '../index/set-aside-index.ts'
import { takeOverVectors } from '../repair/take-over-vectors.ts'
import { widenedLayout } from '../index/widened-layout.ts'
import type { WidenedLayout } from '../index/widened-layout.ts'
import { withScanStatus } from '../repair/vector-scan.ts'
import { withChain } from './with-chain.ts'
import { withReranker } from './with-reranker.ts'
import { currentState, findState, prepareState } from '../../state/workspace-state.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { openOwnStore } from '../index/own-store.ts'
import { recordConsent } from '../../providers/use/consent.ts'

// The only place where the packages are joined: notes, store, providers and engine.

/** Everything open for one command. */
export interface OpenMemory {
  readonly memory: MemoryBackend
  /** States of the built-in index, whatever backend answers searches. Scope rules are the caller's. */
  readonly views: IndexViews
  readonly notes: Workspace
  /** The index file; null if there is none yet and nothing may be written, or if the user's own store keeps the index. */
  readonly indexFile: string | null
  /** True where this command made the index. */
  readonly isNew: boolean
  /** A remark if the location of the index is unusual, else null. */
  readonly note: string | null
  /** The store under the memory at the moment: ours, or that of a module named in the configuration. */
  readonly store: SqliteMemoryStore | MemoryStore
  /** The embedding providers as configured; empty if the command needs none. */
  readonly chain: UsableChain
  /** The reranker as configured; nothing if the command needs none. */
  readonly rerank: UsableReranker
  /** The host for texts of files that newly came into the index and wait for a yes; null if there are none. */
  readonly widened: WidenedLayout | null
  /** Repairs of the index that no search reply has reported yet. */
  takeRepairs(): readonly Degradation[]
  /** Looks at every row of the index, unless that was done of late and takes long, and repairs what is damaged. */
  lookOver(): Promise<void>
  /** Lets a backend in a side process keep itself fresh; for long-running processes. */
  start(): Promise<void>
  /** Closes the store as well. */
  close(): Promise<void>
}

/** The notes alone: no index is needed to read, append or edit. */
export function openNotes(settings: Settings, watch: WatchOptions = {}): Promise<Workspace> {
  return openWorkspace({
    root: settings.workspace,
    extraPaths: settings.extraPaths,
    watch,
    // Created by the first edit or append, for versions and the lock of a note: reading creates nothing.
    historyDir: () => join(prepareState(settings), 'history'),
    ...withoutUndefined({ timeZone: settings.timeZone }),
  })
}

/** Loads the SQLite engine only when an index is opened. Throws StoreError. */
export async function openStore(file: string, options: Omit<SqliteStoreOptions, 'path'> = {}): Promise<SqliteMemoryStore> {
  const { openSqliteStore } = await import('@mnemark/store-sqlite')
  return openSqliteStore({ path: file, ...options })
}

/** The configured options for sqlite-vec. */
export function vectorExtensionOf({
  vectorExtension: { isEnabled, path },
  workspace,
}: Pick<Settings, 'vectorExtension' | 'workspace'>): NonNullable<SqliteStoreOptions['vectorExtension']> {
  return { isEnabled, ...(path !== undefined && { path: resolve(workspace, path) }) }
}

export interface OpenOptions {
  readonly isReadOnly?: boolean
  /** Overwrites deleted data. */
  readonly isErasing?: boolean
  /** How notes are watched, if they are. */
  readonly watch?: WatchOptions
  /**
   * Default `chain`. `none`: no provider is loaded or called. `estimate`: counts what would be sent, regardless of consent; only
   * with `isReadOnly`.
   */
  readonly vectors?: 'chain' | 'none' | 'estimate'
  /** Uses the built-in engine whatever the backend is: for commands about its index. */
  readonly isBuiltInOnly?: boolean
  /** Receives scope denials and background failures, never queries. */
  readonly log?: (message: string) => void
  /** An answer given just now, to be recorded in the user's state. */
  readonly consent?: { readonly host: string; readonly answer: Consent }
  /** An answer given just now on embedding files that newly came into the index. */
  readonly widening?: Consent
  /** Why nothing may be indexed: every search reports it. Only with `isReadOnly`. */
  readonly held?: string
  /** Accepts the folders as they are, also an empty one where another held notes. */
  readonly isForced?: boolean
}

const NO_RERANKER: UsableReranker = { reranker: null, problem: null }
export const NO_CHAIN: UsableChain = { providers: [], degraded: [], consent: null }

/**
 * Opens the memory. With `isReadOnly` nothing is created or repaired: without an index, an empty one in memory stands in.
 * Otherwise a damaged index is repaired, or quarantined and rebuilt, on the way.
 */
export async function openMemory(settings: Settings, options: OpenOptions = {}): Promise<OpenMemory> {
  requireSource(settings)
  if (settings.storeModule !== null) return openOver(settings, settings.storeModule, options)
  const isReadOnly = options.isReadOnly === true
  const place = isReadOnly ? findIndexPlace(settings) : prepareIndexPlace(settings)
  // The engine loads in parallel with the notes.
  const [notes, { fileIdentity }] = await Promise.all([
    openNotes(settings, options.watch),
    import('@mnemark/store-sqlite/repair'),
    import('@mnemark/store-sqlite'),
    import('@mnemark/core'),
  ])
  const common = { notes, indexFile: place?.file ?? null, isNew: place?.isNew ?? true, note: place?.note ?? null }
  if (isReadOnly || place === null) {
    const index = await openIndex({ file: place?.file ?? ':memory:', notes, settings, ...options, isErasing: false })
    const memory = options.held === undefined ? index.memory : heldMemory(index.memory, options.held)
    const views = options.held === undefined ? index.views : heldViews(index.store, options.held)
    const front = await inFront(settings, memory, { ...options, notes, file: place?.file })
    const asItIs = { takeRepairs: () => [], lookOver: async () => {} }
    return { ...common, ...index, views, ...front, ...asItIs, close: once(() => front.memory.close()) }
  }
  let identity = fileIdentity(place.file)
  let chain = NO_CHAIN
  let rerank = NO_RERANKER
  let widened: WidenedLayout | null = null
  const open = async (): Promise<OpenIndex> => {
    const index = await openIndex({ file: place.file, notes, settings, ...options })
    identity = fileIdentity(place.file)
    chain = index.chain
    rerank = index.rerank
    widened = index.widened
    return { ...index, takenOver: await takeOver(place.file, index) }
  }
  const memory = await RepairingMemory.open({ open, setAside: (error) => setAsideIndex({ ...place, identity }, error) })
  const told = common.isNew ? tellingOutside(memory, notes) : memory
  const front = await inFront(settings, told, { ...options, notes, file: place.file })
  return {
    ...common,
    // There is nothing to wait for if another program has the index.
    isNew: common.isNew && front.isBuiltIn,
    views: memory,
    ...front,
    get store() {
      return memory.store
    },
    get chain() {
      return chain
    },
    get rerank() {
      return rerank
    },
    get widened() {
      return widened
    },
    takeRepairs: () => memory.takeRepairs(),
    lookOver: () => memory.lookOver(),
    close: once(async () => {
      await keepKnownRoots(memory.store, notes, options.isForced)
      await front.memory.close()
    }),
  }
}

/** A memory over somebody's own store, which repairs itself or does not: there is no file to look after. */
async function openOver(settings: Settings, module: NamedModule, options: OpenOptions): Promise<OpenMemory> {
  const isReadOnly = options.isReadOnly === true
  const [notes, store] = await Promise.all([openNotes(settings, options.watch), openOwnStore(module, settings, isReadOnly)])
  const index = await withStore(store, { ...options, file: null, notes, settings })
  const memory = options.held === undefined ? index.memory : heldMemory(index.memory, options.held)
  const views = options.held === undefined ? index.views : heldViews(store, options.held)
  const front = await inFront(settings, memory, { ...options, notes, file: undefined })
  return {
    notes,
    indexFile: null,
    isNew: false,
    note: null,
    ...index,
    views,
    ...front,
    takeRepairs: () => [],
    lookOver: async () => {},
    close: once(async () => {
      if (!isReadOnly) await keepKnownRoots(store, notes, options.isForced)
      await front.memory.close()
    }),
  }
}

/** A stop signal closes it, and the command that then ends closes it again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** Vectors that cannot be taken over now are taken over at the next opening. */
async function takeOver(file: string, { store }: Pick<OpenIndex, 'store'>): Promise<string | null> {
  try {
    return await takeOverVectors(file, store)
  } catch (error) {
    if (StoreError.isInstance(error) && error.code !== 'corrupt') return null
    await store.close()
    throw error
  }
}

interface IndexOptions extends OpenOptions {
  /** The index file; null if no file of ours holds the index. */
  readonly file: string | null
  readonly notes: Workspace
  readonly settings: Settings
}

interface Index<Store extends MemoryStore> extends Pick<OpenMemory, 'memory' | 'views' | 'chain' | 'rerank' | 'widened'> {
  readonly store: Store
}

async function openIndex(options: IndexOptions & { readonly file: string }): Promise<Index<SqliteMemoryStore>> {
  const store = await openStore(options.file, {
    isErasing: options.isErasing === true,
    vectorExtension: vectorExtensionOf(options.settings),
  })
  const index = await withStore(store, options)
  return { ...index, memory: withScanStatus(index.memory, store) }
}

/** Opens the engine over a store; closes the store if that fails. */
async function withStore<Store extends MemoryStore>(store: Store, options: IndexOptions): Promise<Index<Store>> {
  const { notes, settings } = options
  try {
    const [{ createMemory }, { bankAnnotator }] = await Promise.all([import('@mnemark/core'), import('@mnemark/bank/annotator')])
    const source = withoutForgotten(keepingUntrusted(notes.source, settings, store), forgottenNotes(settings, options))
    if (options.consent !== undefined) await keepConsent(settings, options.consent)
    if (options.isForced !== true) await expectKnownRoots(store, notes)
    const [usable, rerank] = await Promise.all([openChain(settings, options.vectors), openReranker(settings, options.vectors)])
    const widened = await widenedLayout(store, {
      kind: notes.describe().kind,
      providers: usable.providers,
      isReadOnly: options.isReadOnly === true,
      answer: options.widening,
    })
    const chain = widened === null ? usable : { ...usable, degraded: [...usable.degraded, ...widened.degraded] }
    const memory = await createMemory({
      store,
      sources: [source],
      reader: notes.reader,
      annotators: [bankAnnotator()],
      settings: settings.memory,
      embeddings: chain.providers,
      ...(rerank.reranker !== null && { reranker: rerank.reranker }),
      // Opened for this memory alone.
      closes: rerank.reranker === null ? chain.providers : [...chain.providers, rerank.reranker],
      ...(widened !== null && { mayEmbed: widened.mayEmbed }),
    })
    return {
      store,
      chain,
      rerank,
      widened,
      memory: withReranker(withChain(inCommands(memory), chain, settings), rerank.problem),
      views: viewsInCommands(memory, chain, settings),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** A read-only index may also have its list beside it. */
export function forgottenNotes(
  settings: Settings,
  { file, isReadOnly }: { readonly file: string | null; readonly isReadOnly?: boolean },
): ForgottenNotes {
  // State of an earlier version is moved once; after that the folder is only looked up.
  if (isReadOnly !== true) currentState(settings)
  return new ForgottenNotes(() => findState(settings), settings.agentId, file)
}

async function keepConsent(settings: Settings, { host, answer }: NonNullable<OpenOptions['consent']>): Promise<void> {
  recordConsent(settings, host, answer)
}

interface Front {
  readonly memory: MemoryBackend
  readonly start: () => Promise<void>
  readonly isBuiltIn: boolean
}

/** Wraps the built-in engine: by another backend if one is configured, and outermost by the scope rules. */
async function inFront(
  settings: Settings,
  builtIn: MemoryBackend,
  options: OpenOptions & { readonly notes: Workspace; readonly file: string | undefined },
): Promise<Front> {
  const { log, isReadOnly = false, isBuiltInOnly = false, notes, file } = options
  if (settings.qmd === null || isBuiltInOnly) {
    return { memory: await guarded(builtIn, settings, log), start: async () => {}, isBuiltIn: true }
  }
  const { openQmd } = await import('../../qmd/open-qmd.ts')
  const forgotten = forgottenNotes(settings, { file: file ?? null, isReadOnly })
  const place = { timeZone: settings.timeZone, source: notes.source }
  const { memory, start } = await openQmd(
    { ...settings, qmd: settings.qmd },
    { builtIn, forgotten, isReadOnly, log, queryContext: () => queryContext(place) },
  )
  return { memory: await guarded(memory, settings, log), start, isBuiltIn: false }
}

async function guarded(memory: MemoryBackend, settings: Settings, log: OpenOptions['log']): Promise<MemoryBackend> {
  const { scopes } = settings
  const inner = withoutLongTermForOthers(memory, settings)
  if (scopes.length === 0) return inner
  const { withScope } = await import('@mnemark/core/backend')
  const { ownerUnlessNamed } = await import('./owner-caller.ts')
  const options = { whoIs: ownerUnlessNamed, ...withoutUndefined({ log }) }
  return scopes.reduce((rest, scope) => withScope(rest, { scope, ...options }), inner)
}

/** The rules for long-term notes are loaded only if a chat is named: the owner at a terminal does not name one. */
function withoutLongTermForOthers(memory: MemoryBackend, settings: Settings): MemoryBackend {
  const backendFor = async ({ sessionKey, chatType }: CallerContext): Promise<MemoryBackend> =>
    sessionKey === undefined && chatType === undefined
      ? memory
      : (await import('./long-term.ts')).withoutLongTerm(memory, settings)
  return {
    specVersion: memory.specVersion,
    name: memory.name,
    search: async (query) => (await backendFor(query.caller)).search(query),
    list: async (query) => (await backendFor(query.caller)).list(query),
    read: async (request) => (await backendFor(request.caller)).read(request),
    sync: (options) => memory.sync(options),
    status: (options) => memory.status(options),
    close: () => memory.close(),
  }
}

/** No provider code is loaded if none is configured. */
async function openChain(settings: Settings, vectors: OpenOptions['vectors'] = 'chain'): Promise<UsableChain> {
  if (vectors === 'none' || !mayFindProvider(settings)) return NO_CHAIN
  const { usableChain } = await import('../../providers/use/usable-chain.ts')
  return usableChain(settings, { isEstimating: vectors === 'estimate' })
}

async function openReranker(settings: Settings, vectors: OpenOptions['vectors'] = 'chain'): Promise<UsableReranker> {
  if (vectors !== 'chain' || settings.models.rerank === null) return NO_RERANKER
  const { usableReranker } = await import('../../providers/models/usable-models.ts')
  return usableReranker(settings)
}

/** Without its only source the index would look empty, and every search would silently find nothing. */
function requireSource({ sources }: Settings): void {
  if (sources.includes('memory')) return
  throw new CommandError(
    'no-source',
    `memorySearch.sources names only ${sources.map((source) => `"${source}"`).join(', ') || 'nothing'}`,
    {
      exitCode: EXIT.unavailable,
      next: 'Add "memory", the only source of this version.',
    },
  )
}
