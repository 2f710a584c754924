/** How well the product finds: `pnpm bench:quality`. */
import { evaluationSets } from './quality/tasks/evaluation-sets.ts'
import { findData } from './quality/tasks/find-data.ts'
import { type Options, readOptions, type SetOptions, USAGE } from './quality/read-options.ts'
import type { EvaluationSet } from './quality/tasks/task.ts'
import { BadUse, runCommand } from './report/bad-use.ts'

/** The model of `--hybrid` knows English only. */
const LANGUAGE_OF_HYBRID = 'en'

function chosenSets(folder: string, { kind, split, set }: SetOptions & Pick<Options, 'kind'>): readonly EvaluationSet[] {
  const sets = evaluationSets(folder, split).filter(
    ({ name, language }) => name.includes(set) && (kind !== 'hybrid' || language === LANGUAGE_OF_HYBRID),
  )
  if (sets.length > 0) return sets
  const which = kind === 'hybrid' ? 'No English set' : 'No set'
  throw new BadUse(`${which} of the ${split} split in ${folder} has "${set}" in its name.`)
}

/** Each kind is loaded only where it is asked for. */
async function measure(folder: string, options: Options): Promise<void> {
  if (options.kind === 'cross') return (await import('./quality/measure-cross.ts')).measureCross(folder, options)
  const sets = chosenSets(folder, options)
  if (options.kind === 'hybrid') return (await import('./quality/measure-hybrid.ts')).measureHybrid(sets, options)
  return (await import('./quality/measure-keywords.ts')).measureKeywords(sets, options)
}

await runCommand(async () => {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) return console.log(USAGE)
  const data = findData(options.data, process.env)
  if ('missing' in data) return console.log(data.missing)
  await measure(data.folder, options)
})
