import { createMemory, documents } from '@mnemark/core'
import type { StoreSnapshot } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/store-memory'
import { expect, onTestFinished, test } from 'vitest'
import { generatedSection } from '../retain/__fixtures__/generated-sections.ts'
import { isFactPath } from '../retain/fact-places.ts'
import { readFacts } from '../retain/read-facts.ts'
import { bankAnnotator } from './bank-annotator.ts'
import { FactRegistry } from './fact-registry.ts'
import { findEntity } from './list-entities.ts'
import { type ChangePage, mergeEntities } from './merge-entities.ts'

async function openBank(notes: Readonly<Record<string, string>>) {
  const store = createInMemoryStore()
  const workspace = documents(notes)
  const memory = await createMemory({ store, workspace, annotators: [bankAnnotator()], caller: { agentId: 'main' } })
  onTestFinished(() => memory.close())
  const registry = new FactRegistry()
  const state = async () => {
    await memory.sync()
    const snapshot: StoreSnapshot = await store.snapshot()
    const read = await registry.read(snapshot)
    snapshot.release()
    return read
  }
  return { store, memory, workspace, registry, state }
}

const day = (...lines: readonly string[]): string => `# Day\nWe talked.\n\n## Retain\n${lines.join('\n')}\n`

/** For each fact what corrects it, as `content <- verb by content`. */
async function correctionsIn(notes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { corrections } = await (await openBank(notes)).state()
  return [...corrections.of]
    .flatMap(([fact, list]) =>
      list.map(({ verb, by, isProposal }) => `${fact.content} <- ${verb} by ${by.content}${isProposal ? ' (proposed)' : ''}`),
    )
    .sort()
}

test('each fact is a hit of its own, filtered by kind, entity, day and tag', async () => {
  const { memory } = await openBank({
    'memory/2026-03-01.md': day(
      '- W @Mara: keeps the lamp',
      '- O(c=0.8) @مريم: prefers the lamp #home',
      '- B @Nils: broke the lamp with @Mara (on: 2026-02-01)',
    ),
    'memory/2026-03-02.md': 'The lamp was mended.',
  })
  const found = async (filter: object) =>
    (await memory.search({ text: 'lamp', filter })).hits.map(({ citation }) => citation).sort()
  expect(await found({ kinds: ['opinion'] })).toEqual(['memory/2026-03-01.md#L6-L6'])
  expect(await found({ entities: ['mara'] })).toEqual(['memory/2026-03-01.md#L5-L5', 'memory/2026-03-01.md#L7-L7'])
  expect(await found({ entities: ['مريم'] })).toEqual(['memory/2026-03-01.md#L6-L6'])
  expect(await found({ tags: ['home'] })).toEqual(['memory/2026-03-01.md#L6-L6'])
  expect(await found({ until: '2026-02-10' })).toEqual(['memory/2026-03-01.md#L7-L7'])
  expect(await found({ kinds: ['note'] })).toEqual(['memory/2026-03-02.md#L1-L1'])
})

test('questions over two states of an index at once each have their own', async () => {
  const store = createInMemoryStore()
  const workspace = documents({ 'memory/2026-03-01.md': day('- W @Mara: keeps the lamp') })
  const memory = await createMemory({ store, workspace, annotators: [bankAnnotator()], caller: { agentId: 'main' } })
  onTestFinished(() => memory.close())
  await memory.sync()
  const before = await store.snapshot()
  workspace.put('memory/2026-03-02.md', day('- W @Nils: keeps the key'))
  await memory.sync()
  const after = await store.snapshot()
  const registry = new FactRegistry()
  const filters = [undefined, { kinds: ['world'] }]
  const asked = filters.flatMap((filter) => [before, after, before].map((snapshot) => registry.read(snapshot, filter)))
  expect((await Promise.all(asked)).map(({ facts }) => facts.length)).toEqual([1, 2, 1, 1, 2, 1])
  for (const snapshot of [before, after]) snapshot.release()
})

test('the registry has the facts of the notes, with their places', async () => {
  const long = `- W @Mara: ${Array.from({ length: 900 }, (_, at) => `word${at}`).join(' ')} (corrects: "x")`
  const notes: Record<string, string> = {
    'bank/entities/Mara.md':
      '---\ntitle: Mara Lind\naliases: [مارا]\n---\n- Lives in Bergen (since: 2026-01-01)\n- ~~Is away~~\n',
    'bank/experience.md': '# 2026-02-03: Fez\n- @Fez: saw the old town\n  - Evidence: memory/a.md\n',
    'bank/opinions.md': '---\ncreated: 2026-01-01\n---\n- O(c=0.5) @Mara: likes tea\n- Prefers rain\n',
    'memory/2026-04-01.md': day(
      long,
      '- W @Nils: the same',
      '',
      '- W @Nils: the same',
      '- [2026-01-01] W @a: x (on: 2026-99-99)',
    ),
  }
  for (let seed = 1; seed <= 60; seed += 1) notes[`memory/2026-03-01-${seed}.md`] = generatedSection(seed).text
  const { state } = await openBank(notes)
  const { facts, unread } = await state()
  const wanted = Object.entries(notes).flatMap(([path, text]) =>
    readFacts(text, { path }).facts.map(({ id, content, startLine, endLine, days }) => [
      path,
      startLine,
      endLine,
      id,
      content,
      days,
    ]),
  )
  const order = (left: unknown, right: unknown) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)
  expect(unread).toBe(0)
  expect(facts.map((fact) => [fact.path, fact.startLine, fact.endLine, fact.id, fact.content, fact.days]).sort(order)).toEqual(
    wanted.sort(order),
  )
})

test('an update reads the chunks of changed notes alone, and nothing where nothing changed', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `memory/2026-03-${String(at + 1).padStart(2, '0')}.md`,
      day(`- W @Mara: fact ${at}`, `- W @Nils: fact ${at}`),
    ]),
  )
  const { state, registry, workspace } = await openBank(notes)
  const first = await state()
  expect([first.facts.length, registry.chunksRead]).toEqual([40, 40])
  expect(await state()).toBe(first)
  workspace.put('memory/2026-03-01.md', day('- W @Mara: another fact'))
  workspace.remove('memory/2026-03-02.md')
  const second = await state()
  expect([second.facts.length, registry.chunksRead]).toEqual([37, 41])
  expect(second.facts[0]?.content).toBe('another fact')
})

test('aliases of a page join the names of facts', async () => {
  const { state } = await openBank({
    'bank/entities/Mara.md': '---\naliases: [مارا, M. Lind]\n---\n- Lives in Bergen\n',
    'memory/2026-03-01.md': day('- W @مارا: تحب الشاي', '- W @Maria: is another'),
  })
  const { entities } = await state()
  expect(entities.all().map(({ name, aliases, page }) => [name, aliases, page])).toEqual([
    ['Mara', ['مارا', 'M. Lind'], 'bank/entities/Mara.md'],
    ['Maria', [], undefined],
  ])
})

test('a page keeps its names for those who may read it where the same text is indexed anew', async () => {
  const { store, memory, registry, state } = await openBank({
    'people/[x] (1)!.md': '---\naliases: [Marah]\n---\n# Mara\n',
    'memory/2026-03-01.md': day('- W [[people/[x] (1)!]]: rows', '- W @Marah: sings'),
  })
  expect((await state()).entities.all().map(({ name }) => name)).toEqual(['Mara'])
  await memory.sync({ force: true })
  const snapshot = await store.snapshot()
  const { entities } = await registry.read(snapshot, { excludePaths: ['bank/**'] })
  snapshot.release()
  expect(entities.all().map(({ name }) => name)).toEqual(['Mara'])
})

test('an alias may hold a comma, and aliases may be longer than what the index keeps of them', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `Name number ${at} of Nils`)
  const { state } = await openBank({
    'bank/entities/Mara.md': '---\naliases: ["Lund, Mara"]\n---\n',
    'bank/entities/Peter.md': '---\nAliases:\n  - "Lund, Peter"\n---\n',
    'bank/entities/Nils.md': `---\naliases: [${many.join(', ')}]\n---\n${'- Rows a boat\n'.repeat(300)}`,
  })
  const { entities } = await state()
  expect(entities.conflicts).toEqual([])
  expect(['Lund', 'Lund, Mara', 'Lund, Peter', 'Name number 59 of Nils'].map((name) => entities.find(name)?.name)).toEqual([
    undefined,
    'Mara',
    'Peter',
    'Nils',
  ])
})

test('a heading below the first level names no page', async () => {
  const { state } = await openBank({
    'bank/entities/Mara.md': '---\naliases: [M.]\n---\n\n## Notes\n\nText.\n',
    'bank/entities/Nils.md': '## Notes\n\nText.\n',
    'bank/entities/Lind.md': '# Mara Lind\n\n## Notes\n',
  })
  const { entities } = await state()
  expect(entities.all().map(({ name }) => name)).toEqual(['Mara', 'Mara Lind', 'Nils'])
  expect(entities.conflicts).toEqual([])
})

test('a note elsewhere that a link in a fact leads to gives the names of its thing', async () => {
  const log = day('- W [[people/Nils|N. B.]] [[Harbour]]: x', '- W @"Nils Berg" @Nilsson: y', '- W [[2026-02-01]] [[Anna]]: z')
  const { state, registry, workspace } = await openBank({
    'memory/2026-03-01.md': log,
    'people/Nils.md': '---\naliases: [Nilsson]\nredirect: Anna\n---\n# Nils Berg\n',
    'people/Other.md': '---\naliases: [Tom]\n---\n# Tim\n',
    'Old/Harbour.md': '# Notes\n',
    'memory/2026-02-01.md': '# Nils Berg\n',
    'a/Anna.md': '---\naliases: [Ann]\n---\n',
    'b/Anna.md': '---\naliases: [Anni]\n---\n',
  })
  const named = async () => (await state()).entities.all().map(({ name, aliases, page }) => [name, aliases, page])
  expect(await named()).toEqual([
    ['2026-02-01', [], undefined],
    ['Anna', [], undefined],
    ['Nils Berg', ['Nilsson'], 'people/Nils.md'],
    ['Notes', [], 'Old/Harbour.md'],
  ])
  const read = registry.chunksRead
  workspace.put('people/Other.md', '# Tom\n')
  await named()
  expect(registry.chunksRead).toBe(read)
  workspace.put('memory/2026-03-02.md', day('- W [[people/Other]]: is named'))
  workspace.put('people/Nils.md', '---\naliases: [Nilsson]\n---\n# Notes\n')
  workspace.put('bank/entities/Harbour.md', '---\naliases: [Port]\n---\n')
  expect((await named()).slice(2)).toEqual([
    ['Harbour', ['Port'], 'bank/entities/Harbour.md'],
    ['Nils Berg', [], undefined],
    ['Notes', ['Nilsson'], 'people/Nils.md'],
    ['Tom', [], 'people/Other.md'],
  ])
})

test('a label of links is suggested after two facts, never joined by itself, and can be merged', async () => {
  const { state, workspace } = await openBank({
    'memory/2026-03-01.md': day('- W [[Peter Lund|Pete]]: rows', '- W [[Peter Lund|Room 7]]: a', '- W [[Peter Lund|Room 7]]: b'),
  })
  const suggestions = async () => findEntity(await state(), 'Peter Lund')?.suggestions
  expect(await suggestions()).toEqual([])
  workspace.put('memory/2026-03-02.md', day('- W @Nils: saw [[Peter Lund|Pete]]'))
  expect(await suggestions()).toEqual([{ name: 'Pete', why: 'label' }])
  const known = await state()
  expect(known.entities.find('Pete')).toBeUndefined()
  const pages: [string, string | null][] = []
  const change: ChangePage = async (path, make) => {
    pages.push([path, make('')])
    return { status: 'created', conflict: null }
  }
  const merged = await mergeEntities(change, known, { op: 'merge', names: ['Pete', 'Peter Lund'] })
  expect(merged).toMatchObject({ status: 'merged', entity: { name: 'Peter Lund', aliases: ['Pete'], facts: 4 } })
  expect(pages).toEqual([['bank/entities/Peter-Lund.md', '---\naliases:\n  - Pete\n---\n# Peter Lund\n']])
  workspace.put('bank/entities/Peter-Lund.md', pages[0]?.[1] ?? '')
  expect(await suggestions()).toEqual([])
  const parting = { op: 'unmerge', names: ['Pete', 'Peter Lund'] } as const
  const onPage: ChangePage = async (_path, make) => {
    make(pages[0]?.[1] ?? '')
    return { status: 'changed', conflict: null }
  }
  expect(await mergeEntities(onPage, await state(), parting)).toMatchObject({ status: 'parted', entity: { aliases: [] } })
  const gone = await mergeEntities(async () => ({ status: 'not-found', conflict: null }), await state(), parting)
  expect(gone).toMatchObject({ code: 'unreadable-page' })
})

test('managed blocks are marked as derived and hold no facts', async () => {
  const { memory, state } = await openBank({
    'bank/entities/Mara.md':
      '- W @Mara: keeps the lamp\n\n<!-- mnemark:bank:start v=1 -->\n- W @Mara: keeps the lamp\n<!-- mnemark:bank:end -->\n',
  })
  expect((await state()).facts).toHaveLength(1)
  const { hits } = await memory.search({ text: 'lamp' })
  expect(hits.map(({ citation }) => citation)[0]).toBe('bank/entities/Mara.md#L1-L1')
})

test('managed blocks are found by their words, and are not embedded beside their sources', async () => {
  const { memory } = await openBank({
    'memory/2026-03-01.md': day('- W @Mara: keeps the lamp'),
    'bank/entities/Mara.md': `# Mara\n\nA friend.\n\n<!-- mnemark:bank:start v=1 -->\n- keeps the lamp\n- owns an anvil\n<!-- mnemark:bank:end -->\n`,
  })
  const inputs = await memory.withIndex(async ({ snapshot }) => {
    const ids = (await snapshot.select({ paths: ['bank/**'] }, { order: 'path', limit: 10 })).map(({ id }) => id)
    return (await snapshot.chunks(ids)).flatMap(({ text, inputs: own }) => own.map(() => text.includes('friend')))
  })
  expect(inputs).toEqual([true])
  expect((await memory.search({ text: 'anvil' })).hits[0]?.path).toBe('bank/entities/Mara.md')
})

test.each([
  ['oldest last', ['2026-03-01', '2024-05-01']],
  ['oldest first', ['2024-05-01', '2026-03-01']],
])('B97: what supersedes an older statement does so in any order of import: %s', async (_, order) => {
  const texts: Readonly<Record<string, string>> = {
    '2026-03-01': day('- W @Mara: lives in Bergen (supersedes: "lives in Oslo")'),
    '2024-05-01': day('- W @Mara: lives in Oslo'),
  }
  const { state, workspace } = await openBank({})
  for (const date of order) {
    workspace.put(`memory/${date}.md`, texts[date] ?? '')
    await state()
  }
  const { corrections, facts } = await state()
  expect(facts).toHaveLength(2)
  expect(
    [...corrections.of].map(([fact, [correction]]) => [fact.content, correction?.by.content, correction?.by.days?.from]),
  ).toEqual([['lives in Oslo', 'lives in Bergen', '2026-03-01']])
})

test('a statement of a later day, or about somebody else, is not superseded by a quote', async () => {
  expect(
    await correctionsIn({
      'memory/2026-03-01.md': day('- W @Mara: lives in Bergen (supersedes: "lives in Oslo")', '- W @Nils: lives in Oslo'),
      'memory/2026-09-01.md': day('- W @Mara: lives in Oslo'),
    }),
  ).toEqual([])
})

test('B100: facts about one entity do not retire each other', async () => {
  expect(
    await correctionsIn({
      'memory/2026-03-01.md': day(
        '- W @Mara: is treasurer of @Club',
        '- W @Mara: administers the mail list of @Club',
        '- W @Mara: asked @Nils for the keys',
        '- W @مارا: تعمل في النادي',
      ),
    }),
  ).toEqual([])
})

test('relations lead by id, block id, citation and quote; an agent only proposes to correct a person', async () => {
  const target = readFacts(day('- W @Mara: lives in Oslo'), { path: 'memory/2026-01-01.md' }).facts[0]?.id ?? ''
  expect(
    await correctionsIn({
      'memory/2026-01-01.md': day('- W @Mara: lives in Oslo', '- O @Mara: likes tea ^tea1', '- W @王伟: 住在北京'),
      'memory/2026-02-01.md': day(
        `- W @Mara: lives in Bergen (corrects: ^${target}) (by: agent)`,
        '- O @Mara: likes tea no longer (contradicts: ^tea1)',
        '- W @王伟: 住在上海 (corrects: memory/2026-01-01.md#L7)',
      ),
    }),
  ).toEqual([
    'likes tea <- contradicts by likes tea no longer',
    'lives in Oslo <- corrects by lives in Bergen (proposed)',
    '住在北京 <- corrects by 住在上海',
  ])
})

test('a relation that leads nowhere is listed', async () => {
  const { state } = await openBank({ 'memory/2026-01-01.md': day('- W @Mara: x (corrects: ^nowhere1) (retracts: "never said")') })
  expect((await state()).corrections.dead.map(({ relation }) => relation.target)).toEqual(['nowhere1', 'never said'])
})

test.each([
  ['MEMORY.md', true],
  ['memory/topics/router.md', true],
  ['bank/world.md', true],
  ['Daily/2026-03-01.md', true],
  ['日记/2026年3月1日.md', true],
  ['projects/router.md', false],
  ['projects/port 9077.md', false],
  ['SOUL.md', false],
])('the note %s may hold facts: %s', (path, may) => {
  expect(isFactPath(path)).toBe(may)
  const annotator = bankAnnotator()
  expect([annotator.concerns?.(path), annotator.concerns?.(path)]).toEqual([may, may])
})

test('a path is looked at once, however often a folder is listed', () => {
  let asked = 0
  const annotator = bankAnnotator({ concerns: () => (asked += 1) > 0 })
  for (const path of ['a.md', 'b.md', 'a.md', 'b.md']) annotator.concerns?.(path)
  expect(asked).toBe(2)
})
