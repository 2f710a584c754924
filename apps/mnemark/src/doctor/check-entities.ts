import { StoreError } from '@mnemark/spec'
import { openStore } from '../memory/open/open-memory.ts'
import { printableName } from '../terminal/isolate.ts'
import type { Check } from './check.ts'

const SHOWN = 5

/** Pages of `bank/entities/` that claim one name, and stubs that lead nowhere, by the index in this file. Nothing to say where there are none. */
export async function checkEntities(file: string): Promise<readonly Check[]> {
  const { entityProblems, FactRegistry } = await import('@mnemark/bank')
  const store = await openStore(file)
  try {
    const snapshot = await store.snapshot()
    try {
      const problems = entityProblems(await new FactRegistry().read(snapshot))
      const twice = problems.filter(({ code }) => code === 'two-pages')
      const lost = problems.filter(({ code }) => code === 'lost-redirect')
      return [
        ...warning(
          twice.map(
            ({ path, first = '' }) => `${printableName(path)} and ${printableName(first)} have one name, and the latter counts`,
          ),
          'Take the name out of one of them, or let it lead to the other: redirect: NAME in its front matter.',
        ),
        ...warning(
          lost.map(({ path }) => `${printableName(path)} leads to a name that has no page`),
          'Correct its redirect:, or take it out.',
        ),
      ]
    } finally {
      snapshot.release()
    }
  } catch (error) {
    // The check of the index has reported it.
    if (StoreError.isInstance(error)) return []
    throw error
  } finally {
    await store.close()
  }
}

function warning(found: readonly string[], next: string): readonly Check[] {
  if (found.length === 0) return []
  const more = found.length > SHOWN ? `; ${found.length - SHOWN} more` : ''
  return [{ name: 'entities', status: 'warning', message: `${found.slice(0, SHOWN).join('; ')}${more}`, next }]
}
