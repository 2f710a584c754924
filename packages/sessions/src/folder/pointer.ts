import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@mnemark/spec'
import { isMissing } from '@mnemark/workspace'
import type { IoCount } from '../transcript/read-lines.ts'
import { writeWhole } from './write-file.ts'

/** Below the folder of sessions: one small file a key, and its lock. */
export const KEYS_FOLDER = '.keys'

/** Which transcript of a key is active, and what was set for it. */
export interface Pointer {
  readonly key: string
  readonly id: string
  /** Kept by every clean-up. */
  readonly isPinned?: boolean
}

/** A name for a key that every file system takes. */
export function hashOfKey(key: string): string {
  return sha256(key).slice(0, 32)
}

/** Null where there is none or it is damaged: the transcripts tell the same. */
export function readPointer(folder: string, key: string, io: IoCount): Pointer | null {
  try {
    const text = readFileSync(join(folder, KEYS_FOLDER, `${hashOfKey(key)}.json`), 'utf8')
    io.read += text.length
    const value: unknown = JSON.parse(text)
    return isPointer(value) && value.key === key ? value : null
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
}

function isPointer(value: unknown): value is Pointer {
  return typeof value === 'object' && value !== null && 'key' in value && 'id' in value && typeof value.id === 'string'
}

export function writePointer(folder: string, pointer: Pointer, io: IoCount): void {
  const path = join(folder, KEYS_FOLDER, `${hashOfKey(pointer.key)}.json`)
  writeWhole(path, 'The pointer to a session', `${JSON.stringify(pointer)}\n`, { io, syncs: true })
}

export function removePointer(folder: string, key: string): void {
  rmSync(join(folder, KEYS_FOLDER, `${hashOfKey(key)}.json`), { force: true })
}
