import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as valibot from 'valibot'
import { runNode } from '../speed/run-process.ts'
import { yardstickMs } from '../speed/yardstick.ts'
import { type EngineName, indexOf } from './engines.ts'
import type { VectorRequest } from './vector-process.ts'
import type { VectorSet } from './vector-set.ts'

const fillSchema = valibot.object({ bytes: valibot.number(), wallMs: valibot.number(), cpuMs: valibot.number() })
const searchSchema = valibot.object({
  first: valibot.object({ wallMs: valibot.number(), cpuMs: valibot.number() }),
  wallMs: valibot.array(valibot.number()),
  cpuMs: valibot.array(valibot.number()),
  recall: valibot.number(),
})

export interface EngineFigures {
  readonly engine: EngineName
  readonly fill: valibot.InferOutput<typeof fillSchema>
  readonly search: valibot.InferOutput<typeof searchSchema>
  readonly peakRssBytes: number
}

export interface VectorPoint {
  readonly set: VectorSet
  readonly engines: readonly EngineFigures[]
  /** CPU of a fixed loop before and after: how steady the machine was. */
  readonly yardstickMs: readonly [before: number, after: number]
}

const STEP_TIMEOUT_MS = 3_600_000
const PROGRAM = join(import.meta.dirname, 'vector-process.ts')

/** Every engine over one set of vectors, each step in a process of its own. */
export async function measureVectors(
  set: VectorSet,
  engines: readonly EngineName[],
  tell: (step: string) => void,
): Promise<VectorPoint> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-vectors-'))
  const truthFile = join(folder, 'truth.json')
  try {
    const before = yardstickMs()
    tell('comparing every vector')
    await runStep({ step: 'truth', set, truthFile })
    const filled = new Map<EngineName, EngineFigures['fill']>()
    const figures: EngineFigures[] = []
    for (const engine of engines) {
      const owner = indexOf(engine)
      const home = { folder: join(folder, owner), set, truthFile }
      const known = filled.get(owner)
      if (!known) {
        tell(`${owner}: filling`)
        mkdirSync(home.folder)
      }
      const fill = known ?? valibot.parse(fillSchema, (await runStep({ step: 'fill', engine: owner, ...home })).result)
      filled.set(owner, fill)
      tell(`${engine}: searching`)
      const { result, peakRssBytes } = await runStep({ step: 'search', engine, ...home })
      figures.push({ engine, fill, search: valibot.parse(searchSchema, result), peakRssBytes })
    }
    return { set, engines: figures, yardstickMs: [before, yardstickMs()] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runStep(request: VectorRequest): Promise<{ readonly result: unknown; readonly peakRssBytes: number }> {
  const args = ['--conditions=mnemark-source', '--no-warnings', PROGRAM, JSON.stringify(request)]
  const { exitCode, stdout, stderr, peakRssBytes } = await runNode(args, { timeoutMs: STEP_TIMEOUT_MS })
  if (exitCode !== 0) throw new Error(`The step ${request.step} ended with ${exitCode}: ${stderr.slice(-2_000)}`)
  return { result: JSON.parse(stdout), peakRssBytes }
}
