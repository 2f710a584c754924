import { createMemory } from '@mnemark/core'
import type { MemoryBackend, MemoryStore } from '@mnemark/spec'

const PROBED_DOCUMENTS = 10
const PROBED_CHARACTERS = 200
/** Fewer may all be notes without an indexed word. */
const LEAST_PROBES = 3

/**
 * What is wrong with the keyword index. The store keeps it without knowing what is in it, so documents are looked for by their own
 * words: none may fail, and not all may be missed.
 */
export async function probeKeywords(store: MemoryStore): Promise<readonly string[]> {
  const texts = await sampleTexts(store)
  // Without sources nothing is listed or written: the index is searched as it is.
  const memory = await createMemory({ store, sources: [], reader: { read: () => Promise.reject(new Error('not read')) } })
  let found = 0
  for (const text of texts) {
    try {
      if (await isFound(memory, text)) found += 1
    } catch (error) {
      return [`the keyword index cannot be read: ${error instanceof Error ? error.message : String(error)}`]
    }
  }
  return found === 0 && texts.length >= LEAST_PROBES ? ['notes are not found by their own words'] : []
}

async function sampleTexts(store: MemoryStore): Promise<readonly string[]> {
  const texts: string[] = []
  const snapshot = await store.snapshot()
  try {
    for await (const document of snapshot.documents()) {
      const [chunk] = await snapshot.chunksOf(document)
      const text = chunk?.text.slice(0, PROBED_CHARACTERS) ?? ''
      if (/\p{L}/u.test(text)) texts.push(text)
      if (texts.length === PROBED_DOCUMENTS) break
    }
  } finally {
    snapshot.release()
  }
  return texts
}

async function isFound(memory: MemoryBackend, text: string): Promise<boolean> {
  const { hits } = await memory.search({ text, limit: 1, caller: { agentId: 'doctor' } })
  return hits.length > 0
}
