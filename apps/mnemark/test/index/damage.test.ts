import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answersOf, differences, rowsOf } from '../faults/index-state.ts'
import type { IndexState } from '../faults/index-state.ts'
import { indexFileOf, openAt } from '../faults/open-index.ts'
import { createRandom } from '../faults/random.ts'
import { sampleNote } from '../faults/sample-notes.ts'

// Every kind of damage, done to the file of an index; the next search must answer as if nothing had happened, and say so.

const NOTES = 60
const PAGE = 4096
let root = ''
let whole: Buffer
let clean: IndexState

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'mnemark-damage-'))
  mkdirSync(join(root, 'notes', 'memory'), { recursive: true })
  const random = createRandom(1)
  for (let number = 0; number < NOTES; number++) {
    writeFileSync(join(root, 'notes', 'memory', `note-${number}.md`), sampleNote(random, number))
  }
  const open = await openAt(root)
  await open.memory.sync()
  clean = { rows: await rowsOf(open.store), ...(await answersOf(open.memory)) }
  await open.close()
  whole = readFileSync(indexFileOf(root))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Puts the whole index back, alone, and damages it. */
function damage(work: (file: string) => void): void {
  const file = indexFileOf(root)
  for (const name of readdirSync(join(root, 'notes', '.mnemark'))) {
    if (name !== '.gitignore') rmSync(join(root, 'notes', '.mnemark', name))
  }
  writeFileSync(file, whole)
  work(file)
}

function damageRows(sql: string): void {
  damage((file) => {
    const database = new Database(file)
    database.unsafeMode()
    database.exec(sql)
    database.close()
  })
}

interface Found {
  /** Where the answers differ from those of the whole index. */
  readonly differences: readonly string[]
  /** How often a repair was told. */
  readonly repairs: number
}

/** Only what is found, not how it ranks: a changed byte that no checksum covers may shift the counts that scores are made of. */
function placesOf({ rows, answers }: Omit<IndexState, 'degraded'>): Omit<IndexState, 'degraded'> {
  const places = Object.entries(answers).map(([query, hits]) => [query, hits.map((hit) => hit.replace(/ [^ ]*$/, '')).sort()])
  return { rows, answers: Object.fromEntries(places) }
}

async function find(): Promise<Found> {
  const open = await openAt(root)
  try {
    const { answers, degraded } = await answersOf(open.memory)
    const repairs = degraded.filter(({ code }) => code === 'index-repaired').length
    return { differences: differences(placesOf({ rows: clean.rows, answers }), placesOf(clean)), repairs }
  } finally {
    await open.close()
  }
}

/** The same, and afterwards every row must be as in the whole index. */
async function findAndInspect(): Promise<Found & { readonly problems: readonly string[] }> {
  const found = await find()
  const open = await openAt(root)
  try {
    const state = { rows: await rowsOf(open.store), answers: (await answersOf(open.memory)).answers }
    return { ...found, problems: [...differences(state, clean), ...(await open.store.check()).problems] }
  } finally {
    await open.close()
  }
}

const WHOLE = { differences: [], repairs: 0 }
const REPAIRED = { differences: [], repairs: 1, problems: [] }

test('every query of these tests finds something', () => {
  for (const [query, places] of Object.entries(clean.answers)) expect([query, places.length]).not.toEqual([query, 0])
})

test('an index cut short anywhere is set aside and built again', async () => {
  for (let tenth = 1; tenth < 10; tenth++) {
    damage((file) => truncateSync(file, Math.floor((whole.length * tenth) / 10)))
    expect(await findAndInspect(), `${tenth} tenths`).toEqual(REPAIRED)
    expect(existsSync(`${indexFileOf(root)}.damaged-1`)).toBe(true)
  }
})

test('B42 an index of no bytes is a new one, not a damaged one', async () => {
  damage((file) => truncateSync(file, 0))
  expect(await find()).toEqual(WHOLE)
})

test('flipped bytes never change an answer', async () => {
  let told = 0
  for (let seed = 1; seed <= 32; seed++) {
    const random = createRandom(seed)
    const bytes = Buffer.from(whole)
    const page = random.below(bytes.length / PAGE)
    for (let count = 1 + random.below(40); count > 0; count--) {
      const at = page * PAGE + random.below(PAGE)
      bytes[at] = (bytes[at] ?? 0) ^ (1 + random.below(255))
    }
    damage((file) => writeFileSync(file, bytes))
    const found = await find()
    expect(found.differences, `seed ${seed}, page ${page}`).toEqual([])
    expect(found.repairs, `seed ${seed}, page ${page}`).toBeLessThanOrEqual(1)
    told += found.repairs
  }
  expect(told, 'most of them are in what search reads').toBeGreaterThan(5)
})

test('pages of another file never change an answer', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = createRandom(seed)
    const bytes = Buffer.from(whole)
    const page = random.below(bytes.length / PAGE)
    if (random.below(2) === 0) bytes.fill(0, page * PAGE, (page + 1) * PAGE)
    else
      bytes.copy(
        bytes,
        page * PAGE,
        random.below(bytes.length / PAGE) * PAGE,
        PAGE + random.below(bytes.length / PAGE - 1) * PAGE,
      )
    damage((file) => writeFileSync(file, bytes))
    expect((await find()).differences, `seed ${seed}, page ${page}`).toEqual([])
  }
})

const LOST_ROWS: Readonly<Record<string, string>> = {
  'overwritten keyword blocks': 'UPDATE segment_blocks SET bytes = randomblob(length(bytes))',
  'one lost keyword block': 'DELETE FROM segment_blocks WHERE id = (SELECT max(id) FROM segment_blocks)',
  'all keyword blocks lost': 'DELETE FROM segment_blocks',
  'overwritten heads of segments': "UPDATE segments SET header = x'0203'",
  'lost chunks': 'DELETE FROM chunks WHERE id % 3 = 0',
  'all chunks lost': 'DELETE FROM chunks',
  'lost texts': 'DELETE FROM chunk_texts WHERE id % 3 = 0',
  'changed texts': "UPDATE chunk_texts SET text = 'something else'",
  'changed lines': 'UPDATE chunks SET start_line = start_line + 1',
  'a lost table': 'DROP TABLE segment_blocks',
  'a lost column': 'ALTER TABLE chunks DROP COLUMN end_line',
}

test.each(Object.entries(LOST_ROWS))('B48 %s: found by the next search, repaired, told once', async (_, sql) => {
  damageRows(sql)
  expect(await findAndInspect()).toEqual(REPAIRED)
})

test('keyword segments lost with their rows are missed too', async () => {
  damageRows('DELETE FROM segment_blocks; DELETE FROM segments')
  expect(await findAndInspect()).toEqual(REPAIRED)
})

test('lost documents are read again', async () => {
  damageRows('DELETE FROM documents')
  expect((await find()).differences).toEqual([])
})

test('B43 a journal of another index beside it is never answered from', async () => {
  const other = mkdtempSync(join(tmpdir(), 'mnemark-other-'))
  mkdirSync(join(other, 'notes', 'memory'), { recursive: true })
  writeFileSync(join(other, 'notes', 'memory', 'other.md'), '# Other\n\nzephyr glacier of another workspace\n')
  const foreign = await openAt(other)
  await foreign.memory.sync()
  damage((file) => {
    for (const side of ['-wal', '-shm']) copyFileSync(indexFileOf(other) + side, file + side)
  })
  await foreign.close()
  rmSync(other, { recursive: true, force: true })
  expect((await find()).differences).toEqual([])
})

test('B43 an older journal of the same index beside it is never answered from', async () => {
  damage(() => {})
  const file = indexFileOf(root)
  const extra = join(root, 'notes', 'memory', 'extra.md')
  writeFileSync(extra, '# Extra\n\nzephyr glacier for a while\n')
  const before = await openAt(root)
  await before.memory.sync()
  for (const side of ['-wal', '-shm']) copyFileSync(file + side, join(root, `old${side}`))
  rmSync(extra)
  await before.memory.sync()
  await before.close()
  for (const side of ['-wal', '-shm']) copyFileSync(join(root, `old${side}`), file + side)
  expect((await find()).differences).toEqual([])
})
