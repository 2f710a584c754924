import type { VectorEngine } from './engine.ts'

/** Each is loaded only where it is measured. */
export const ENGINES = {
  mnemark: async () => (await import('./mnemark-engine.ts')).mnemarkEngine(),
  'mnemark, 1-bit codes alone': async () => (await import('./mnemark-engine.ts')).mnemarkEngine({ scanMemoryBytes: 0 }),
  'sqlite-vec': async () => (await import('./sqlite-vec-engine.ts')).sqliteVecEngine,
  lancedb: async () => (await import('./lancedb-engine.ts')).lancedbEngine,
} as const satisfies Readonly<Record<string, () => Promise<VectorEngine>>>

export type EngineName = keyof typeof ENGINES
// Object.keys widens the keys of a constant table to string.
export const ENGINE_NAMES = Object.keys(ENGINES) as readonly EngineName[]

/** The engine whose index another one reads, where it does not make its own. */
export function indexOf(engine: EngineName): EngineName {
  return engine === 'mnemark, 1-bit codes alone' ? 'mnemark' : engine
}

/** Those that can be loaded here: peers come as prebuilt programs, not for every system. */
export async function findEngines(names: readonly EngineName[]): Promise<{
  readonly present: readonly EngineName[]
  readonly missing: readonly EngineName[]
}> {
  const loaded = await Promise.allSettled(names.map((name) => ENGINES[name]()))
  const isPresent = (_: EngineName, index: number): boolean => loaded[index]?.status === 'fulfilled'
  return { present: names.filter(isPresent), missing: names.filter((name, index) => !isPresent(name, index)) }
}
