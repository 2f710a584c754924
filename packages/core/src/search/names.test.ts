import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory, openNotes, pathsFor, search } from '../../test/open-notes.ts'
import { createWordEmbedder } from '../../test/word-embedder.ts'

const MEANINGS = [
  ['moravec', 'paradox', 'robot'],
  ['chess', 'walk'],
  ['milk', 'index'],
]

const SAID = 'It is easy to make computers play chess and hard to make them walk.'

/** Notes that only link to a name, name it often, and log it. */
function linksTo(name: string): Record<string, string> {
  return {
    'Index.md': `# Index\n\n- [[${name}]]\n- [[Other]]\n`,
    'Links.md': `- [[${name}]]\n`,
    'Much.md': `${name}, ${name} and ${name}. I read about ${name} again, see [[${name}|${name}]].`,
    'memory/2026-03-01.md': `# 2026-03-01\n\n- thought about ${name}\n- bought milk\n`,
    'memory/2026-03-02.md': `# 2026-03-02\n\n- ${name}\n`,
  }
}

test.each([
  'Moravec',
  'paradox',
  "Moravec's Paradox",
  'moravecs paradox',
  'Moravec’s Paradox',
  "MORAVEC'S PARADOX",
  "moravec's-paradox",
  'Moravec_s Paradox',
  "“Moravec's Paradox”",
  '"Moravec\'s Paradox"',
  "what is Moravec's paradox?",
  "Moravec's Paradox.md",
  'the paradox of Moravec',
])('P10: the note of that name stands before the notes that link to it: %s', async (query) => {
  const { memory } = await openNotes({ ...linksTo("Moravec's Paradox"), "Moravec's Paradox.md": SAID })
  expect((await pathsFor(memory, query))[0]).toBe("Moravec's Paradox.md")
})

const NAMES = [
  ['Café Zürich', 'cafe zurich'],
  ['ملاحظات الاجتماع', 'ملاحظاتُ الاجتماعِ'],
  ['العقد الجديد', 'العقد الجديد'],
  ['会议记录', '会议记录'],
  ['数据库迁移', '数据库'],
  ['בית חולים', 'בֵּית חולים'],
  ['צה״ל', 'צהל'],
  ['東京出張', '東京出張'],
  ['プロジェクト計画', 'ﾌﾟﾛｼﾞｪｸﾄ計画'],
  ['회의록', '회의록'],
  ['서울 여행 계획', '서울여행 계획'],
  ['Парадокс Моравека', 'парадокс моравека'],
  ['Ёлка', 'ЁЛКА'],
  ['รายงานการประชุม', 'รายงานการประชุม'],
  ['हिन्दी नोट्स', 'हिन्दी नोट्स'],
  ['C++', 'c++'],
  ['Version 1.2', 'version 1.2'],
  ['node.js', 'NodeJS'],
  ['🎉 Party', 'party 🎉'],
  ['It', 'it'],
  ['The Home', 'home'],
  ['notes', 'Notes'],
] as const
const PARTLY: ReadonlySet<string> = new Set(['数据库迁移', '🎉 Party', 'The Home'])
const KINDS = {
  'file name': (name: string) => [`${name}.md`, 'Something else is said here.'],
  'file in a folder': (name: string) => [`deep/er/${name}.md`, '## Part\n\nSomething else is said here.'],
  'front matter title': (name: string) => ['x1.md', `---\ntitle: "${name}"\n---\nSomething else is said here.`],
  'first heading': (name: string) => ['x2.md', `# ${name}\n\nSomething else is said here.`],
  alias: (name: string) => ['x3.md', `---\naliases: ["Other", "${name}"]\n---\n# Zed\n\nSomething else is said here.`],
  heading: (name: string) => [
    'x4.md',
    `# Zed\n\n${'Words about other things. '.repeat(90)}\n\n## ${name}\n\nSomething else is said here.`,
  ],
} as const
for (const [kind, make] of Object.entries(KINDS)) {
  // A heading is matched whole and by its words; its emoji do not count.
  const asked = kind === 'heading' ? NAMES.filter(([name]) => !PARTLY.has(name)) : NAMES
  test.each(asked)(`P10: asked for by its ${kind} a note leads: %s asked as %s`, async (name, query) => {
    const [path, text] = make(name) as [string, string]
    const { memory } = await openNotes({ ...linksTo(name), [path]: text })
    const [hit] = await hitsFor(memory, query, { explain: true })
    expect(hit?.path).toBe(path)
    expect(hit?.explain?.name?.match === 'heading').toBe(kind === 'heading')
  })
}

test('P10: a name with its date, %XX or ___ is known by what a person reads in it', async () => {
  const { memory } = await openNotes({
    ...linksTo('Kick-off'),
    'memory/2026-02-14-1830-kick-off.md': 'We met in the harbour.',
    'Projects___Garden plan.md': 'Roses first.',
    'Who%3A Huda%20Karim.md': 'She works in Bergen.',
    '100% wool.md': 'Wash cold.',
    'other.md': 'The Garden plan, and who: Huda Karim, and 100% wool, are elsewhere. Garden plan! Huda Karim! wool!',
  })
  const first = async (query: string) => (await pathsFor(memory, query))[0]
  expect(await first('kick-off')).toBe('memory/2026-02-14-1830-kick-off.md')
  expect(await first('Garden plan')).toBe('Projects___Garden plan.md')
  expect(await first('Projects/Garden plan')).toBe('Projects___Garden plan.md')
  expect(await first('Who: Huda Karim')).toBe('Who%3A Huda%20Karim.md')
  expect(await first('Huda')).toBe('Who%3A Huda%20Karim.md')
  expect(await first('100% wool')).toBe('100% wool.md')
})

test('P10: two notes of one name both lead, the live one before the archived; alone, the archived one leads', async () => {
  const notes = { ...linksTo('Harbour'), 'a/Harbour.md': 'one', 'b/Harbour.md': 'two' }
  const { memory } = await openNotes(notes)
  expect((await pathsFor(memory, 'harbour')).slice(0, 2)).toEqual(['a/Harbour.md', 'b/Harbour.md'])
  const archived = await openNotes({ ...linksTo('Harbour'), 'archive/Harbour.md': 'Harbour harbour one', 'z/Harbour.md': 'two' })
  expect((await pathsFor(archived.memory, 'harbour')).slice(0, 2)).toEqual(['z/Harbour.md', 'archive/Harbour.md'])
  const alone = await openNotes({ ...linksTo('Harbour'), 'archive/Harbour.md': 'one' })
  expect((await pathsFor(alone.memory, 'Harbour'))[0]).toBe('archive/Harbour.md')
  const superseded = await openNotes({ ...linksTo('Harbour'), 'Harbour.md': '---\nstatus: superseded\n---\none' })
  expect((await pathsFor(superseded.memory, 'Harbour'))[0]).toBe('Harbour.md')
})

test('P10: an exact spelling stands before a title, that before an alias, a heading, a part of a name', async () => {
  const { memory } = await openNotes({
    'part/Home network plan.md': 'one',
    'heading.md': '# Zed\n\ntwo\n\n## Home network\n\nthree',
    'alias.md': '---\naliases: Home network\n---\nfour',
    'title.md': '# Home Network\n\nfive',
    'z/Home network.md': 'six',
  })
  expect(await pathsFor(memory, 'home network')).toEqual([
    'z/Home network.md',
    'title.md',
    'alias.md',
    'heading.md',
    'part/Home network plan.md',
  ])
})

test('P10: a heading that many notes have, and a word of many names, lead nothing', async () => {
  const days = Array.from({ length: 30 }, (_, at): [string, string] => [
    `memory/2026-01-${String(at + 1).padStart(2, '0')} meeting ${at}.md`,
    `# Day ${at}\n\n## Tasks\n\nnothing new ${at}`,
  ])
  const { memory } = await openNotes({
    ...Object.fromEntries(days),
    'how.md': 'How tasks are kept: tasks, tasks. Each meeting has tasks; a meeting is short.',
  })
  const [tasks] = await hitsFor(memory, 'tasks', { explain: true })
  expect(tasks?.explain?.name).toBeUndefined()
  const [meeting] = await hitsFor(memory, 'meeting tasks', { explain: true })
  expect(meeting?.explain?.name).toBeUndefined()
})

test('P06, P10: a note of 600 entries leads by its name with its beginning; a filter decides which chunk stands for it', async () => {
  const entries = Array.from({ length: 600 }, (_, at) => `- memory entry ${at}: ${'word '.repeat(20)}`)
  const { memory } = await openNotes({
    'MEMORY.md': entries.join('\n'),
    'how.md': 'MEMORY.md MEMORY.md is memory, see MEMORY.md',
  })
  for (const query of ['MEMORY.md', 'memory']) {
    const [hit] = await hitsFor(memory, query)
    expect([hit?.path, hit?.startLine]).toEqual(['MEMORY.md', 1])
  }
  const tagged = await openNotes({ 'log.md': `# Log\n\n## 2026-01-01\n\n${'a '.repeat(600)}\n\n## 2026-02-01\n\nb` })
  const [later] = await hitsFor(tagged.memory, 'log', { filter: { since: '2026-01-15' } })
  expect(later?.startLine).toBeGreaterThan(1)
})

test('P10: how many share a name is counted among the notes that the filter lets pass', async () => {
  const parts = Array.from({ length: 600 }, (_, at): [string, string] => [`parts/${at}/README.md`, `part number ${at}`])
  const { memory } = await openNotes({ ...Object.fromEntries(parts), 'how.md': 'Every part has a README, README, README.' })
  expect((await pathsFor(memory, 'README'))[0]).toBe('how.md')
  const filter = { paths: ['parts/7/*', 'how.md'] }
  expect((await pathsFor(memory, 'README', { filter }))[0]).toBe('parts/7/README.md')
})

test('P10: a note asked for by its name does not age', async () => {
  const { memory } = await openNotes(
    { '2019-01-01 lease.md': 'signed', 'memory/2026-03-15.md': 'the lease, the lease' },
    { temporalDecay: { enabled: true } },
  )
  expect((await pathsFor(memory, 'lease'))[0]).toBe('2019-01-01 lease.md')
})

test('P10: with vectors on the named note leads too, and its scores fall', async () => {
  const notes = { ...linksTo("Moravec's Paradox"), "Moravec's Paradox.md": SAID }
  const memory = await openMemory([new NoteSource(notes)], { embeddings: [createWordEmbedder({ meanings: MEANINGS })] })
  await memory.sync()
  for (const overrides of [{}, { fusion: 'rrf' }, { vectorWeight: 1 }] as const) {
    for (const query of ['Moravec', 'moravecs paradox']) {
      const reply = await search(memory, query, { overrides })
      expect(reply.hits[0]?.path).toBe("Moravec's Paradox.md")
      const scores = reply.hits.map(({ score }) => score)
      expect(scores.toSorted((left, right) => right - left)).toEqual(scores)
    }
  }
})

test('P10: a name is no part of what is embedded: a rename embeds nothing', async () => {
  const source = new NoteSource({ 'Lighthouse.md': SAID, 'b.md': 'Another note.' })
  const inputs: string[] = []
  const embedder = createWordEmbedder({ meanings: MEANINGS })
  const counted: typeof embedder = {
    ...embedder,
    embed: (request) => {
      if (request.inputType === 'document') inputs.push(...request.inputs.map((input) => JSON.stringify(input)))
      return embedder.embed(request)
    },
  }
  const memory = await openMemory([source], { embeddings: [counted] })
  await memory.sync()
  expect(inputs.some((input) => /lighthouse/i.test(input))).toBe(false)
  const before = inputs.length
  source.notes.delete('Lighthouse.md')
  source.write('Beacon.md', SAID)
  await memory.sync()
  expect(inputs).toHaveLength(before)
  expect((await pathsFor(memory, 'Beacon', { overrides: { keywordsOnly: true } }))[0]).toBe('Beacon.md')
})
