// A process that is killed at work: `node worker.ts TASK ROOT SEED`. Says `ready`, then works, then says `done`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNotes } from '../../src/memory/open/open-memory.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { openAt } from './open-index.ts'
import { createRandom } from './random.ts'
import { ownWord, sampleNote } from './sample-notes.ts'

const [task = '', root = '', seed = '0'] = process.argv.slice(2)
const random = createRandom(Number(seed))
/** Enough for several merges: eight segments make one. */
const GROWTH = 26
const ENTRIES = 150

const TASKS: Readonly<Record<string, () => Promise<void>>> = { index, merge, append, migrate: index, mend }
// Loaded before the work begins, so that the kill does not only meet the loading.
await Promise.all([import('@mnemark/core'), import('@mnemark/store-sqlite'), import('@mnemark/workspace')])
process.stdout.write('ready\n')
await TASKS[task]?.()
process.stdout.write('done\n')

async function index(): Promise<void> {
  const open = await openAt(root)
  await open.memory.sync()
  await open.close()
}

/** One note at a time: a segment for each, and a merge for every eight. */
async function merge(): Promise<void> {
  const open = await openAt(root)
  for (let count = 0; count < GROWTH; count++) {
    const number = random.below(60)
    writeFileSync(join(root, 'notes', 'memory', `grown-${number}.md`), sampleNote(random, 1_000 + number))
    await open.memory.sync()
  }
  await open.close()
}

/** Says each entry that stands in the file. */
async function append(): Promise<void> {
  const workspace = join(root, 'notes')
  const notes = await openNotes(await loadSettings({ workspace, config: join(root, 'empty.json5') }, workspace, {}))
  for (let count = 0; count < ENTRIES; count++) {
    const word = ownWord(Number(seed) * ENTRIES + count)
    await notes.append(`entry ${word}`, { to: 'memory/log.md' })
    process.stdout.write(`wrote ${word}\n`)
  }
}

/** A search over an index that was damaged before. */
async function mend(): Promise<void> {
  const open = await openAt(root)
  await open.memory.search({ text: 'zephyr glacier', limit: 5, caller: { agentId: 'main' } })
  await open.close()
}
