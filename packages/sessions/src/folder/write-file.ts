import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { WorkspaceError } from '@mnemark/spec'
import { systemCode, systemReason } from '@mnemark/workspace'
import type { IoCount } from '../transcript/read-lines.ts'

export interface WriteOptions {
  readonly io: IoCount
  /** Waits until the content is on the disk before it takes the name. */
  readonly syncs: boolean
}

/**
 * Gives a file of the folder new content in one step, readable by its owner alone.
 * @throws WorkspaceError `unreadable` where the system refuses; the old content stays
 */
export function writeWhole(path: string, name: string, content: string, { io, syncs }: WriteOptions): void {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(descriptor, content)
      if (syncs) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, path)
    io.written += Buffer.byteLength(content)
  } catch (error) {
    rmSync(temporary, { force: true })
    if (systemCode(error) === '') throw error
    throw new WorkspaceError('unreadable', `${name} cannot be written: ${systemReason(error)}.`, { cause: error })
  }
}
