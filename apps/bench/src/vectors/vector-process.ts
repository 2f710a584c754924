/** One step in this process: `node vector-process.ts JSON`. Its result is one line of JSON on stdout. */
import { readFileSync, writeFileSync } from 'node:fs'
import * as valibot from 'valibot'
import { ENGINE_NAMES } from './engines.ts'
import { exactNearest } from './exact-nearest.ts'
import { vectorSetSchema } from './vector-set.ts'
import { fill, RECALL_AT, search } from './vector-steps.ts'

const requestSchema = valibot.variant('step', [
  valibot.object({ step: valibot.literal('truth'), set: vectorSetSchema, truthFile: valibot.string() }),
  valibot.object({
    step: valibot.picklist(['fill', 'search']),
    engine: valibot.picklist(ENGINE_NAMES),
    folder: valibot.string(),
    set: vectorSetSchema,
    truthFile: valibot.string(),
  }),
])
export type VectorRequest = valibot.InferOutput<typeof requestSchema>

const truthSchema = valibot.array(valibot.array(valibot.number()))

async function runStep(request: VectorRequest): Promise<unknown> {
  if (request.step === 'truth') {
    const truth = exactNearest(request.set, RECALL_AT)
    writeFileSync(request.truthFile, JSON.stringify(truth))
    return { queries: truth.length }
  }
  if (request.step === 'fill') return fill(request.engine, request.folder, request.set)
  const truth = valibot.parse(truthSchema, JSON.parse(readFileSync(request.truthFile, 'utf8')))
  return search(request.engine, request.folder, { set: request.set, truth })
}

if (import.meta.main) {
  const request = valibot.parse(requestSchema, JSON.parse(process.argv[2] ?? ''))
  console.log(JSON.stringify(await runStep(request)))
}
