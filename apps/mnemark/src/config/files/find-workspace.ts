import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder from `start` upwards that holds MEMORY.md or a memory folder, else null. */
export function findWorkspace(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isFile(join(folder, 'MEMORY.md')) || isFolder(join(folder, 'memory'))) return folder
    if (dirname(folder) === folder) return null
  }
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
