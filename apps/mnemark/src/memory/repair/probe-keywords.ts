import { checkKeywords } from '@mnemark/core/doctor'
import type { MemoryStore } from '@mnemark/spec'

export interface KeywordProbe {
  readonly problems: readonly string[]
  /** How many searches were compared with an exhaustive count. */
  readonly searches: number
}

/** Finds damage in the keyword index. The store cannot: its contents are opaque to it. */
export async function probeKeywords(store: MemoryStore): Promise<KeywordProbe> {
  const snapshot = await store.snapshot()
  try {
    return await checkKeywords(snapshot)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { problems: [`the keyword index cannot be read: ${words}`], searches: 0 }
  } finally {
    snapshot.release()
  }
}
