import type { Settings } from '../config/load-settings.ts'
import { readJournal } from '../operations/facts/journal-files.ts'
import type { Check } from './check.ts'

const WHY = {
  version: 'is of a newer version',
  conflict: 'is a mark of a conflict that nobody settled',
  unreadable: 'cannot be read',
} as const
const NAMED = 5

/** Lines of the bank's journal that are not read; nothing where all are. */
export async function checkJournal(settings: Settings): Promise<readonly Check[]> {
  const { problems } = await readJournal(settings)
  if (problems.length === 0) return []
  const named = problems.slice(0, NAMED).map(({ path, line, code }) => `${path}:${line} ${WHY[code]}`)
  const more = problems.length > NAMED ? [`and ${problems.length - NAMED} more`] : []
  const next = 'Delete such lines, or leave them: all others count.'
  return [{ name: 'notes', status: 'warning', message: [...named, ...more].join('; '), next }]
}
