import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { BackendError } from '@mnemark/spec'
import { childEnvironment } from '../environment.ts'
import type { Environment, QmdHome } from '../home.ts'
import {
  type ListedCollection,
  parseCollectionFolder,
  parseCollections,
  parseStatus,
  parseUpdate,
  parseVersion,
  type ProgramStatus,
  type UpdateCounts,
} from '../parse/parse-reports.ts'
import { parseResults, type RawResult } from '../parse/parse-results.ts'
import { type ProgramEnding, runProgram } from '../process/run-program.ts'
import { isRefusal, programFailure } from './program-failure.ts'
import { ownPlace, type ResolvedCommand, resolveCommand } from './resolve-command.ts'

export type SearchMode = 'search' | 'vsearch' | 'query'

/** Longest time of each kind of call, in ms. */
export interface QmdTimeouts {
  readonly searchMs: number
  readonly commandMs: number
  readonly updateMs: number
  readonly embedMs: number
}
export interface QmdProgramOptions {
  readonly command: string
  readonly home: QmdHome
  readonly environment: Environment
  readonly timeouts: QmdTimeouts
}
export interface SearchCall {
  readonly text: string
  readonly mode: SearchMode
  readonly limit: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

interface Call {
  /** Name of the command in messages. */
  readonly what: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const MAX_OUTPUT_BYTES = 2_000_000
/** Names the index, because the program would otherwise use a `.qmd` folder among the notes or above them. */
const OWN_INDEX = ['--index', 'index']

/** The installed program on one agent's home, one process for each call. Every method rejects with BackendError, or with the reason of its signal. */
export class QmdProgram {
  readonly #options: QmdProgramOptions
  #knowsIndexOption = true
  /** Modes this version rejected, and for which `query` worked. */
  readonly #refusedModes = new Set<SearchMode>()

  constructor(options: QmdProgramOptions) {
    this.#options = options
  }

  /** Results of a search, best first. An answer counts however the program ends afterwards. */
  async search(call: SearchCall): Promise<readonly RawResult[]> {
    const until = Date.now() + (call.timeoutMs ?? this.#options.timeouts.searchMs)
    if (this.#refusedModes.has(call.mode)) return this.#searchAs('query', call, until)
    try {
      return await this.#searchAs(call.mode, call, until)
    } catch (error) {
      if (!(error instanceof RefusedCall)) throw error
      if (call.mode === 'query') throw error.failure
      const results = await this.#searchAs('query', call, until)
      // Remembered only after an answer: the program may be updated while we run.
      this.#refusedModes.add(call.mode)
      return results
    }
  }

  async #searchAs(what: SearchMode, call: SearchCall, until: number): Promise<readonly RawResult[]> {
    const { text, mode, limit, signal, timeoutMs = this.#options.timeouts.searchMs } = call
    const args = [what, '--json', '-n', String(limit), '--', queryText(text, what)]
    const ending = await this.#run({ what, args, timeoutMs: Math.max(1, until - Date.now()), signal })
    const hasEndedWell = ending.ended === 'exited' && ending.code === 0
    const results = parseResults(ending.output)
    if (results !== null && (results.length > 0 || hasEndedWell)) return results
    this.#refusedModes.delete(mode)
    const failure = hasEndedWell
      ? new BackendError('bad-output', `\`qmd ${what}\` printed nothing that can be read as results.`)
      : programFailure(what, ending, timeoutMs)
    throw isRefusal(ending) && what === mode ? new RefusedCall(failure) : failure
  }

  async update(signal?: AbortSignal): Promise<UpdateCounts | null> {
    return parseUpdate(
      await this.#output({ what: 'update', args: ['update'], timeoutMs: this.#options.timeouts.updateMs, signal }),
    )
  }

  async embed(options: { readonly isForced?: boolean; readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const args = options.isForced === true ? ['embed', '-f'] : ['embed']
    await this.#output({ what: 'embed', args, timeoutMs: this.#options.timeouts.embedMs, signal: options.signal })
  }

  async status(signal?: AbortSignal): Promise<ProgramStatus> {
    return parseStatus(await this.#command('status', ['status'], signal))
  }

  /** Null where the program reports none. */
  async version(signal?: AbortSignal): Promise<string | null> {
    return parseVersion(await this.#command('--version', ['--version'], signal))
  }

  async collections(signal?: AbortSignal): Promise<readonly ListedCollection[]> {
    return parseCollections(await this.#command('collection list', ['collection', 'list'], signal))
  }

  /** The folder of a collection; null where this version does not report it. */
  async collectionFolder(name: string, signal?: AbortSignal): Promise<string | null> {
    const { commandMs: timeoutMs } = this.#options.timeouts
    const ending = await this.#run({ what: 'collection show', args: ['collection', 'show', '--', name], timeoutMs, signal })
    return ending.ended === 'exited' && ending.code === 0 ? parseCollectionFolder(ending.output) : null
  }

  /** Registers a folder and indexes it. */
  async addCollection(
    collection: { readonly name: string; readonly folder: string; readonly pattern: string },
    signal?: AbortSignal,
  ): Promise<UpdateCounts | null> {
    const { name, folder, pattern } = collection
    const args = ['collection', 'add', '--name', name, '--mask', pattern, '--', folder]
    const timeoutMs = this.#options.timeouts.updateMs
    return parseUpdate(await this.#output({ what: 'collection add', args, timeoutMs, signal }))
  }

  async removeCollection(name: string, signal?: AbortSignal): Promise<void> {
    await this.#command('collection remove', ['collection', 'remove', '--', name], signal)
  }

  async renameCollection(from: string, to: string, signal?: AbortSignal): Promise<void> {
    await this.#command('collection rename', ['collection', 'rename', '--', from, to], signal)
  }

  #command(what: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
    return this.#output({ what, args, timeoutMs: this.#options.timeouts.commandMs, signal })
  }

  async #output(call: Call): Promise<string> {
    const ending = await this.#run(call)
    if (ending.ended === 'exited' && ending.code === 0) return ending.output
    throw programFailure(call.what, ending, call.timeoutMs)
  }

  async #run(call: Call): Promise<ProgramEnding> {
    const ending = await this.#runOnce(this.#knowsIndexOption ? [...OWN_INDEX, ...call.args] : call.args, call)
    if (!this.#knowsIndexOption || !isRefusal(ending) || !/\bindex\b/.test(ending.errorOutput + ending.output)) return ending
    this.#knowsIndexOption = false
    return this.#runOnce(call.args, call)
  }

  #runOnce(args: readonly string[], { timeoutMs, signal }: Call): Promise<ProgramEnding> {
    const { home, environment } = this.#options
    const command = this.#resolved()
    return runProgram({
      program: command.program,
      args: [...command.args, ...args],
      environment: childEnvironment(home, environment),
      // A read-only call creates no folder.
      folder: existsSync(home.root) ? home.root : tmpdir(),
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    })
  }

  /** Resolved each time: it may be installed, or moved, while we run. */
  #resolved(): ResolvedCommand {
    const { command, environment } = this.#options
    const resolution = resolveCommand(command, ownPlace(environment))
    if (resolution.isFound) return resolution.command
    const next = 'Install it with `npm install -g @tobilu/qmd`, or name it in memory.qmd.command.'
    throw new BackendError('missing-program', `The qmd program was not found: ${resolution.reason}. ${next}`)
  }
}

/** Thrown where a version rejected a mode or an option; never leaves this file. */
class RefusedCall extends Error {
  readonly failure: BackendError

  constructor(failure: BackendError) {
    super(failure.message)
    this.failure = failure
  }
}

/** Longer than anything typed; a system limits an argument to some 128 kB. */
const MAX_QUERY_CHARACTERS = 4_000

/** The query on one line, and for `query` without the prefixes of that command's own syntax. */
function queryText(text: string, mode: SearchMode): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const line = plain.length <= MAX_QUERY_CHARACTERS ? plain : plain.slice(0, MAX_QUERY_CHARACTERS).toWellFormed()
  return mode === 'query' ? line.replace(/^(lex|vec|hyde|intent|expand)\s*:\s*/i, '$1 ') : line
}
