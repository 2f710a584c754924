import { cpuMs } from '../speed/measure-cpu.ts'
import { ENGINES, type EngineName } from './engines.ts'
import { recall } from './exact-nearest.ts'
import { queryVectors, type VectorSet } from './vector-set.ts'

/** Nearest asked for: the pool from which the pipeline picks ten. */
export const LIMIT = 40
/** How many of them recall looks at. */
export const RECALL_AT = 10

export interface FillFigures {
  readonly bytes: number
  readonly wallMs: number
  readonly cpuMs: number
}

export async function fill(engine: EngineName, folder: string, set: VectorSet): Promise<FillFigures> {
  const [wall, cpu] = [performance.now(), cpuMs()]
  const bytes = await (await ENGINES[engine]()).fill(folder, set)
  return { bytes, wallMs: performance.now() - wall, cpuMs: cpuMs() - cpu }
}

export interface SearchFigures {
  /** From before the engine is loaded to the first answer. */
  readonly first: { readonly wallMs: number; readonly cpuMs: number }
  readonly wallMs: readonly number[]
  readonly cpuMs: readonly number[]
  readonly recall: number
}

/** `truth` holds the numbers of each query's true nearest, `RECALL_AT` of them. */
export async function search(
  engine: EngineName,
  folder: string,
  { set, truth }: { readonly set: VectorSet; readonly truth: readonly (readonly number[])[] },
): Promise<SearchFigures> {
  const queries = queryVectors(set)
  const [firstWall, firstCpu] = [performance.now(), cpuMs()]
  const open = await (await ENGINES[engine]()).open(folder, set)
  await open.nearest(queries[0] ?? new Float32Array(set.dimensions), LIMIT)
  const first = { wallMs: performance.now() - firstWall, cpuMs: cpuMs() - firstCpu }
  for (const query of queries.slice(0, 5)) await open.nearest(query, LIMIT)
  await open.settle?.()
  for (const query of queries.slice(0, 10)) await open.nearest(query, LIMIT)
  const [wallTimes, cpuTimes, recalls]: [number[], number[], number[]] = [[], [], []]
  for (const [index, query] of queries.entries()) {
    const [wall, cpu] = [performance.now(), cpuMs()]
    const found = await open.nearest(query, LIMIT)
    wallTimes.push(performance.now() - wall)
    cpuTimes.push(cpuMs() - cpu)
    recalls.push(recall(found.slice(0, RECALL_AT), truth[index] ?? []))
  }
  await open.close()
  return {
    first,
    wallMs: wallTimes,
    cpuMs: cpuTimes,
    recall: recalls.reduce((sum, value) => sum + value, 0) / Math.max(1, recalls.length),
  }
}
