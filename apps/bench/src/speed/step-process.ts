/** One step in this process: `node step-process.ts NAME JSON`. Its result is one line of JSON on stdout. */
import * as valibot from 'valibot'
import { editNotes, indexAll, measureSize, searchWarm, syncUnchanged } from './steps.ts'
import { SCRIPTS } from './notes/word-model.ts'

const requestSchema = valibot.object({
  step: valibot.picklist(['index', 'size', 'search', 'sync', 'edit']),
  count: valibot.number(),
  setup: valibot.object({
    folder: valibot.string(),
    script: valibot.picklist(SCRIPTS),
    seed: valibot.number(),
    noteCount: valibot.number(),
    isVirtual: valibot.boolean(),
  }),
})
export type StepRequest = valibot.InferOutput<typeof requestSchema>

function runStep({ step, count, setup }: StepRequest): Promise<unknown> {
  switch (step) {
    case 'index':
      return indexAll(setup)
    case 'size':
      return measureSize(setup)
    case 'search':
      return searchWarm(setup, count)
    case 'sync':
      return syncUnchanged(setup, count)
    case 'edit':
      return editNotes(setup, count)
  }
}

if (import.meta.main) {
  const request = valibot.parse(requestSchema, JSON.parse(process.argv[2] ?? ''))
  console.log(JSON.stringify(await runStep(request)))
}
