import type { Mark } from '@mnemark/spec'

const ARCHIVE_FOLDERS: ReadonlySet<string> = new Set(['archive', 'archives', 'archived', 'backup', 'backups'])
const SUPERSEDED: ReadonlySet<string> = new Set(['superseded', 'obsolete'])

/** The path with forward slashes, whatever system wrote it. */
export function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** `_archive`, `08-Backups`, `backup-2026-02` count: signs and numbers around the word are ignored. */
function isArchiveFolder(folder: string): boolean {
  return ARCHIVE_FOLDERS.has(folder.replace(/^[^\p{L}]+|(?<![^\p{L}])[^\p{L}]+$/gu, '').toLowerCase())
}

/** Marks that lower the trust in a note, from its folder and its `status`. */
export function marksOf(path: string, status: string | undefined): readonly Mark[] {
  const marks: Mark[] = []
  const word = status?.trim().toLowerCase()
  if (slashed(path).split('/').slice(0, -1).some(isArchiveFolder) || word === 'archived') marks.push('archived')
  if (word !== undefined && SUPERSEDED.has(word)) marks.push('superseded')
  if (/^memory\/dreaming\//i.test(slashed(path))) marks.push('derived')
  return marks
}

/** `MEMORY.md` at the root and everything under `bank/`: edited by hand, one fact per entry. */
export function isCuratedPath(path: string): boolean {
  return /^(?:memory\.md$|bank\/)/i.test(slashed(path))
}

/** Notes that are valid as long as they exist, whatever dates are in them. */
export function isTimelessPath(path: string): boolean {
  return isCuratedPath(path) || /^(?:soul|user)\.md$/i.test(slashed(path))
}
