import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallOptions, DocumentId, DocumentSource, DocumentStat, SkippedDocument } from '@mnemark/spec'

/** Why a forgotten note is not in the index, as `status` shows it. */
const REASON = 'forgotten'

/** Suffix of the list that an earlier version kept beside the index. */
const BESIDE_INDEX = '.forgotten.json'

export function isForgottenList(name: string): boolean {
  return name.endsWith(BESIDE_INDEX)
}

/** Notes kept out of one agent's index although their files exist: a small file in the state folder of the workspace. */
export class ForgottenNotes {
  readonly #state: () => string | null
  readonly #agentId: string
  readonly #old: string | null

  /**
   * `state` is called each time: another process may create the folder meanwhile; while it is null nothing can be added.
   * `indexFile`: a list that an earlier version left beside it counts as well.
   */
  constructor(state: () => string | null, agentId: string, indexFile: string | null = null) {
    this.#state = state
    this.#agentId = agentId
    this.#old = indexFile === null ? null : `${indexFile}${BESIDE_INDEX}`
  }

  read(): ReadonlySet<string> {
    return new Set([this.#file, this.#old].flatMap((file) => (file === null ? [] : readList(file))))
  }

  get #file(): string | null {
    const state = this.#state()
    return state === null ? null : join(state, `${this.#agentId}${BESIDE_INDEX}`)
  }

  /** Adds the entries of another list to this one, and removes the other. */
  takeOver(other: string): void {
    this.#write(new Set([...this.read(), ...readList(other)]))
    rmSync(other, { force: true })
  }

  add(path: string): void {
    this.#write(new Set([...this.read(), path]))
  }

  /** Returns true if it was there. */
  remove(path: string): boolean {
    if (this.#old !== null) this.takeOver(this.#old)
    const paths = new Set(this.read())
    const wasThere = paths.delete(path)
    if (wasThere) this.#write(paths)
    return wasThere
  }

  /** Written in one step, so that a reader sees the list before or after. */
  #write(paths: ReadonlySet<string>): void {
    const file = this.#file
    if (file === null) throw new Error('There is no folder for the list of forgotten notes.')
    if (paths.size === 0) return rmSync(file, { force: true })
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, `${JSON.stringify([...paths].sort(), null, 2)}\n`, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, file)
  }
}

function readList(file: string): readonly string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(paths) ? paths.map(String) : []
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    // Treated as empty, it would bring back notes that somebody asked to forget.
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be read: ${reason}. Repair or remove it.`, { cause: error })
  }
}

/** The source without forgotten notes: they are listed as skipped, so that a sync removes them from the index. */
export function withoutForgotten(source: DocumentSource, forgotten: ForgottenNotes): DocumentSource {
  const { stat } = source
  return {
    ...source,
    list: (options?: CallOptions) => skipForgotten(source.list(options), forgotten.read()),
    ...(stat && {
      stat: (ids: readonly DocumentId[], options?: CallOptions) => skipForgotten(stat(ids, options), forgotten.read()),
    }),
  }
}

async function* skipForgotten(
  items: AsyncIterable<DocumentStat | SkippedDocument>,
  paths: ReadonlySet<string>,
): AsyncGenerator<DocumentStat | SkippedDocument> {
  for await (const item of items) {
    if (!paths.has(item.path) || 'skipped' in item) yield item
    else yield { source: item.source, path: item.path, ...(item.part !== undefined && { part: item.part }), skipped: REASON }
  }
}
