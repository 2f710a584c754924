import type { DocumentStat } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import { findSecrets } from '@mnemark/masking'
import { isolate, printableName } from '../terminal/isolate.ts'
import type { Check } from './check.ts'

const SHOWN = 10

/** Lists notes that hold passwords or keys, with their number and never a character of them. No finding if there are none. */
export async function checkSecrets(notes: Workspace): Promise<readonly Check[]> {
  const found: { readonly path: string; readonly count: number }[] = []
  try {
    for await (const item of notes.source.list()) {
      if ('skipped' in item) continue
      const count = await secretsIn(notes, item)
      if (count > 0) found.push({ path: item.path, count })
    }
  } catch {
    // The check of the notes reports parts that cannot be listed.
  }
  if (found.length === 0) return []
  found.sort((left, right) => right.count - left.count || (left.path < right.path ? -1 : 1))
  const shown = found.slice(0, SHOWN).map(({ path, count }) => `${isolate(printableName(path))} (${count})`)
  const more = found.length > SHOWN ? `, and ${found.length - SHOWN} more` : ''
  return [
    {
      name: 'secrets',
      status: 'warning',
      message: `what looks like passwords or keys in ${found.length} ${found.length === 1 ? 'note' : 'notes'}: ${shown.join(', ')}${more}`,
      next: 'Keep them elsewhere. Servers hide them in what they answer; the files, the index and search without --mask show them.',
    },
  ]
}

async function secretsIn({ source }: Workspace, item: DocumentStat): Promise<number> {
  try {
    return (await findSecrets((await source.read(item)).text)).length
  } catch {
    // `status` reports an unreadable note.
    return 0
  }
}
