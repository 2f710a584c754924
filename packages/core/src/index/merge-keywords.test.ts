import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory } from '../../test/open-notes.ts'

const WORDS = 'router vlan budget garden 会议 数据库 موعد مكتبة server invoice C++ backup ประชุม naïve OC-41252 🚀'.split(' ')
const QUERIES = [
  'router budget',
  '会议',
  'مكتبه',
  'naive garden',
  'C++',
  'OC-41252',
  'back*',
  'ประชุม server',
  '🚀',
  '"vlan budget"',
]

type Answers = readonly { readonly path: string; readonly startLine: number; readonly score: number }[][]

async function answersOf(disk: InMemoryDisk, source: NoteSource): Promise<Answers> {
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  const answers = []
  for (const query of QUERIES) {
    const hits = await hitsFor(memory, query, { limit: 50 })
    answers.push(hits.map(({ path, startLine, score }) => ({ path, startLine, score: Math.round(score * 1e5) / 1e5 })))
  }
  return answers
}

async function freshAnswers(source: NoteSource): Promise<Answers> {
  return answersOf(new InMemoryDisk(), source)
}

function segmentCount(disk: InMemoryDisk): number {
  return disk.state.segments.size
}

const note = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 40 }).map((words) => words.join(' '))

test('an index grown note by note answers like one made at once, in few segments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 90 }), async (texts) => {
      const disk = new InMemoryDisk()
      const source = new NoteSource()
      const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
      for (const [at, text] of texts.entries()) {
        source.write(`${at}.md`, text)
        await memory.sync()
      }
      expect(segmentCount(disk)).toBeLessThanOrEqual(21)
      expect(await answersOf(disk, source)).toEqual(await freshAnswers(source))
    }),
    { numRuns: 8, seed: 1 },
  )
})

test('an index whose notes were changed and removed many times finds the same places as a fresh one', async () => {
  const change = fc.record({ at: fc.nat(15), text: fc.option(note, { freq: 4 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 80 }), async (changes) => {
      const disk = new InMemoryDisk()
      const source = new NoteSource()
      const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
      for (const { at, text } of changes) {
        if (text === null) source.notes.delete(`${at}.md`)
        else source.write(`${at}.md`, text)
        await memory.sync()
      }
      const places = (answers: Answers): string[][] =>
        answers.map((hits) => hits.map(({ path, startLine }) => `${path}:${startLine}`).sort())
      expect(places(await answersOf(disk, source))).toEqual(places(await freshAnswers(source)))
    }),
    { numRuns: 12, seed: 2 },
  )
})

test('an index that was made anew again and again keeps its size and its scores', async () => {
  const disk = new InMemoryDisk()
  const texts = Array.from({ length: 60 }, (_, at) => `router ${WORDS[at % 16]} budget ${WORDS[(at * 7) % 16]} number${at}`)
  const source = new NoteSource(Object.fromEntries(texts.map((text, at) => [`${at}.md`, text])))
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  await memory.sync()
  const first = await answersOf(disk, source)
  const bytes = (): number =>
    [...disk.state.segments.values()].reduce(
      (sum, { blocks }) => sum + blocks.reduce((all, block) => all + block.bytes.length, 0),
      0,
    )
  const size = bytes()
  for (let round = 0; round < 6; round += 1) await memory.sync({ force: true })
  expect(bytes()).toBeLessThan(2 * size)
  expect(await answersOf(disk, source)).toEqual(first)
})

test('when every note is gone nothing is left to search, and tombstones go with what they bury', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource(
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.md`, `router ${WORDS[at % 16]}`])),
  )
  const memory = await openMemory([source], { store: createInMemoryStore({ disk }) })
  await memory.sync()
  source.notes.clear()
  await memory.sync()
  expect((await answersOf(disk, source)).flat()).toEqual([])
  for (let round = 0; round < 20; round += 1) {
    source.write('only.md', `router ${round}`)
    await memory.sync()
  }
  const headerBytes = [...disk.state.segments.values()].reduce((sum, { header }) => sum + header.length, 0)
  expect(segmentCount(disk)).toBeLessThanOrEqual(9)
  expect(headerBytes).toBeLessThan(200)
})
