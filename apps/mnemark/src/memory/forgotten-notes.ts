import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CallOptions, DocumentId, DocumentSource, DocumentStat, SkippedDocument } from '@mnemark/spec'

/** Why a forgotten note is not in the index, as `status` shows it. */
const REASON = 'forgotten'

/** Notes that stay out of one index although their files are there: a small file beside it, which outlives it. */
export class ForgottenNotes {
  readonly file: string

  constructor(indexFile: string) {
    this.file = `${indexFile}.forgotten.json`
  }

  read(): ReadonlySet<string> {
    try {
      const paths: unknown = JSON.parse(readFileSync(this.file, 'utf8'))
      return new Set(Array.isArray(paths) ? paths.map(String) : [])
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set()
      // Taken for empty, it would bring back what somebody asked to forget.
      throw new Error(
        `${this.file} cannot be read: ${error instanceof Error ? error.message : String(error)}. Repair or remove it.`,
        {
          cause: error,
        },
      )
    }
  }

  add(path: string): void {
    this.#write(new Set([...this.read(), path]))
  }

  /** Returns whether it was there. */
  remove(path: string): boolean {
    const paths = new Set(this.read())
    const wasThere = paths.delete(path)
    if (wasThere) this.#write(paths)
    return wasThere
  }

  /** In one step, so that a reader sees the list before or after. */
  #write(paths: ReadonlySet<string>): void {
    if (paths.size === 0) return rmSync(this.file, { force: true })
    mkdirSync(dirname(this.file), { recursive: true })
    const temporary = `${this.file}.${process.pid}`
    writeFileSync(temporary, `${JSON.stringify([...paths].sort(), null, 2)}\n`, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, this.file)
  }
}

/** The source without what is forgotten: it is listed as skipped, so that a sync takes it out of the index. */
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

/** The source without what one of these indexes was asked to forget, whether or not the index itself is still there. */
export function notForgotten(source: DocumentSource, indexFiles: readonly string[]): DocumentSource {
  return indexFiles.reduce((rest, file) => withoutForgotten(rest, new ForgottenNotes(file)), source)
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
