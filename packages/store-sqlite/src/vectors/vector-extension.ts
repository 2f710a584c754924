import { StoreError } from '@mnemark/spec'

/** sqlite-vec, for people who query the index with SQL. Nothing else uses it, so nothing is lost without it. */
export interface VectorExtensionOptions {
  /** False: never loaded. Default true: loaded with the first `query`, if installed. */
  readonly isEnabled?: boolean
  /** The loadable file. Default: that of the npm package `sqlite-vec`, if it is installed. */
  readonly path?: string
}

/** The view `embeddings` for queries. Not stored in the file, where a view would block changes to its tables. */
export const EMBEDDINGS: string = `SELECT s.fingerprint AS space, d.source, d.path, c.start_line, c.end_line, c.id AS chunk, i.hash AS input,
    substr(v.bytes, 5, s.dimensions) AS int8
  FROM vectors v JOIN spaces s ON s.id = v.space JOIN inputs i ON i.id = v.input JOIN chunk_inputs r ON r.input = v.input
    JOIN chunks c ON c.id = r.chunk JOIN documents d ON d.id = c.document
  WHERE v.slot IS NOT NULL`

/** The file that queries load; null where it is switched off or the package is not installed. */
export async function findExtension({ isEnabled = true, path }: VectorExtensionOptions): Promise<string | null> {
  if (!isEnabled) return null
  if (path !== undefined) return path
  try {
    const { getLoadablePath } = await import('sqlite-vec')
    return getLoadablePath()
  } catch {
    // Not installed, or not for this system.
    return null
  }
}

export function extensionUnusable(path: string, cause: unknown): StoreError {
  const text = `The SQLite extension ${path} cannot be loaded. Name the file of sqlite-vec for this system, or leave the path out.`
  return new StoreError('engine-missing', text, { cause })
}

/** Maps the error of a caller's statement. */
export function queryError(error: unknown, extension: string | null): unknown {
  // The driver's error for two statements, and for values that do not match their places.
  if (error instanceof RangeError) return new TypeError(`The query cannot be run: ${error.message}`, { cause: error })
  if (!(error instanceof Error && error.name === 'SqliteError')) return error
  if (extension === null && error.message.startsWith('no such function: vec_')) {
    const text = `${error.message}: sqlite-vec is not there. Install the npm package sqlite-vec, or name its loadable file.`
    return new StoreError('engine-missing', text, { cause: error })
  }
  const isOfTheStatement = 'code' in error && (error.code === 'SQLITE_ERROR' || error.code === 'SQLITE_RANGE')
  return isOfTheStatement ? new TypeError(`The query cannot be run: ${error.message}.`, { cause: error }) : error
}
