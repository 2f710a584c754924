import { compareTied, type MemoryBackend, type MemoryStore } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { NOW, openMemory, search } from '../../test/open-notes.ts'
import { checkKeywords } from '../doctor.ts'
import { compileQuery } from '../keywords/query/keyword-query.ts'
import { KeywordCache, KeywordReader } from '../keywords/read/keyword-reader.ts'
import { searchKeywords } from '../keywords/query/keyword-search.ts'
import { poolOf } from './search-settings.ts'

interface Ranked {
  readonly place: string
  readonly score: number
}

async function rankedFor(memory: MemoryBackend, text: string, limit = 20): Promise<readonly Ranked[]> {
  const { hits } = await search(memory, text, { limit })
  return hits.map(({ path, startLine, endLine, score }) => ({ place: `${path}#${startLine}-${endLine}`, score }))
}

/** The same passages in the same order, scores to 1e-6. */
function isSame(found: readonly Ranked[], clean: readonly Ranked[]): boolean {
  const isEqual = ({ place, score }: Ranked, at: number): boolean =>
    clean[at]?.place === place && Math.abs(clean[at].score - score) < 1e-6
  return found.length === clean.length && found.every(isEqual)
}

/** Queries with other answers than an index built at once from the same notes. */
async function unlikeClean(memory: MemoryBackend, source: NoteSource, queries: readonly string[]): Promise<readonly unknown[]> {
  const clean = await openMemory([new NoteSource(Object.fromEntries([...source.notes].map(([path, { text }]) => [path, text])))])
  await clean.sync()
  const unlike: unknown[] = []
  for (const query of queries) {
    const [found, expected] = [await rankedFor(memory, query), await rankedFor(clean, query)]
    if (!isSame(found, expected)) unlike.push({ query, found, expected })
  }
  return unlike
}

/** Scripts whose words are found by parts as well as whole. */
const OWN_WORDS: Readonly<Record<string, (number: number) => string>> = {
  latin: (number) => `uq${number}x`,
  arabic: (number) => `سجل${'ابتثجحخدذر'[number % 10]}${'سشصضطظعغفق'[Math.floor(number / 10) % 10]}كتاب`,
  hebrew: (number) => `רשומה${'אבגדהוזחטי'[number % 10]}${'למנסעפצקרש'[Math.floor(number / 10) % 10]}`,
  hindi: (number) => `खाता${'कखगघचछजझटठ'[number % 10]}${'पफबभमयरलवश'[Math.floor(number / 10) % 10]}`,
  cyrillic: (number) => `запись${'абвгдежзик'[number % 10]}${'лмнопрстуф'[Math.floor(number / 10) % 10]}`,
}
const NEARLY: Readonly<Record<string, string>> = { latin: '2', arabic: 'ة', hebrew: 'ים', hindi: 'ों', cyrillic: 'ами' }

describe('P100: what was removed counts for nothing at once', () => {
  test.for(Object.keys(OWN_WORDS))('of notes with a word of their own each (%s)', async (script) => {
    const wordOf = OWN_WORDS[script] ?? String
    const source = new NoteSource()
    for (let number = 0; number < 100; number += 1) source.write(`${number}.md`, `${wordOf(number)} stays\n`)
    const memory = await openMemory([source])
    await memory.sync()
    source.notes.delete('17.md')
    const queries = [`${wordOf(17)}${NEARLY[script]}`, wordOf(17), `${wordOf(17)} stays`, `${wordOf(18)}${NEARLY[script]}`]
    expect(await unlikeClean(memory, source, queries)).toEqual([])
    expect((await rankedFor(memory, `${wordOf(17)} stays`)).some(({ place }) => place.startsWith('17.md'))).toBe(false)
  })

  test('the words of an edited note, a heading, a name and a property too', async () => {
    const source = new NoteSource({
      'plan.md': '---\nstatus: zanzibar\n---\n# Zanzibarian\n\nzanzibars\n',
      'zanzibare.md': 'nothing\n',
      'other.md': 'zanzib\n',
    })
    const memory = await openMemory([source])
    await memory.sync()
    source.write('plan.md', 'rest\n')
    source.notes.delete('zanzibare.md')
    expect(
      await unlikeClean(memory, source, [
        'zanzibar',
        'zanzi*',
        'status:zanzibar',
        'zanzibare.md',
        '"zanzibars"',
        'zanzibarian rest',
      ]),
    ).toEqual([])
  })

  test('the limit of a prefix counts live keys only', async () => {
    const source = new NoteSource()
    for (let number = 0; number < 400; number += 1) source.write(`a${number}.md`, `pre${String(number).padStart(3, '0')}\n`)
    source.write('last.md', 'prezz\n')
    const memory = await openMemory([source])
    await memory.sync()
    for (let number = 0; number < 390; number += 1) source.notes.delete(`a${number}.md`)
    expect(await unlikeClean(memory, source, ['pre*'])).toEqual([])
    expect((await rankedFor(memory, 'pre*')).some(({ place }) => place.startsWith('last.md'))).toBe(true)
  })
})

/** A store whose merges are killed: commits stay, and merged segments never arrive. */
function withoutMerges(store: MemoryStore): MemoryStore {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'replaceSegments') return () => Promise.reject(new Error('killed'))
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

describe('P03: an edited index ranks as a fresh one', () => {
  const QUERIES = ['router', 'vlan router budget', 'bud*', '"garden router"', 'routers', '会议', '会', 'plan.md', 'garden -vlan']
  const WORDS = 'router vlan budget garden 会议 数据库 server lantern harbour'.split(' ')
  const textOf = (number: number, version: number): string =>
    Array.from(
      { length: 5 + ((number * 7 + version) % 11) },
      (_, at) => WORDS[(number * 3 + at * (version + 2)) % WORDS.length],
    ).join(' ')

  test.for([
    ['merges done', (store: MemoryStore) => store, 0],
    ['every merge killed', withoutMerges, 150],
  ] as const)('a fifth of the notes rewritten five times, %s', async ([, wrap, least]) => {
    const source = new NoteSource()
    for (let number = 0; number < 150; number += 1) source.write(`memory/${number}.md`, textOf(number, 0))
    const store = createInMemoryStore()
    const memory = await openMemory([source], { store: wrap(store) })
    await memory.sync().catch(() => {})
    for (let version = 1; version <= 5; version += 1) {
      for (let number = 0; number < 30; number += 1) source.write(`memory/${number}.md`, textOf(number, version))
      await memory.sync().catch(() => {})
    }
    const snapshot = await store.snapshot()
    const check = await checkKeywords(snapshot, { seed: 3 })
    snapshot.release()
    expect(check).toMatchObject({ chunks: 150, problems: [] })
    expect(check.dead).toBeGreaterThanOrEqual(least)
    expect(await unlikeClean(memory, source, QUERIES)).toEqual([])
  })
})

describe('ties', () => {
  /** Entries with equal scores, each with a unique word, so that none is a version of another. */
  const entry = (number: number): string =>
    `rent paid ${String.fromCharCode(...[...String(number).padStart(3, '0')].map((digit) => 97 + Number(digit)))}zz\n`
  const dayOf = (number: number): string =>
    `2026-${String(1 + (number % 12)).padStart(2, '0')}-${String(1 + (number % 28)).padStart(2, '0')}`

  const pathOf = (number: number): string => `memory/${dayOf(number)}-${number}.md`

  test('of 300 equal entries the newest are answered, whatever the order in which they were written', async () => {
    const numbers = Array.from({ length: 300 }, (_, number) => number)
    const answers: (readonly Ranked[])[] = []
    for (const order of [numbers, numbers.toReversed(), numbers.toSorted((a, b) => ((a * 7) % 11) - ((b * 7) % 11))]) {
      const source = new NoteSource()
      const memory = await openMemory([source], { settings: { temporalDecay: { enabled: false } } })
      for (let from = 0; from < 300; from += 60) {
        for (const number of order.slice(from, from + 60)) source.write(pathOf(number), entry(number))
        await memory.sync()
      }
      answers.push(await rankedFor(memory, 'rent paid', 5))
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    // The pool of small answers; ties in it are shown by path.
    const all = numbers.map((number) => ({
      document: { source: 'memory', path: pathOf(number) },
      ordinal: 0,
      day: dayOf(number),
    }))
    const pool = all.toSorted(compareTied).slice(0, poolOf(5, 4))
    const shown = pool.map(({ document }) => document.path).toSorted()
    expect(answers[0]?.map(({ place }) => place.slice(0, place.indexOf('#')))).toEqual(shown.slice(0, 5))
  })
})

test('of chunks that are alike in score, day and hash the key decides, whoever was written first', async () => {
  // Found by trial: both have one hash.
  const twins = ['memory/1428600.md', 'memory/729984.md']
  for (const order of [twins, twins.toReversed()]) {
    const store = createInMemoryStore()
    const source = new NoteSource()
    const memory = await openMemory([source], { store })
    for (const path of order) {
      source.write(path, 'rent paid\n')
      await memory.sync()
    }
    const snapshot = await store.snapshot()
    const reader = await KeywordReader.open(snapshot, new KeywordCache())
    const [first] = await searchKeywords(reader, compileQuery('rent', { nowMs: NOW, timeZone: 'UTC' }), { limit: 1 })
    const [chunk] = await snapshot.chunks([first?.chunkId ?? 0])
    snapshot.release()
    expect(chunk?.document.path).toBe(twins[0])
  }
})

test.for([
  ['MEMORY.md', 'MEMORY.md'],
  ['memory', 'MEMORY.md'],
  ['notes/MEMORY.md', 'notes/MEMORY.md'],
  ['会議.md', '会議.md'],
  ['דיווח', 'דיווח.md'],
] as const)('P06: %s leads with 600 entries of its own and hundreds of others that name it', async ([query, path]) => {
  const source = new NoteSource({ [path]: Array.from({ length: 600 }, (_, at) => `- entry ${at} of many words here`).join('\n') })
  for (let at = 0; at < 200; at += 1) source.write(`log/${at}.md`, `see ${query} and ${query} again ${at}\n`)
  const memory = await openMemory([source], { settings: { chunkTokens: 8, chunkOverlap: 0 } })
  await memory.sync()
  expect((await rankedFor(memory, query))[0]?.place).toMatch(new RegExp(`^${path}#`))
})

test('P06: among hundreds of files of one name, that at the whole path leads', async () => {
  const source = new NoteSource({ 'README.md': 'the root\n' })
  for (let at = 0; at < 700; at += 1) source.write(`packages/${at}/README.md`, `README of package ${at}\n`)
  const memory = await openMemory([source])
  await memory.sync()
  expect((await rankedFor(memory, 'README.md'))[0]?.place).toMatch(/^README\.md#/)
  expect((await rankedFor(memory, 'packages/433/README.md'))[0]?.place).toMatch(/^packages\/433\/README\.md#/)
})
