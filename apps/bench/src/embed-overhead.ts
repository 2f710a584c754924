/** Measures the time Mnemark adds to embedding, with a service that answers at once: `pnpm bench:embed`. */
import { parseArgs } from 'node:util'
import { startInstantServer } from './embed-overhead/instant-server.ts'
import { DIMENSIONS } from './embed-overhead/instant-answer.ts'
import { measureOverhead, REQUEST_TEXTS } from './embed-overhead/measure-overhead.ts'
import { BadUse, runCommand } from './report/bad-use.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { plainTable } from './report/table.ts'
import { NoteMaker } from './speed/notes/note-maker.ts'

const USAGE = `usage: pnpm bench:embed [--rounds 15] [--texts 5000]

  --rounds  how often each is measured; medians are printed
  --texts   embedded in each round`

function counted(option: string, value: string): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new BadUse(`--${option}: expected a number from 1, got ${value}\n\n${USAGE}`)
  return count
}

/** The length of a chunk of 400 tokens in English. */
const CHUNK_CHARACTERS = 1_400
const CHUNKS_PER_NOTE = 5
const SEED = 1

function chunkTexts(count: number): readonly string[] {
  const maker = new NoteMaker('en', SEED)
  const notes = Array.from({ length: Math.ceil(count / CHUNKS_PER_NOTE) }, (_, number) => maker.note(number).text)
  const chunks = notes.flatMap((note) =>
    Array.from({ length: CHUNKS_PER_NOTE }, (_, index) => note.slice(index * CHUNK_CHARACTERS, (index + 1) * CHUNK_CHARACTERS)),
  )
  return chunks.slice(0, count)
}

await runCommand(async () => {
  const { values } = parseArgs({ options: { rounds: { type: 'string' }, texts: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help === true) return console.log(USAGE)
  const rounds = counted('rounds', values.rounds ?? '15')
  const texts = chunkTexts(counted('texts', values.texts ?? '5000'))
  await using server = await startInstantServer()
  const results = await measureOverhead({ origin: server.origin, texts, rounds })
  const table = {
    columns: [{ title: 'what' }, { title: 'texts/s', isNumber: true }, { title: 'of the bare SDK', isNumber: true }],
    rows: results.map(({ workload, textsPerSecond, ratio }) => [
      workload,
      textsPerSecond.toFixed(0),
      `${(ratio * 100).toFixed(1)} %`,
    ]),
  }
  console.log(plainTable(table))
  console.log(`\n${provenance(describeMachine(), 'pnpm bench:embed')}`)
  console.log(
    `Medians of ${rounds} rounds of ${texts.length} texts of ${CHUNK_CHARACTERS} characters, ${REQUEST_TEXTS} a request, ${DIMENSIONS} dimensions.`,
  )
})
