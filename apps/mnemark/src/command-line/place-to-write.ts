import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { isolate, printableName } from '../terminal/isolate.ts'

/** Refuses a file that cannot be created, before work is done for it. Throws CommandError. */
export function requirePlaceToWrite(file: string): void {
  const folder = dirname(file)
  if (isFolder(file)) throw cannot(file, 'it is a folder', 'Name a file in it.')
  if (!isFolder(folder))
    throw cannot(file, `${shown(folder)} is not a folder`, 'Make the folder first, or name a file elsewhere.')
}

/** Explains the system's error from writing a file. */
export function cannotWrite(file: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [reason = 'the system refuses it', next = 'Name a file elsewhere.'] = REASONS[code] ?? []
  return new CommandError('cannot-write', `cannot write ${shown(file)}: ${reason}`, { exitCode: EXIT.unavailable, next })
}

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['this user may not write there', 'Check the permissions of the folder, or name a file elsewhere.'],
  EPERM: ['this user may not write there', 'Check the permissions of the folder, or name a file elsewhere.'],
  EROFS: ['the place is read-only', 'Name a file elsewhere.'],
  ENOSPC: ['the disk is full', 'Free some space, or name a file on another disk.'],
  ENOENT: ['no file can be made there', 'Name a file elsewhere.'],
}

function cannot(file: string, reason: string, next: string): CommandError {
  return new CommandError('cannot-write', `cannot write ${shown(file)}: ${reason}`, { exitCode: EXIT.unavailable, next })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function shown(path: string): string {
  return isolate(printableName(path))
}
