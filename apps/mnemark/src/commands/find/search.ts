import { setTimeout } from 'node:timers/promises'
import type { HitChecks } from '@mnemark/tools/answers'
import { withoutBlanks } from '@mnemark/spec'
import type { ChunkFilter, MemoryBackend, SearchOverrides, SearchQuery, SearchReply } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Invocation } from '../../command.ts'
import type { Options } from '../../command-line/command-line.ts'
import { oneOf, wholeNumber } from '../../command-line/option-values.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError, toMaskedFailure } from '../../failure.ts'
import { findIndexPlace } from '../../memory/index/index-place.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { settingsRemarks } from '../../memory/open/provider-state.ts'
import type { Console } from '../../terminal/console.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { explainNothing } from '../../memory/index/nothing-indexed.ts'
import { checkHits } from '@mnemark/tools/answers'
import { settleFirstIndex } from '../../memory/index/first-index.ts'

const MOST_HITS = 100

/** Finds notes. A missing or outdated index is updated first, as far as that takes about a second. */
export async function search(invocation: Invocation): Promise<ExitCode> {
  const startedAtMs = performance.now()
  const { options, words, console } = invocation
  const query = readQuery(words, options)
  requireOneForm(options, console)
  const settings = rerankedUnless(options.has('no-rerank'), await commandSettings(invocation, { notes: 'warnings' }))
  requireMemory(settings)
  if (query.filter === undefined && words.length === 0) {
    throw new CommandError('bad-use', 'expected: mnemark search QUERY, or a filter to list by, such as --tag person', {
      next: 'mnemark search --help shows examples.',
    })
  }
  await check(query, settings)
  await settleFirst(settings, { console, isAgreed: options.has('yes') })
  const deliver = async (reply: SearchReply, notes: Workspace): Promise<ExitCode> => {
    console.document({ ...reply, ms: Math.round(performance.now() - startedAtMs) })
    if (!console.isJson) await print(reply, notes, invocation)
    if (reply.mode === 'unavailable') return EXIT.unavailable
    return reply.hits.length === 0 ? EXIT.nothing : EXIT.done
  }
  return answer(query, settings, { console, deliver, isMasking: options.has('mask') })
}

/** A reranker that is not asked is not made either: a key that is missing for it is no reason to fail. */
function rerankedUnless(isOff: boolean, settings: Settings): Settings {
  return isOff ? { ...settings, models: { ...settings.models, rerank: null } } : settings
}

function requireOneForm(options: Options, console: Console): void {
  if (options.has('files') && (console.isJson || options.has('explain') || options.has('why'))) {
    throw new CommandError(
      'bad-use',
      '--files prints paths and nothing else, so it goes with neither --json nor --explain nor --why',
      {
        next: 'Leave one of them out.',
      },
    )
  }
  if (options.has('null') && !options.has('files')) {
    throw new CommandError('bad-use', '--null ends the paths of --files', { next: 'Give --files as well, or leave it out.' })
  }
}

async function print(reply: SearchReply, notes: Workspace, invocation: Invocation): Promise<void> {
  const { console, options, currentFolder } = invocation
  if (!options.has('files')) return (await import('../../printing/print-reply.ts')).printReply(reply, notes, invocation)
  const { printFiles } = await import('../../printing/print-files.ts')
  return printFiles(console, reply, { notes, currentFolder, isNullEnded: options.has('null') })
}

/** Settles what a first index needs, where there is no index yet. */
export async function settleFirst(
  settings: Settings,
  asking: { readonly console: Console; readonly isAgreed: boolean },
): Promise<void> {
  if (settings.storeModule !== null || findIndexPlace(settings) !== null) return
  await settleFirstIndex(settings, asking)
}

interface Delivery {
  readonly console: Console
  readonly isMasking: boolean
  readonly deliver: (reply: SearchReply, notes: Workspace) => Promise<ExitCode>
}

async function answer(query: Query, settings: Settings, { console, deliver, isMasking }: Delivery): Promise<ExitCode> {
  const isByKeywords = query.overrides?.keywordsOnly === true
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const open = await openMemory(settings, { vectors: isByKeywords ? 'none' : 'chain', log })
  try {
    if (open.note !== null) console.note(`mnemark: ${open.note}`)
    // The first index of a large folder takes a while, so a waiting person sees its progress.
    if (open.isNew && console.isWatched) await syncWatched(open, settings, console)
    const caller = { ...(await withChatOfKey(query.caller)), agentId: settings.agentId }
    const found = await open.memory.search({ ...query, caller })
    const reply = console.isJson || isMasking ? await checked(found, open.memory, { caller, isMasking }) : found
    const explained = reply.hits.length > 0 ? reply : explainNothing(reply, open.notes, true)
    const exitCode = await deliver({ ...explained, degraded: [...settingsRemarks(settings), ...explained.degraded] }, open.notes)
    // QMD's updates may take long: they are left to long-running processes and `mnemark index`.
    if (reply.stale && settings.qmd === null) await catchUp(open, settings, console)
    return exitCode
  } finally {
    await open.close()
  }
}

/** Only a caller that names a session has a key to read. */
export async function withChatOfKey(caller: Query['caller']): Promise<Query['caller']> {
  if (caller.sessionKey === undefined) return caller
  return (await import('../../memory/open/owner-caller.ts')).withChatOfKey(caller)
}

/** A program gets the hash by which a cited text is found again; a person does not need it. */
async function checked(reply: SearchReply, memory: MemoryBackend, checks: HitChecks): Promise<SearchReply> {
  if (reply.hits.length === 0) return reply
  return checkHits(reply, memory, checks)
}

const CATCH_UP_MS = 10_000

/**
 * Continues indexing for a while after a stale answer: ending now would lose half-done work, and every later search would be
 * stale again. The answer is already printed, so a failure here is only a remark.
 */
export async function catchUp(open: OpenMemory, settings: Settings, console: Console): Promise<void> {
  const waiting = new AbortController()
  try {
    const enough = setTimeout(CATCH_UP_MS, undefined, { signal: waiting.signal })
    await Promise.race([syncWatched(open, settings, console), enough])
  } catch (error) {
    if (error instanceof CommandError && error.code === 'stopped') throw error
    console.note(`mnemark: the index was not brought up to date: ${(await toMaskedFailure(error)).message}`)
  } finally {
    waiting.abort()
  }
}

export async function syncWatched(open: OpenMemory, settings: Settings, console: Console): Promise<void> {
  const { stoppableSync } = await import('../../memory/fresh/stoppable-sync.ts')
  await stoppableSync({ open, settings, console }, { reason: 'start' })
}

type Query = Omit<SearchQuery, 'caller'> & { readonly caller: Omit<SearchQuery['caller'], 'agentId'> }

function readQuery(words: readonly string[], options: Options): Query {
  const limit = wholeNumber(options, 'k', 1, MOST_HITS)
  const why = options.get('why')?.trim() || undefined
  const filter = readFilter(options)
  const overrides = readOverrides(options)
  return {
    text: words.join(' '),
    ...(limit === undefined ? {} : { limit }),
    ...(filter === undefined ? {} : { filter }),
    ...(overrides === undefined ? {} : { overrides }),
    ...(why === undefined ? {} : { why: readPlace(why) }),
    ...(options.has('explain') ? { explain: true } : {}),
    caller: readCaller(options),
  }
}

export function readFilter(options: Options): ChunkFilter | undefined {
  const [since, until, asOf] = [options.get('since'), options.get('until'), options.get('as-of')]
  return withoutBlanks({
    sources: options.all('source'),
    paths: options.all('path'),
    kinds: options.all('kind'),
    entities: options.all('entity'),
    tags: options.all('tag'),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(asOf !== undefined && { asOf }),
  })
}

function readOverrides(options: Options): SearchOverrides | undefined {
  const fusion = oneOf(options, 'fusion', ['weighted', 'rrf'])
  const overrides: SearchOverrides = {
    ...(options.has('mmr') ? { mmr: { enabled: true } } : {}),
    ...(options.has('decay') ? { temporalDecay: { enabled: true } } : {}),
    ...(fusion === undefined ? {} : { fusion }),
    ...(options.has('keywords') ? { keywordsOnly: true } : {}),
    ...(options.has('no-rerank') ? { rerank: false } : {}),
  }
  return Object.keys(overrides).length === 0 ? undefined : overrides
}

/** PATH, PATH:LINE or a citation (PATH#L12, PATH#L12-L20). */
function readPlace(place: string): { readonly path: string; readonly line?: number } {
  const match = /^(.+?)(?::(\d{1,9})|#L(\d{1,9})(?:-L\d{1,9})?)$/s.exec(place)
  const line = Number(match?.[2] ?? match?.[3] ?? 0)
  return match?.[1] === undefined || line === 0 ? { path: place } : { path: match[1], line }
}

const KNOWN_SOURCES = ['memory']

/** Loaded if there are filters to check: words alone are always valid. */
async function check(query: Query, { sources, timeZone }: Settings): Promise<void> {
  if (query.filter === undefined && !query.text.includes(':')) return
  const { checkQuery } = await import('../../operations/check-query.ts')
  checkQuery(query, { sources: KNOWN_SOURCES.filter((source) => sources.includes(source)), timeZone })
}
