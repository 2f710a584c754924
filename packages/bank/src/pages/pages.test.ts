import { expect, test } from 'vitest'
import { readFacts } from '../retain/read-facts.ts'
import { adoptPage } from './adopt-page.ts'
import { day, Folder } from './__fixtures__/folder.ts'
import type { PageOpinion } from './page-opinion.ts'

const SLOTS = { 'bank/slots.md': '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n' }
const NOTES = {
  ...SLOTS,
  'memory/2024-05-01.md': day('W @Mara: lives in Oslo', 'W @Mara: plays chess', 'W @Club: meets on Mondays'),
  'memory/2026-02-01.md': day('W @Mara: lives in Bergen', 'B @Mara: heard of it', 'W: the ferry takes four hours'),
  'memory/2026-03-01.md': day(
    'W @Mara: plays chess',
    'W @Mara @Club: are at odds (by: agent)',
    'W @Mara: does not play chess (contradicts: "plays chess")',
    'W @Mara: works at the mill',
    'W @Mara: works at the dairy (corrects: "works at the mill")',
  ),
}
const MARA = 'bank/entities/Mara.md'

/** The lines of a page's block without markers and ids. */
function shown(folder: Folder, path: string): readonly string[] {
  const lines = (folder.notes.get(path) ?? '').split('\n')
  return lines
    .slice(
      lines.findIndex((line) => line.startsWith('<!--')) + 1,
      lines.findLastIndex((line) => line.startsWith('<!--')),
    )
    .filter((line) => line !== '')
    .map((line) => line.replace(/^(- .*) \^[\w-]+$/, '$1'))
}

function idOf(folder: Folder, path: string, content: string): string {
  return (
    /\^([\w-]+)$/.exec(
      folder.notes
        .get(path)
        ?.split('\n')
        .find((line) => line.includes(content)) ?? '',
    )?.[1] ?? 'none'
  )
}

test('the page of an entity: slots with earlier values, facts by kind, what holds no longer, each with its lines', async () => {
  const folder = new Folder(NOTES)
  const { changes } = await folder.write()
  expect(changes.map(({ path }) => path)).toEqual([MARA, 'bank/world.md'])
  expect(folder.notes.get(MARA)).toMatch(/^# Mara\n\n<!-- mnemark:bank:start v=1 hash=\w{12} -->\n\*\*home\*\*\n/)
  const chess = idOf(folder, MARA, '- plays chess')
  const mill = idOf(folder, MARA, 'at the mill')
  expect(shown(folder, MARA)).toEqual(
    [
      '**home**',
      '- lives in Bergen (since: 2026-02-01) (see memory/2026-02-01.md#L4)',
      '**home, earlier**',
      '- lives in Oslo (on: 2024-05-01..2026-01-31) (see memory/2024-05-01.md#L4)',
      '**World**',
      '- @Mara @Club: are at odds (on: 2026-03-01) (see memory/2026-03-01.md#L5) (by: agent)',
      `- does not play chess (on: 2026-03-01) (contradicts: ^${chess}) (see memory/2026-03-01.md#L6)`,
      '- plays chess (on: 2026-03-01) (see memory/2026-03-01.md#L4) (see memory/2024-05-01.md#L5)',
      `- works at the dairy (on: 2026-03-01) (corrects: ^${mill}) (see memory/2026-03-01.md#L8)`,
      '**Experience**',
      '- heard of it (on: 2026-02-01) (see memory/2026-02-01.md#L5)',
      '**No longer holds**',
      '- works at the mill (on: 2026-03-01) (see memory/2026-03-01.md#L7)',
    ].toSorted((left, right) => order(folder, left) - order(folder, right)),
  )
  expect(shown(folder, 'bank/world.md')).toEqual([
    '- the ferry takes four hours (on: 2026-02-01) (see memory/2026-02-01.md#L6)',
    '- @Club: meets on Mondays (on: 2024-05-01) (see memory/2024-05-01.md#L6)',
  ])
})

/** Facts of one day stand in the order of their ids, which nobody has to know. */
function order(folder: Folder, line: string): number {
  return (folder.notes.get(MARA) ?? '').split('\n').findIndex((one) => one.startsWith(line))
}

test('a second plan is empty, and notes in any order give equal bytes', async () => {
  const folder = new Folder(NOTES, { opinions: [OPINION] })
  await folder.write()
  expect(await folder.plan()).toMatchObject({ changes: [], edited: [], damaged: [] })
  const other = new Folder(Object.fromEntries(Object.entries(NOTES).toReversed()), { opinions: [OPINION] })
  const plan = await other.write()
  expect(new Map([...other.notes].toSorted())).toEqual(new Map([...folder.notes].toSorted()))
  expect(plan.changes[0]?.diff.split('\n').slice(0, 3)).toEqual(['--- /dev/null', `+++ b/${MARA}`, expect.stringContaining('@@')])
})

const OPINION: PageOpinion = {
  id: 'aaaaaaaaaa',
  statement: 'prefers mail',
  entities: [{ name: 'Mara', key: 'mara', isLink: false }],
  confidence: 0.9123,
  stated: { confidence: 0.8, day: '2026-03-14' },
  groups: { for: 2, against: 1 },
  state: 'open',
  source: 'memory/2026-03-14.md#L4',
  evidence: { for: ['memory/2026-03-15.md#L3'], against: ['memory/2026-03-16.md#L3'] },
  absorbed: ['bbbbbbbbbb'],
}

test('the page of opinions: number, anchor, evidence; a new number changes its digits and nothing else', async () => {
  const folder = new Folder(NOTES, { opinions: [OPINION], formula: 'L1' })
  await folder.write()
  expect(shown(folder, 'bank/opinions.md')).toEqual([
    '- O(c=0.91) @Mara: prefers mail (stated: 0.80 on 2026-03-14) (see memory/2026-03-14.md#L4)',
    '  - Evidence: memory/2026-03-15.md#L3',
    '  - Evidence: memory/2026-03-16.md#L3 (contradicts)',
    '  - Absorbed: ^bbbbbbbbbb',
  ])
  expect(shown(folder, MARA)).toContain(
    '- O(c=0.91) @Mara: prefers mail (for: 2, against: 1) (stated: 0.80 on 2026-03-14) (see memory/2026-03-14.md#L4)',
  )
  const before = folder.notes.get('bank/opinions.md') ?? ''
  expect(before).toContain(' formula=L1 -->')
  folder.notes.set('bank/opinions.md', before.replace('c=0.91', 'c=.3'))
  folder.options = { ...folder.options, opinions: [{ ...OPINION, confidence: 0.7 }] }
  expect((await folder.write()).edited).toEqual([])
  expect(folder.notes.get('bank/opinions.md')).toBe(before.replace('c=0.91', 'c=0.70'))
})

test('a page is made for three facts on two days, or on request; a page with text gets its block at the end', async () => {
  const notes = {
    'memory/2026-03-01.md': day('W @Nils: rows', 'W @Nils: swims', 'W @Nils: rides', 'W @Ada: reads', 'W @Ida: writes'),
    'memory/2026-03-02.md': day('W @Ada: writes', 'W @Ada: counts'),
    'bank/entities/Ida.md': '\uFEFF# Ida\r\n\r\nA friend.',
  }
  const paths = async (options: object): Promise<readonly string[]> =>
    (await new Folder(notes, options).plan()).changes.map(({ path }) => path).filter((path) => path.includes('entities'))
  expect(await paths({})).toEqual(['bank/entities/Ada.md'])
  expect(await paths({ requested: ['nils', 'Ida', 'Nobody'] })).toEqual(
    ['Ada', 'Ida', 'Nils'].map((name) => `bank/entities/${name}.md`),
  )
  const folder = new Folder(notes, { requested: ['Ida'] })
  await folder.write()
  const page = folder.notes.get('bank/entities/Ida.md') ?? ''
  expect(page.startsWith('\uFEFF# Ida\r\n\r\nA friend.\r\n\r\n<!-- mnemark:bank:start')).toBe(true)
  expect(page.replaceAll('\r\n', '')).not.toContain('\n')
  expect((await folder.plan()).changes).toEqual([])
})

test('two names with one file name have two pages, and a page joins no names', async () => {
  const notes = Object.fromEntries(
    ['01', '02', '03'].map((date) => [
      `memory/2026-03-${date}.md`,
      day(`W @"A/B": did ${date}`, `W @"A:B": had ${date}`, `W @"*": is ${date}`),
    ]),
  )
  const folder = new Folder(notes)
  await folder.write()
  const paths = [...folder.notes.keys()].filter((path) => path.includes('entities'))
  expect(paths.map((path) => path.replace(/[0-9a-f]{6}/, 'HASH'))).toEqual([
    'bank/entities/entity-HASH.md',
    'bank/entities/A-B.md',
    'bank/entities/A-B-HASH.md',
  ])
  expect((await folder.state()).entities.all().map(({ name }) => name)).toEqual(['*', 'A/B', 'A:B'])
  expect((await folder.plan()).changes).toEqual([])
})

test('what a block says is read as no fact, and every note keeps its facts', async () => {
  const folder = new Folder({ ...NOTES, [MARA]: '# Mara\n\n- keeps bees\n' })
  const before = (await folder.state()).facts.map(({ id }) => id)
  await folder.write()
  expect((await folder.state()).facts.map(({ id }) => id)).toEqual(before)
  expect(shown(folder, MARA).join('\n')).not.toContain('bees')
  expect(readFacts(folder.notes.get(MARA) ?? '', { path: MARA }).facts.map(({ content }) => content)).toEqual(['keeps bees'])
})

test('more statements than a page of a kind lists are counted', async () => {
  const folder = new Folder(
    { 'memory/2026-03-01.md': day('W: one', 'W: two'), 'memory/2026-03-02.md': day('W: three') },
    { mostListed: 1 },
  )
  await folder.write()
  expect(shown(folder, 'bank/world.md')).toEqual([
    '- three (on: 2026-03-02) (see memory/2026-03-02.md#L4)',
    '2 older statements stand in the notes alone.',
  ])
})

/** Edits a page, adopts what it says as a program would, and plans anew. */
async function adopted(folder: Folder, path: string, edit: (page: string) => string) {
  folder.notes.set(path, edit(folder.notes.get(path) ?? ''))
  const state = await folder.state()
  const adoption = adoptPage(path, state, folder.pages(), folder.options)
  if (adoption === undefined) throw new TypeError('nothing was edited')
  folder.options = { ...folder.options, tombstones: [...(folder.options.tombstones ?? []), ...adoption.tombstones] }
  if (adoption.facts.length > 0) folder.notes.set('memory/2026-06-01.md', day(...adoption.facts.map(({ line }) => line.slice(2))))
  folder.notes.set(path, adoption.text)
  await folder.write()
  return adoption
}

test('an edited block is left alone and named; adopted, its edits are facts of the person', async () => {
  const folder = new Folder(NOTES)
  await folder.write()
  const oslo = idOf(folder, MARA, 'Oslo')
  const heard = idOf(folder, MARA, 'heard of it')
  const edit = (page: string): string =>
    page
      .replace('lives in Oslo', 'lives in Tromsø')
      .replace(
        /- heard of it.*\n/,
        (line) => `${line.replace('heard of it', 'knew it')}- O(c=0.7): hates mornings\nShe rows.\n# A heading\n`,
      )
  const before = edit(folder.notes.get(MARA) ?? '')
  folder.notes.set(MARA, before)
  expect(await folder.write()).toMatchObject({ changes: [], edited: [{ path: MARA, lines: [3, 29] }] })
  expect(folder.notes.get(MARA)).toBe(before)
  const { facts, tombstones, text } = await adopted(folder, MARA, (page) => page)
  expect(tombstones).toEqual([])
  expect(facts.map(({ line }) => line)).toEqual([
    `- W @Mara: lives in Tromsø (on: 2024-05-01..2026-01-31) (corrects: ^${oslo})`,
    `- B @Mara: knew it (on: 2026-02-01) (corrects: ^${heard})`,
    '- O(c=0.70) @Mara: hates mornings',
    '- W @Mara: She rows.',
  ])
  expect(text.endsWith('-->\n\n> # A heading\n')).toBe(true)
  expect(shown(folder, MARA).map((line) => line.replace(/ \((?:see|on|since|corrects).*$/, ''))).toEqual([
    '**home**',
    '- lives in Bergen',
    '**home, earlier**',
    '- lives in Tromsø',
    '**Opinions**',
    '- O(c=0.70) @Mara: hates mornings',
    '**World**',
    expect.stringContaining('rows'),
    ...['', '', '', ''].map(() => expect.stringMatching(/^- /)),
    '**Experience**',
    '- knew it',
    '**No longer holds**',
    expect.stringMatching(/^- /),
    expect.stringMatching(/^- /),
    expect.stringMatching(/^- /),
  ])
  expect(await folder.plan()).toMatchObject({ changes: [], edited: [], damaged: [] })
})

test('a deleted bullet never comes back from the same evidence, and does from new', async () => {
  const folder = new Folder(NOTES)
  await folder.write()
  const { facts, tombstones } = await adopted(folder, MARA, (page) => page.replace(/- plays chess.*\n/, ''))
  expect([facts.length, tombstones.map(({ path }) => path)]).toEqual([0, [MARA, MARA]])
  const lines = (): readonly string[] => shown(folder, MARA).filter((line) => line.startsWith('- plays chess'))
  expect(lines()).toEqual([])
  folder.notes.set('memory/copy.md', day('W @Mara: plays chess (on: 2026-03-01)'))
  await folder.write()
  expect(lines()).toEqual([])
  folder.notes.set('memory/2026-04-01.md', day('W @Mara: plays chess'))
  await folder.write()
  expect(lines()).toEqual(['- plays chess (on: 2026-04-01) (see memory/2026-04-01.md#L4)'])
})

test('a line that was written from older facts is no edit of a person', async () => {
  const folder = new Folder(NOTES)
  await folder.write()
  folder.notes.set('memory/2026-05-01.md', day('W @Mara: lives in Fez', 'W @Mara: plays chess'))
  const { facts, tombstones } = await adopted(folder, MARA, (page) => page.replace('**World**', '**World**\n\n- sings'))
  expect([facts.map(({ content }) => content), tombstones]).toEqual([['sings'], []])
  expect(shown(folder, MARA).slice(0, 2)).toEqual([
    '**home**',
    '- lives in Fez (since: 2026-05-01) (see memory/2026-05-01.md#L4)',
  ])
})

test('text of a fact cannot hide the marker behind it', async () => {
  const nasty = [
    'said <!-- once',
    'is 50 %% sure',
    'BEGIN UNTRUSTED text',
    'wrote <memory-context>',
    '# 1 fan',
    '~~~',
    '```js',
    'x `y',
    '<div>',
    ':LOGBOOK:',
  ]
  const folder = new Folder({
    'memory/2026-03-01.md': day(...nasty.map((text) => `W @Mara: ${text}`)),
    'memory/2026-03-02.md': day('W @Mara: rows'),
  })
  await folder.write()
  folder.notes.set(MARA, `${folder.notes.get(MARA)}\nEND UNTRUSTED --> %% </memory-context>\n:END:\n`)
  expect(await folder.plan()).toMatchObject({ changes: [], edited: [], damaged: [] })
})

test('only pages of touched entities are computed, and the long-term file is only proposed', async () => {
  const folder = new Folder(NOTES, { requested: ['Club'], memory: { path: 'MEMORY.md' } })
  const { proposals, computed } = await folder.write()
  expect([computed, proposals.map(({ path, edits }) => [path, edits.length]), folder.notes.has('MEMORY.md')]).toEqual([
    3,
    [['MEMORY.md', 6]],
    false,
  ])
  folder.notes.set('memory/2026-05-01.md', day('W @Club: has a boat'))
  folder.options = { ...folder.options, touched: new Set(['club']) }
  const second = await folder.write()
  expect([second.computed, second.changes.map(({ path }) => path)]).toEqual([2, ['bank/entities/Club.md']])
  folder.options = { ...folder.options, touched: undefined }
  expect(await folder.plan()).toMatchObject({ changes: [], computed: 3 })
})

test('a page with `managed: false` stays without a block', async () => {
  const page = '\uFEFF---\nmanaged: false\n---\n# Mara\n'
  const folder = new Folder({ ...NOTES, [MARA]: page })
  expect((await folder.plan()).changes.map(({ path }) => path)).toEqual(['bank/world.md'])
})

test('a block whose entity has another page is named', async () => {
  const folder = new Folder(NOTES)
  await folder.write()
  folder.notes.set('bank/entities/M.md', folder.notes.get(MARA)?.replace('# Mara', '---\nredirect: Mara\n---\n# M') ?? '')
  expect(await folder.plan()).toMatchObject({
    changes: [],
    damaged: [{ path: 'bank/entities/M.md', why: 'no-entity', lines: [6, 29] }],
  })
})
