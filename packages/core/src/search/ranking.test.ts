import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory, openNotes, pathsFor, search } from '../../test/open-notes.ts'

const WORDS = [
  'router',
  'vlan',
  'budget',
  'garden',
  '会议',
  '数据库',
  'موعد',
  'مكتبة',
  'server',
  'invoice',
  'C++',
  'backup',
] as const

/** Notes that share words, some with several chunks, some equal. */
const vault = fc.array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 25 })

test('the answer for any limit up to 10 is the beginning of that for 10, with every stage on', async () => {
  const settings = { mmr: { enabled: true }, temporalDecay: { enabled: true } }
  await fc.assert(
    fc.asyncProperty(vault, fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }), async (notes, words) => {
      const memories = new NoteSource()
      const sessions = new NoteSource({}, 'sessions')
      for (const [at, note] of notes.entries()) {
        const paragraphs = note.map((word) => `## About ${word}\n\n${`${word} and more of it. `.repeat(40)}`)
        const path = at % 3 === 0 ? `memory/2026-0${1 + (at % 3)}-1${at % 9}.md` : `${at}.md`
        const source = at % 5 === 4 ? sessions : memories
        source.write(path, paragraphs.join('\n\n'))
      }
      const memory = await openMemory([memories, sessions], { settings })
      const all = (await hitsFor(memory, words.join(' '), { limit: 10 })).map(({ citation }) => citation)
      for (let limit = 1; limit <= 10; limit += 1) {
        const some = await hitsFor(memory, words.join(' '), { limit })
        expect(some.map(({ citation }) => citation)).toEqual(all.slice(0, limit))
      }
    }),
    { numRuns: 15, seed: 11 },
  )
})

test('equal scores order by path, then line, whatever the order of indexing', async () => {
  const same = 'the lamp is broken'
  const { memory } = await openNotes({ 'c.md': `${same} delta`, 'a.md': `${same} bravo`, 'b.md': `${same} karma` })
  const hits = await hitsFor(memory, 'lamp')
  expect(hits.map(({ path }) => path)).toEqual(['a.md', 'b.md', 'c.md'])
  expect(new Set(hits.map(({ score }) => score)).size).toBe(1)
})

test.each(['notes/budget.md', 'budget.md', 'budget'])(
  'a file named like the query stands before all content: %s',
  async (query) => {
    const { memory } = await openNotes({
      'notes/budget.md': 'What we may spend this year.',
      'other.md': 'budget budget notes budget.md, see notes/budget.md for the budget',
    })
    const [hit] = (await search(memory, query, { explain: true })).hits
    expect(hit?.path).toBe('notes/budget.md')
    expect(hit?.explain?.path?.match).toBe({ 'notes/budget.md': 'exact', 'budget.md': 'name', budget: 'stem' }[query])
  },
)

test('of files named like the query the whole path stands before the base name, that before the stem', async () => {
  const { memory } = await openNotes({ 'plan.md': 'x', 'plan.md.md': 'y', 'old/plan.md': 'z' })
  expect(await pathsFor(memory, 'plan.md')).toEqual(['plan.md', 'old/plan.md', 'plan.md.md'])
})

test('names in any script, case and Unicode form are found', async () => {
  const { memory } = await openNotes({
    'Café.md': 'coffee',
    '会议记录.md': '今天',
    'ملاحظات.md': 'نص',
    'my_file.md': 'one',
    'my-file.md': 'two',
    'my file.md': 'three',
  })
  expect((await pathsFor(memory, 'CAFE\u0301.MD'))[0]).toBe('Café.md')
  expect((await pathsFor(memory, '会议记录'))[0]).toBe('会议记录.md')
  expect((await pathsFor(memory, 'ملاحظات.md'))[0]).toBe('ملاحظات.md')
  for (const name of ['my_file.md', 'my-file.md', 'my file.md']) expect((await pathsFor(memory, name))[0]).toBe(name)
})

test('a word of the path is a mild boost: it lifts one of equals, and finds a note without it, below content', async () => {
  const { memory } = await openNotes({
    'garden/pump.md': 'the pump is loud at night, really',
    'kitchen/pump.md': 'the pump is loud at night, pardon',
    'diary.md': 'the garden was dry, so I watered the garden',
    'other.md': 'the night train to the garden show was late',
    'more.md': 'the pump in the cellar',
  })
  const lifted = (await pathsFor(memory, 'garden pump night')).filter((path) => path.endsWith('/pump.md'))
  expect(lifted).toEqual(['garden/pump.md', 'kitchen/pump.md'])
  const paths = await pathsFor(memory, 'garden')
  expect(paths).toEqual(['diary.md', 'other.md', 'garden/pump.md'])
  const hits = await hitsFor(memory, 'garden', { explain: true })
  expect(hits.map(({ explain }) => explain?.path?.match)).toEqual([undefined, undefined, 'partial'])
})

test('the snippet of a note found by its name comes from its content', async () => {
  const { memory } = await openNotes({ 'roses.md': 'Prune in March, water rarely.' })
  expect((await hitsFor(memory, 'roses.md'))[0]?.snippet).toContain('Prune in March')
})

/** 650 heartbeats over two days, and the note after them. */
function heartbeats(lines: (time: string, at: number) => readonly string[]): Record<string, string> {
  const beats = Array.from({ length: 650 }, (_, at) => {
    const time = `${String(Math.floor(at / 30) % 24).padStart(2, '0')}:${String((at * 2) % 60).padStart(2, '0')}`
    return `## ${time} heartbeat\n\n${lines(time, at).join('\n')}\n`
  })
  return {
    'memory/2026-03-01.md': beats.slice(0, 325).join('\n'),
    'memory/2026-03-02.md': beats.slice(325).join('\n'),
    'memory/2026-03-03.md': 'The heartbeat was switched off, the inbox is checked by hand.',
  }
}

test('a heartbeat written 650 times is one hit that says how often', async () => {
  const { memory } = await openNotes(heartbeats((time) => [`- ${time} checked the inbox`, '- queue empty', '- nothing to do']))
  const hits = await hitsFor(memory, 'heartbeat inbox', { limit: 10 })
  expect(hits.length).toBeLessThanOrEqual(3)
  expect(hits.some(({ path }) => path === 'memory/2026-03-03.md')).toBe(true)
  const repeated = hits.find(({ repeats }) => repeats)
  expect(repeated?.repeats?.count).toBeGreaterThan(1)
  expect(repeated?.repeats?.first).toMatch(/^memory\/2026-03-01\.md#L\d+$/)
  expect(repeated?.repeats?.last).toMatch(/^memory\/2026-03-02\.md#L\d+$/)
})

test('P01: 650 heartbeats with other figures are one hit that counts them all, newest first, and are never called the same', async () => {
  const notes = heartbeats((time, at) => [`- checked the inbox at ${time}`, `- queue length ${at}`, '- nothing to do'])
  const { memory } = await openNotes(notes)
  const hits = await hitsFor(memory, 'heartbeat inbox', { limit: 10 })
  expect(hits.length).toBeLessThanOrEqual(3)
  expect(hits.some(({ path }) => path === 'memory/2026-03-03.md')).toBe(true)
  expect(hits.some(({ repeats }) => repeats)).toBe(false)
  const beat = hits.find(({ versions }) => versions)
  expect(beat?.path).toBe('memory/2026-03-02.md')
  expect(beat?.versions).toMatchObject({ total: 650, isComplete: true })
  expect(beat?.versions?.items).toHaveLength(10)
  expect(beat?.versions?.items.at(-1)?.day).toBe('2026-03-01')
})

test('notes that differ in a word of the query stay apart', async () => {
  const { memory } = await openNotes({ 'a.md': 'Invoice 4711 was paid today.', 'b.md': 'Invoice 4712 was paid today.' })
  expect((await pathsFor(memory, 'invoice 4711 4712')).sort()).toEqual(['a.md', 'b.md'])
  expect((await pathsFor(memory, 'invoice 4712'))[0]).toBe('b.md')
})

test('B12: unlike notes in other scripts, of emoji or of signs are never one hit', async () => {
  const pairs = [
    ['Развёртывание кластера завершено', 'Резервное копирование базы данных', 'кластера базы'],
    ['機械学習', '神経回路', '機械学習 神経回路'],
    ['🎉', '🔥', '🎉 🔥'],
  ] as const
  for (const [left, right, query] of pairs) {
    const { memory } = await openNotes({ 'a.md': left, 'b.md': right }, { mmr: { enabled: true } })
    expect((await pathsFor(memory, query)).sort()).toEqual(['a.md', 'b.md'])
  }
})

test('notes of nothing but headings stay apart', async () => {
  const { memory } = await openNotes({ 'a.md': '# Project Alpha\n', 'b.md': '# Project Beta\n', 'c.md': '# Project Gamma\n' })
  expect((await pathsFor(memory, 'project')).sort()).toEqual(['a.md', 'b.md', 'c.md'])
})

const TOPICS = 'cost noise colour weight smell speed history owner repair storage transport paint'.split(' ')

/** Different texts about one word, so that none repeats another. */
function textsAbout(word: string): string[] {
  return TOPICS.map((topic) => `${word} ${`${topic} `.repeat(250)}`)
}

test('at most three of the first ten hits are of one file, unless nothing else matches', async () => {
  const long = textsAbout('engine')
    .map((text, at) => `## Part ${at}\n\n${text}`)
    .join('\n\n')
  const others = textsAbout('engine of a boat').map((text, at): [string, string] => [`o${at}.md`, text])
  const { memory } = await openNotes({ 'long.md': long, ...Object.fromEntries(others.slice(0, 8)) })
  const paths = await pathsFor(memory, 'engine', { limit: 10 })
  expect(paths).toHaveLength(10)
  expect(paths.filter((path) => path === 'long.md').length).toBeLessThanOrEqual(3)
  const alone = await openNotes({ 'long.md': long })
  expect((await pathsFor(alone.memory, 'engine', { limit: 10 })).length).toBeGreaterThan(3)
})

test('an archived copy stands below its live twin, and is listed under it when they are equal', async () => {
  const { memory } = await openNotes({
    'archive/wifi.md': 'The wifi password is on the fridge.',
    'wifi-notes.md': 'The wifi password is on the fridge.',
  })
  const hits = await hitsFor(memory, 'wifi password')
  expect(hits.map(({ path }) => path)).toEqual(['wifi-notes.md'])
  expect(hits[0]?.copies).toEqual(['archive/wifi.md#L1'])
  const unequal = await openNotes({ 'archive/a.md': 'the wifi channel is six', 'z.md': 'the wifi antenna is new' })
  expect(await pathsFor(unequal.memory, 'wifi')).toEqual(['z.md', 'archive/a.md'])
})

test('a superseded note stands below the one that holds now', async () => {
  const { memory } = await openNotes({
    'a.md': '---\nstatus: superseded\n---\nThe server runs on port 8080, port 8080.',
    'b.md': 'The server runs on port 9090 since the move to the new house.',
  })
  const hits = await hitsFor(memory, 'server port')
  expect(hits.map(({ path }) => path)).toEqual(['b.md', 'a.md'])
  expect(hits[1]?.attributes?.marks).toContain('superseded')
})

test('a search of two sources has hits of both from the third place on, and of one source alone when asked so', async () => {
  const notes = Object.fromEntries(textsAbout('harbour crane').map((text, at) => [`${at}.md`, text]))
  const sessions = new NoteSource({ 's1.jsonl': `crane ${'talk of many other things '.repeat(60)}` }, 'sessions')
  const memory = await openMemory([new NoteSource(notes), sessions])
  for (const limit of [3, 6, 10]) {
    const hits = await hitsFor(memory, 'harbour crane', { limit })
    expect(hits.map(({ source }) => source)).toContain('sessions')
    expect(hits).toHaveLength(limit)
  }
  const hits = await hitsFor(memory, 'harbour crane', { filter: { sources: ['memory'] } })
  expect(new Set(hits.map(({ source }) => source))).toEqual(new Set(['memory']))
})

test('minScore drops no hit that holds a word of the query, and those that pass stand first', async () => {
  const notes = { 'weak.md': 'the of and lamp', 'strong.md': 'zebra comet lamp' }
  const { memory } = await openNotes(notes, { minScore: 0.99 })
  expect((await pathsFor(memory, 'zebra comet lamp')).sort()).toEqual(['strong.md', 'weak.md'])
})

test('B08: scores of hits lie between 0 and 1 and fall', async () => {
  const { memory } = await openNotes({
    'a.md': 'zebra comet observatory report',
    'b.md': 'a comet over the observatory',
    'c.md': 'the report is late',
  })
  const scores = (await hitsFor(memory, 'zebra comet observatory report')).map(({ score }) => score)
  expect(scores).toHaveLength(3)
  for (const score of scores) expect(score > 0 && score < 1).toBe(true)
  expect(new Set(scores).size).toBe(3)
  expect(scores.toSorted((left, right) => right - left)).toEqual(scores)
})
