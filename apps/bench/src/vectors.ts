/** How fast the nearest vectors are found, beside other engines: `pnpm bench:vectors`. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BadUse, runCommand } from './report/bad-use.ts'
import { writeSection } from './report/document-section.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { markdownTable, plainTable } from './report/table.ts'
import { ENGINE_NAMES, findEngines } from './vectors/engines.ts'
import { measureVectors, type VectorPoint } from './vectors/measure-vectors.ts'
import { countFileVectors, type VectorSet } from './vectors/vector-set.ts'
import { LIMIT } from './vectors/vector-steps.ts'
import { vectorsTable, yardstickNote } from './vectors/vectors-report.ts'

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000, '1M': 1_000_000 } as const

const USAGE = `usage: pnpm bench:vectors [--sizes 1k,10k,100k,1M] [--dimensions 384,1536] [--engines NAMES] [--queries 100]
                          [--embeddings FILE] [--json FILE] [--docs]

  --sizes       made-up vectors, 1k,10k,100k when left out
  --dimensions  numbers of a vector, 384 when left out
  --engines     some of ${ENGINE_NAMES.map((name) => JSON.stringify(name)).join(', ')}; all when left out; separated by ;
  --queries     searches timed, 100 when left out
  --embeddings  real ones instead: a file of little-endian float32, one vector after the other, the last ones taken for queries;
                --dimensions says how long each is
  --json FILE   write the figures to a file
  --docs        write the table into docs/speed.md; of made-up vectors only`

function listed<const Choice extends string>(
  option: string,
  parts: readonly string[],
  choices: readonly Choice[],
): readonly Choice[] {
  return parts.map((part) => {
    const choice = choices.find((known) => known === part.trim())
    if (choice === undefined) throw new BadUse(`--${option}: expected some of ${choices.join(', ')}, got ${part}\n\n${USAGE}`)
    return choice
  })
}

function counted(option: string, value: string): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new BadUse(`--${option}: expected a number from 1, got ${value}\n\n${USAGE}`)
  return count
}

function fileSet(file: string, dimensions: number, queries: number): VectorSet {
  const count = countFileVectors(file, dimensions) - queries
  if (count < 1) throw new BadUse(`--embeddings: ${file} holds no more than ${queries} vectors of ${dimensions} numbers.`)
  return { count, dimensions, queries, file: resolve(file) }
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '1k,10k,100k' },
      dimensions: { type: 'string', default: '384' },
      engines: { type: 'string', default: ENGINE_NAMES.join(';') },
      queries: { type: 'string', default: '100' },
      embeddings: { type: 'string' },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  // Object.keys widens the keys of a constant table to string.
  const sizes = listed('sizes', values.sizes.split(','), Object.keys(SIZES) as (keyof typeof SIZES)[])
  const engines = await findEngines(listed('engines', values.engines.split(';'), ENGINE_NAMES))
  const queries = counted('queries', values.queries)
  const { embeddings } = values
  if (values.docs && embeddings !== undefined)
    throw new BadUse("--docs: figures of a file of one's own do not go into the documentation.")
  const sets = values.dimensions.split(',').flatMap((text) => {
    const dimensions = counted('dimensions', text)
    if (embeddings !== undefined) return [fileSet(embeddings, dimensions, queries)]
    return sizes.map((size): VectorSet => ({ count: SIZES[size], dimensions, queries }))
  })

  const machine = describeMachine()
  const points: VectorPoint[] = []
  for (const set of sets) {
    const tell = (step: string): void => void process.stderr.write(`[${set.count} x ${set.dimensions}] ${step}\n`)
    points.push(await measureVectors(set, engines.present, tell))
  }
  const table = vectorsTable(points)
  const absent = engines.missing.length > 0 ? ` Not there to be measured: ${engines.missing.join(', ')}.` : ''
  const note = `${queries} searches for the ${LIMIT} nearest. ${yardstickNote(points)}${absent}`
  console.log(`${plainTable(table)}\n\n${note}`)
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, points }, null, 2)}\n`)
  }
  if (values.docs) {
    const command = `pnpm bench:vectors --sizes ${sizes.join()} --dimensions ${values.dimensions} --queries ${queries}`
    writeSection('speed.md', 'vectors', `${provenance(machine, command)} ${note}\n\n${markdownTable(table)}`)
  }
})
