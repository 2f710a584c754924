import type { SearchHit } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory, openNotes, search } from '../../test/open-notes.ts'

/** Versions of a hit: each value with its day, and the total. */
function versionsOf(hit: SearchHit | undefined): { readonly total: number; readonly values: readonly string[] } | undefined {
  return (
    hit?.versions && {
      total: hit.versions.total,
      values: hit.versions.items.map(({ day, differs }) => `${day ?? ''} ${differs.join(', ')}`.trim()),
    }
  )
}

test.each([
  ['English', 'rent is 900 euro', 'rent is 1050 euro', 'what is the rent', '900 euro', '1050 euro'],
  ['a signed value', 'freezer is at -18 °C', 'freezer is at -5 °C', 'freezer', '-18 °C', '-5 °C'],
  ['a sign alone', 'balcony was at 5 °C', 'balcony was at -5 °C', 'balcony', '5 °C', '-5 °C'],
  ['a dose', 'dose of the pill: 5mg', 'dose of the pill: 50mg', 'pill dose', '5mg', '50mg'],
  ['an invoice', 'the invoice is INV-4711', 'the invoice is INV-4712', 'invoice', 'INV-4711', 'INV-4712'],
  ['a flight', 'flight to Oslo is LH1234', 'flight to Oslo is LH1250', 'flight oslo', 'LH1234', 'LH1250'],
  ['a program', 'we use pnpm 11.1.2 here', 'we use pnpm 11.2.0 here', 'pnpm', '11.1.2', '11.2.0'],
  ['a port', 'server listens on 8080', 'server listens on 9090', 'server', '8080', '9090'],
  ['a phone', 'phone of Dana: +49-30-123', 'phone of Dana: +49-30-124', 'dana phone', '+49-30-123', '+49-30-124'],
  ['a day inside', 'passport ends on 2027-01-02', 'passport ends on 2037-01-02', 'passport', '2027-01-02', '2037-01-02'],
  ['a table row', '| rent | 900 euro | paid |', '| rent | 1050 euro | paid |', 'rent', '900 euro', '1050 euro'],
  ['a sentence', 'We moved. Rent is 900 euro. Fine.', 'All good. Rent is 1,050 euro. Bye.', 'rent', '900 euro', '1,050 euro'],
  ['Arabic', 'إيجار الشقة ٩٠٠ يورو', 'إيجار الشقة ١٠٥٠ يورو', 'إيجار الشقة', '٩٠٠ يورو', '١٠٥٠ يورو'],
  ['Chinese', '房租是900欧元', '房租是1050欧元', '房租', '900欧元', '1050欧元'],
  ['Hebrew', 'שכר הדירה 900 אירו', 'שכר הדירה 1050 אירו', 'שכר הדירה', '900 אירו', '1050 אירו'],
  ['Hindi', 'किराया ९०० रुपये है', 'किराया १०५० रुपये है', 'किराया', '९०० रुपये', '१०५० रुपये'],
  ['Thai', 'ค่าเช่า 900 บาท', 'ค่าเช่า 1050 บาท', 'ค่าเช่า', '900 บาท', '1050 บาท'],
  ['Russian', 'аренда квартиры 900 евро', 'аренда квартиры 1 050 евро', 'аренда квартиры', '900 евро', '1 050 евро'],
  ['Japanese', '家賃は９００円です', '家賃は１０５０円です', '家賃', '９００円', '１０５０円'],
  ['another currency', 'rent is 900 euro', 'rent is 1050 dollars', 'rent', '900 euro', '1050 dollars'],
])(
  'P01: %s: both values are shown, the newer note on top, and nothing is called the same',
  async (_name, ...[old, recent, query, first, last]) => {
    // A bullet is one entry, however many sentences it has.
    for (const bullet of old.includes('. ') ? [''] : ['', '- ']) {
      const { memory } = await openNotes({ 'memory/2025-01-01.md': bullet + old, 'memory/2026-01-01.md': bullet + recent })
      const [hit, ...rest] = await hitsFor(memory, query)
      expect(rest).toEqual([])
      expect(hit?.path).toBe('memory/2026-01-01.md')
      expect(hit?.repeats).toBeUndefined()
      expect(versionsOf(hit)).toEqual({ total: 2, values: [`2026-01-01 ${last}`, `2025-01-01 ${first}`] })
      expect(hit?.versions?.isComplete).toBe(true)
    }
  },
)

test.each([
  ['a name', 'the trip of 5 days was approved by Dana.', 'the trip of 7 days was approved by Dane.', 'trip approved'],
  ['a word', 'rent of 900 euro is paid', 'rent of 1050 euro is due', 'rent'],
  ['a negation', 'rent is 900 euro', 'rent is not 900 euro', 'rent'],
  ['a Chinese numeral', '房租是三千元', '房租是五千元', '房租'],
  ['an Arabic name', 'رحلة ٥ أيام مع دانة', 'رحلة ٥ أيام مع دانا', 'رحلة'],
  ['a strike', 'rent is 900 euro now', '~~rent is 1050 euro now~~', 'rent'],
  ['a box', '- [ ] pay rent of 900 euro', '- [x] pay rent of 900 euro', 'rent'],
  ['a heading', '## Dana\n- salary is 900 euro', '## Dane\n- salary is 1050 euro', 'salary'],
  ['too few words', 'Invoice 4711', 'Invoice 4712', 'invoice'],
])('P02: %s that differs keeps both hits', async (_name, old, recent, query) => {
  const { memory } = await openNotes({ 'memory/2025-01-01.md': old, 'memory/2026-01-01.md': recent })
  const hits = await hitsFor(memory, query)
  expect(hits.map(({ path }) => path).sort()).toEqual(['memory/2025-01-01.md', 'memory/2026-01-01.md'])
  expect(hits.some(({ repeats }) => repeats)).toBe(false)
})

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The first day of a month, counted from January 2021. */
function monthly(at: number): string {
  return `${2021 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`
}

function daily(at: number): string {
  return new Date(Date.UTC(2009, 0, 1 + at)).toISOString().slice(0, 10)
}

/** Logs of five bullets each, one of them the rent; names are in reverse order of the days, which are in front matter. */
function logs(count: number, day: (at: number) => string = monthly): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `logs/${String(count - at).padStart(5, '0')}.md`,
      [
        '---',
        `date: ${day(at)}`,
        '---',
        `# Log of ${MONTHS[at % 12]}`,
        `- walked with friend${at} in the park`,
        `- read page${at % 17} of the novel`,
        `- rent is ${900 + at} euro`,
        `- cooked soup${at % 5} at home`,
        `- garden looked fine${at % 3}`,
      ].join('\n'),
    ]),
  )
}

test.each(['what is the rent', 'rent', 'rent euro'])(
  'P01: of 60 monthly logs the newest rent is on top and all are counted: %s',
  async (query) => {
    const { memory } = await openNotes(logs(60))
    for (const limit of [1, 6, 100]) {
      const hits = await hitsFor(memory, query, { limit })
      expect(hits).toHaveLength(1)
      expect(hits[0]?.attributes?.from).toBe('2025-12-01')
      expect(hits[0]?.snippet).toContain('rent is 959 euro')
      expect(versionsOf(hits[0])?.total).toBe(60)
      expect(versionsOf(hits[0])?.values).toEqual([
        ...Array.from({ length: 9 }, (_, back) => `${monthly(59 - back)} ${959 - back} euro`),
        '2021-01-01 900 euro',
      ])
    }
  },
)

test('P01: of 6,000 logs the newest value is on top and all are counted', async () => {
  const { memory } = await openNotes(logs(6000, daily))
  const [hit, ...rest] = await hitsFor(memory, 'what is the rent')
  expect(rest).toEqual([])
  expect(hit?.attributes?.from).toBe(daily(5999))
  expect(versionsOf(hit)).toMatchObject({ total: 6000, values: { 0: `${daily(5999)} 6899 euro`, 9: `${daily(0)} 900 euro` } })
})

test('P01: the day an entry begins with counts for it, in one file as in many', async () => {
  const lines = Array.from(
    { length: 400 },
    (_, at) => `- ${monthly(at % 60)}: reading ${Math.floor(at / 60)} of the meter is ${at} kWh, as said by the landlord`,
  )
  const { memory } = await openNotes({
    'meter.md': lines.toSorted().join('\n'),
    'memory/2025-12-24.md': '- reading 9 of the meter is 7777 kWh, as said by the landlord',
  })
  const [hit] = await hitsFor(memory, 'meter reading')
  expect(hit?.path).toBe('memory/2025-12-24.md')
  expect(hit?.versions?.total).toBe(401)
  expect(hit?.versions?.items[0]).toMatchObject({ day: '2025-12-24', differs: ['9', '7777 kWh'] })
  expect(hit?.versions?.items.at(-1)?.day).toBe('2021-01-01')
})

test('P01: entries in the overlap of two chunks count once', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `- the walk number ${at} along the river took long and was fine`)
  const { memory } = await openNotes({ 'memory/2026-01-01.md': lines.join('\n') }, { chunkTokens: 120, chunkOverlap: 40 })
  const [hit] = await hitsFor(memory, 'walk river')
  expect(hit?.versions?.total).toBe(300)
  expect(new Set(hit?.versions?.items.map(({ citation }) => citation)).size).toBe(10)
})

test('P01: twelve sections of one file are never one fact', async () => {
  const sections = MONTHS.map(
    (month, at) => `## ${month}\n\nrent is ${900 + at} euro\n\n${'Some other words of this part. '.repeat(60)}`,
  )
  const { memory } = await openNotes({ 'flat.md': `# Flat\n\n${sections.join('\n\n')}` })
  const hits = await hitsFor(memory, 'rent', { limit: 12 })
  expect(hits.some(({ repeats }) => repeats)).toBe(false)
  const shown = hits.flatMap(({ snippet }) => [...snippet.matchAll(/rent is (\d+) euro/g)].map(([, value]) => Number(value)))
  expect([...new Set(shown)].sort()).toEqual(MONTHS.map((_, at) => 900 + at))
  expect(hits[0]?.versions?.total).toBe(12)
})

test('a citation of a version names its own lines', async () => {
  const { memory } = await openNotes({
    'memory/2025-01-01.md': '# Log\n\n- slept well\n- rent is 900 euro\n- cooked',
    'memory/2026-01-01.md': '- rent is 1050 euro\n- went out',
  })
  const [hit] = await hitsFor(memory, 'rent')
  expect(hit?.versions?.items.map(({ citation }) => citation)).toEqual([
    'memory/2026-01-01.md#L1-L1',
    'memory/2025-01-01.md#L4-L4',
  ])
})

test('an undated curated entry keeps its rank, and both values are printed', async () => {
  const { memory } = await openNotes({ 'MEMORY.md': '- rent is 900 euro', 'memory/2026-01-01.md': '- rent is 1050 euro' })
  const hits = await hitsFor(memory, 'rent')
  expect(hits.map(({ path }) => path)).toEqual(['MEMORY.md', 'memory/2026-01-01.md'])
  for (const hit of hits) expect(versionsOf(hit)).toEqual({ total: 2, values: ['2026-01-01 1050 euro', '900 euro'] })
})

test('a curated entry is among what is printed, however many logs there are', async () => {
  const { memory } = await openNotes({ ...logs(60), 'MEMORY.md': '- rent is 777 euro' })
  const hits = await hitsFor(memory, 'rent')
  const values = hits.map((hit) => versionsOf(hit))
  expect(hits).toHaveLength(2)
  for (const each of values) expect(each).toMatchObject({ total: 61, values: { 0: '2025-12-01 959 euro', 9: '777 euro' } })
})

test.each([
  ['an archive', 'memory/archive/2026-02-01.md', 'rent is 1050 euro'],
  ['a derived note', 'memory/dreaming/2026-02-01.md', 'rent is 1050 euro'],
  ['a replaced note', 'memory/2026-02-01.md', '---\nstatus: superseded\n---\nrent is 1050 euro'],
  ['a template', 'Templates/2026-02-01.md', 'rent is 1050 euro'],
  ['a plan', 'plans/2026-02-01.md', 'rent is 1050 euro'],
  ['a copy', 'memory/2026-02-01 (1).md', 'rent is 1050 euro'],
  ['a conflict', 'memory/2026-02-01 (conflicted copy).md', 'rent is 1050 euro'],
  ['a day to come', 'memory/2026-12-01.md', 'rent is 1050 euro'],
  ['an entry of a day to come', 'memory/2026-01-02.md', '- 2026-12-01: rent is 1050 euro'],
])('%s never leads, and its value is printed', async (_name, path, text) => {
  const { memory } = await openNotes({ 'memory/2025-01-01.md': 'rent is 900 euro', [path]: text, 'other.md': 'rent of the rent' })
  const hits = await hitsFor(memory, 'rent')
  const versioned = hits.filter(({ versions }) => versions)
  expect(versioned[0]?.path).toBe('memory/2025-01-01.md')
  expect(
    versionsOf(versioned[0])
      ?.values.toSorted()
      .map((value) => value.split(' ').slice(1).join(' ')),
  ).toEqual(['900 euro', '1050 euro'])
})

test('an entry that lacks a token of the query which the hit holds is a hit of its own and never leads', async () => {
  for (const separator of ['two files', 'one file']) {
    const [first, second] = ['- Room 101 code 4455', '- Room 102 code 7788']
    const notes =
      separator === 'two files'
        ? { 'memory/2025-01-01.md': first, 'memory/2026-01-01.md': second }
        : { 'memory/2025-01-01.md': `${first}\n${second}` }
    const { memory } = await openNotes(notes as Record<string, string>)
    const [hit] = await hitsFor(memory, 'room 101 code')
    expect(hit?.path).toBe('memory/2025-01-01.md')
    expect(hit?.versions).toBeUndefined()
    expect(versionsOf((await hitsFor(memory, 'room code'))[0])?.total).toBe(2)
  }
})

test('a query that names a time is answered of that time', async () => {
  const { memory } = await openNotes(logs(60))
  const [hit] = await hitsFor(memory, 'rent in March 2023')
  expect(hit?.snippet).toContain('rent is 926 euro')
  const [year] = await hitsFor(memory, 'rent in 2022')
  expect(versionsOf(year)).toMatchObject({ total: 12, values: { 0: '2022-12-01 923 euro' } })
})

test('a word of the path or of a heading that only one of them has keeps both', async () => {
  const { memory } = await openNotes({
    'lisbon/2025-01-01.md': '- rent is 900 euro',
    'berlin/2026-01-01.md': '- rent is 1050 euro',
  })
  const hits = await hitsFor(memory, 'lisbon rent')
  expect(hits.map(({ path }) => path)).toEqual(['lisbon/2025-01-01.md', 'berlin/2026-01-01.md'])
  expect(hits[0]?.versions).toBeUndefined()
})

test('a note asked for by its name is not replaced by a newer one', async () => {
  const { memory } = await openNotes({ 'memory/2025-01-01.md': 'rent is 900 euro', 'memory/2026-01-01.md': 'rent is 1050 euro' })
  expect((await hitsFor(memory, '2025-01-01.md'))[0]?.path).toBe('memory/2025-01-01.md')
})

test.each([
  ['until', { until: '2025-12-31' }],
  ['asOf', { asOf: '2025-12-31' }],
  ['excludePaths', { excludePaths: ['**/2026-*.md'] }],
  ['paths', { paths: ['memory/2024-*.md', 'memory/2025-*.md'] }],
])('what the filter %s leaves out neither leads nor counts nor is printed', async (_name, filter) => {
  const { memory } = await openNotes({
    'memory/2024-01-01.md': 'rent is 800 euro',
    'memory/2025-01-01.md': 'rent is 900 euro',
    'memory/2026-01-01.md': 'rent is 1050 euro',
  })
  const [hit] = await hitsFor(memory, 'rent', { filter })
  expect(hit?.path).toBe('memory/2025-01-01.md')
  expect(versionsOf(hit)).toEqual({ total: 2, values: ['2025-01-01 900 euro', '2024-01-01 800 euro'] })
})

test('an entry whose own day a filter leaves out is left out, though its note is seen', async () => {
  const { memory } = await openNotes({
    'rent.md': '- 2025-01-01: rent is 900 euro\n- 2026-01-01: rent is 1050 euro\n- 2024-01-01 rent is 800 euro',
  })
  const [hit] = await hitsFor(memory, 'rent', { filter: { asOf: '2025-12-31' } })
  expect(versionsOf(hit)?.total).toBe(2)
  expect(JSON.stringify(hit?.versions)).not.toContain('1050')
})

test('an audience that may not see an entry learns nothing of it', async () => {
  const source = new NoteSource()
  source.write('memory/2025-01-01.md', 'rent is 900 euro', { attributes: { audience: 'all' } })
  source.write('memory/2026-01-01.md', 'rent is 1050 euro', { attributes: { audience: 'owner' } })
  const memory = await openMemory([source])
  const [hit] = await hitsFor(memory, 'rent', { filter: { audiences: ['all'] } })
  expect(JSON.stringify(hit)).not.toContain('1050')
  expect(hit?.versions).toBeUndefined()
  expect((await hitsFor(memory, 'rent'))[0]?.versions?.total).toBe(2)
})

test('excluded words and phrases hold for versions too', async () => {
  const { memory } = await openNotes({
    'memory/2025-01-01.md': '- rent is 900 euro\n- calm',
    'memory/2026-01-01.md': '- rent is 1050 euro\n- noisy',
  })
  expect(JSON.stringify(await hitsFor(memory, 'rent flat -noisy'))).not.toContain('1050')
})

test('edited and deleted entries count no more, before and after a merge', async () => {
  const source = new NoteSource(logs(60))
  const memory = await openMemory([source])
  await memory.sync()
  for (let at = 0; at < 30; at += 1) {
    const path = `logs/${String(60 - at).padStart(5, '0')}.md`
    if (at % 2 === 0) source.notes.delete(path)
    else source.write(path, `---\ndate: ${monthly(at)}\n---\n- nothing of note`)
    await memory.sync()
  }
  const path = 'logs/00001.md'
  source.write(path, (logs(60)[path] ?? '').replace('959', '1111'))
  const [edited] = await hitsFor(memory, 'rent')
  expect(versionsOf(edited)).toMatchObject({ total: 30, values: { 0: '2025-12-01 1111 euro' } })
  source.notes.delete(path)
  const [hit] = await hitsFor(memory, 'rent')
  expect(versionsOf(hit)).toMatchObject({ total: 29, values: { 0: '2025-11-01 958 euro' } })
  const fresh = await openMemory([new NoteSource(Object.fromEntries([...source.notes].map(([name, { text }]) => [name, text])))])
  expect((await hitsFor(fresh, 'rent'))[0]?.versions).toEqual(hit?.versions)
})

test('the answer for any limit up to 10 is the beginning of that for 10', async () => {
  const topics = ['rent', 'water', 'power', 'phone', 'train', 'milk']
  const notes = Object.fromEntries(
    Array.from({ length: 48 }, (_, at) => [
      `memory/${monthly(at)}.md`,
      topics
        .slice(0, 1 + (at % 6))
        .map((topic, place) => `- the ${topic} costs ${10 * at + place} euro`)
        .join('\n'),
    ]),
  )
  const { memory } = await openNotes({
    ...notes,
    'MEMORY.md': '- the rent costs 5 euro',
    'rent.md': 'About the rent and what it costs.',
  })
  for (const query of ['rent costs', 'what costs water', 'phone train milk', 'costs']) {
    const all = (await hitsFor(memory, query, { limit: 10 })).map(({ citation }) => citation)
    for (let limit = 1; limit <= 10; limit += 1) {
      expect((await hitsFor(memory, query, { limit })).map(({ citation }) => citation)).toEqual(all.slice(0, limit))
    }
  }
})

test('of many values at most five are shown, each of 80 characters at most', async () => {
  const row = (seed: number) => `- figures of the year: ${Array.from({ length: 9 }, (_, at) => `${seed}${at}`).join(' and ')}`
  const long = (seed: number) => `- the key of the cellar is ${`${seed}`.repeat(150)}`
  const { memory } = await openNotes({
    'memory/2025-01-01.md': `${row(1)}\n\n${long(1)}`,
    'memory/2026-01-01.md': `${row(2)}\n\n${long(2)}`,
  })
  const figures = (await hitsFor(memory, 'figures year'))[0]?.versions?.items[0]?.differs
  expect(figures).toEqual(['20', '21', '22', '23', '24 …'])
  const key = (await hitsFor(memory, 'key cellar'))[0]?.versions?.items[0]?.differs
  expect(key).toEqual([`${'2'.repeat(79)}…`])
})

test('the same value said again and again is no version', async () => {
  const { memory } = await openNotes({
    'memory/2025-01-01.md': '- rent is 900 euro\n- calm day',
    'memory/2026-01-01.md': '- rent is 900 Euro.\n- noisy day',
  })
  const hits = await hitsFor(memory, 'rent')
  expect(hits).toHaveLength(2)
  expect(hits.some(({ versions }) => versions)).toBe(false)
})

test('a version from outside the pool has numbers of its own', async () => {
  const { memory } = await openNotes(logs(300, daily))
  const reply = await search(memory, 'rent', { explain: true })
  const [hit] = reply.hits
  expect(hit?.snippet).toContain('rent is 1199 euro')
  expect(hit?.explain?.keywords?.terms.map(({ term }) => term)).toContain('rent')
  expect(hit?.explain?.version?.of).toMatch(/^logs\//)
})

test('long near copies are listed with the words that differ, and never called complete', async () => {
  const text = (name: string, day: number) =>
    `${Array.from({ length: 70 }, (_, at) => `clause${String.fromCodePoint(97 + (at % 26))}${'x'.repeat(at % 7)}`).join(' ')} signed by ${name} on day ${day}`
  const { memory } = await openNotes({ 'memory/2025-01-01.md': text('Dana', 5), 'memory/2026-01-01.md': text('Dane', 5) })
  const hits = await hitsFor(memory, 'clausea signed')
  expect(hits).toHaveLength(1)
  expect(hits[0]?.repeats).toBeUndefined()
  expect(hits[0]?.versions).toEqual({
    items: [
      { citation: 'memory/2026-01-01.md#L1-L1', day: '2026-01-01', differs: ['Dane'] },
      { citation: 'memory/2025-01-01.md#L1-L1', day: '2025-01-01', differs: ['Dana'] },
    ],
    total: 2,
    isComplete: false,
  })
})

test('long notes that differ in a value alone list it once, the newest on top', async () => {
  const text = (rent: number) =>
    `- rent is ${rent} euro\n\n${Array.from({ length: 70 }, (_, at) => `clause${String.fromCodePoint(97 + (at % 26))}${'x'.repeat(at % 7)}`).join(' ')}`
  const { memory } = await openNotes({ 'memory/2025-01-01.md': text(900), 'memory/2026-01-01.md': text(1050) })
  const hits = await hitsFor(memory, 'rent')
  expect(hits.map(({ path }) => path)).toEqual(['memory/2026-01-01.md'])
  expect(versionsOf(hits[0])).toEqual({ total: 2, values: ['2026-01-01 1050 euro', '2025-01-01 900 euro'] })
  expect(hits[0]?.versions?.isComplete).toBe(true)
})

test('what is kept by hand holds whatever day its note was begun', async () => {
  const { memory } = await openNotes({
    'MEMORY.md': '---\ndate: 2024-01-01\n---\n- rent is 900 euro',
    'memory/2026-01-01.md': '- rent is 1050 euro',
  })
  const hits = await hitsFor(memory, 'rent')
  expect(hits.map(({ path }) => path).sort()).toEqual(['MEMORY.md', 'memory/2026-01-01.md'])
})
