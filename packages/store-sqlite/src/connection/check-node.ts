import { StoreError } from '@mnemark/spec'

/** What better-sqlite3 is built for; Node has it from 22.14 on, and from 23.6 on. */
const NODE_API = 10

/**
 * Throws StoreError `engine-missing` on a Node too old for better-sqlite3. To be called before its native part is loaded: that ends the
 * whole process with a segmentation fault there, instead of an error.
 */
export function checkNode(versions: { readonly node: string; readonly napi?: string | undefined } = process.versions): void {
  // A runtime that is not Node may not say; then loading decides.
  if (versions.napi === undefined || Number(versions.napi) >= NODE_API) return
  throw new StoreError(
    'engine-missing',
    `The SQLite engine needs Node-API ${NODE_API}, this is Node ${versions.node} with ${versions.napi}. Use Node 22.14 or newer (of 23, 23.6).`,
  )
}
