import { StoreError } from '@mnemark/spec'

/** The Node-API version of better-sqlite3; Node has it from 22.14 on, and from 23.6 on. */
const NODE_API = 10

/**
 * Throws StoreError `engine-missing` on a Node too old for better-sqlite3. Call it before the native part is loaded,
 * which would end the process with a segmentation fault instead of an error.
 */
export function checkNode(versions: { readonly node: string; readonly napi?: string | undefined } = process.versions): void {
  // Other runtimes may not report a version; then loading decides.
  if (versions.napi === undefined || Number(versions.napi) >= NODE_API) return
  throw new StoreError(
    'engine-missing',
    `The SQLite engine needs Node-API ${NODE_API}, this is Node ${versions.node} with ${versions.napi}. Use Node 22.14 or newer (of 23, 23.6).`,
  )
}
