import { parseDocument } from '@mnemark/core/document'
import { expect, test } from 'vitest'
import type { FactEntity } from '../retain/fact.ts'
import { readFacts } from '../retain/read-facts.ts'
import { Entities } from './entities.ts'
import { type EntityPage, entityPageOf } from './entity-page.ts'
import { entitySlug } from './slug.ts'
import { suggestMerges } from './suggest-merges.ts'

const page = (path: string, text = ''): EntityPage => entityPageOf(path, parseDocument({ source: 'memory', path }, { text }))
const namedIn = (...lines: readonly string[]): readonly (readonly FactEntity[])[] =>
  readFacts(`# Day\nText.\n\n## Retain\n${lines.join('\n')}\n`, { path: 'memory/2026-03-01.md' }).facts.map(
    ({ entities }) => entities,
  )

/** Suggestions for what lines of facts name. */
function suggestionsFor(lines: readonly string[], pages: readonly EntityPage[] = []) {
  const facts = namedIn(...lines)
  const together = new Map<string, Set<string>>()
  for (const entities of facts)
    for (const { key } of entities)
      together.set(
        key,
        new Set([...(together.get(key) ?? []), ...entities.map((other) => other.key)].filter((other) => other !== key)),
      )
  const entities = new Entities(pages, facts.flat())
  return { entities, suggestions: suggestMerges(entities.all(), { together }) }
}

test('names are one where their folded forms are equal or a page declares both', () => {
  const entities = new Entities(
    [
      page('bank/entities/Mara.md', '---\naliases: [مارا, M. Lind]\n---\n'),
      page('people/Nils.md', '---\naliases: [N.]\n---\n# Nils Berg\n'),
    ],
    namedIn('- W @José @أحمد @غرفة١: x').flat(),
  )
  for (const [left, right] of [
    ['Mara', 'مارا'],
    ['mara', 'm. lind'],
    ['Jose', 'JOSÉ'],
    ['احمد', 'أحمد'],
    ['غرفة1', 'غرفة١'],
    ['Nils', 'Nils Berg'],
    ['N.', 'nils'],
  ] as const)
    expect([left, right, entities.areOne(left, right)]).toEqual([left, right, true])
  for (const [left, right] of [
    ['Mara', 'Maria'],
    ['Peter', 'Pete'],
    ['Peter', 'Peter Lund'],
    ['Iran', 'Tigran'],
    ['إيران', 'تيجران'],
    ['王伟', '王维'],
  ] as const)
    expect([left, right, entities.areOne(left, right)]).toEqual([left, right, false])
  expect(entities.find('مارا')).toMatchObject({
    name: 'Mara',
    slug: 'Mara',
    page: 'bank/entities/Mara.md',
    aliases: ['مارا', 'M. Lind'],
  })
})

test('an ending is cut only where the rest is a known name', () => {
  const entities = new Entities([], namedIn('- W @Peter: x', '- W @ピーター: x', '- W @بيتر: x', "- W @Nils's: x").flat())
  expect(entities.find("Peter's")?.name).toBe('Peter')
  expect(entities.find('ピーターさん')?.name).toBe('ピーター')
  expect(entities.find('بيتر،')?.name).toBe('بيتر')
  expect(entities.find("Nils's")?.name).toBe("Nils's")
  expect(entities.find('Nils')).toBeUndefined()
})

test('B91: a name is not joined to another that shares letters, company and a day', () => {
  const facts = (other: string, late: string) => [
    ...Array.from({ length: 30 }, (_, at) => `- W @user @${other}: fact ${at}`),
    `- W @user @${late}: pays the rent`,
  ]
  for (const [other, late] of [
    ['Iran', 'Tigran'],
    ['إيران', 'تيجران'],
    ['王伟', '王维'],
    ['Иран', 'Тигран'],
    ['Ιράν', 'Τιγκράν'],
    ['איראן', 'טיגראן'],
    ['ईरान', 'तिगरान'],
    ['イラン', 'ティグラン'],
    ['이란', '티그란'],
    ['อิหร่าน', 'ทิกราน'],
    ['Iran', 'تيجران'],
    ['إيران', 'Tigran'],
    ['Иран', 'Tigran'],
  ] as const) {
    const { entities, suggestions } = suggestionsFor(facts(other, late))
    expect(entities.all()).toHaveLength(3)
    expect(suggestions).toEqual([])
  }
})

test('B92: names that differ in a digit are different, and no merge is suggested', () => {
  const names = [
    'Room-101',
    'Room-102',
    'UA123',
    'UA124',
    'Tax-2023',
    'Tax-2024',
    'v1.2',
    'v1.20',
    'غرفة١',
    'غرفة٢',
    '会议室101',
    '会议室102',
    'Project-2026-01-02',
    'Project-2026-01-03',
    'Комната-1',
    'Комната-2',
    'אולם1',
    'אולם2',
    'कमरा१',
    'कमरा२',
    'ห้อง๑',
    'ห้อง๒',
    '部屋1',
    '部屋2',
    '호실1',
    '호실2',
    'Δωμάτιο1',
    'Δωμάτιο2',
    'Komnata-3',
    'Tax-２０２５',
  ]
  const { entities, suggestions } = suggestionsFor(names.map((name) => `- W @${name} @Mara @Nils: x`))
  expect(entities.all()).toHaveLength(names.length + 2)
  expect(suggestions).toEqual([])
})

test('a contained name is suggested with two shared entities, a letter apart from six letters on, never across types', () => {
  expect(suggestionsFor(['- W @Peter @Mara @Nils: x', '- W @"Peter Lund" @Mara @Nils: y']).suggestions).toEqual([
    { keys: ['peter', 'peter lund'], why: 'contained' },
  ])
  expect(suggestionsFor(['- W @Peter @Mara: x', '- W @"Peter Lund" @Mara: y']).suggestions).toEqual([])
  expect(suggestionsFor(['- W @Lindqvist: x', '- W @Lindquist: y']).suggestions).toEqual([
    { keys: ['lindquist', 'lindqvist'], why: 'spelling' },
  ])
  expect(suggestionsFor(['- W @القاهرة: x', '- W @القاهره: y', '- W @الإسكندرية: x', '- W @الاسكندريه: y']).suggestions).toEqual(
    [],
  )
  expect(suggestionsFor(['- W @Mara: x', '- W @Maria: y']).suggestions).toEqual([])
  const types = [
    page('bank/entities/Orchard.md', '---\ntype: place\n---\n'),
    page('bank/entities/Orchart.md', '---\ntype: person\n---\n'),
  ]
  expect(suggestionsFor([], types).suggestions).toEqual([])
  const alike = [
    page('bank/entities/Peter.md', '---\ntype: person\n---\n'),
    page('bank/entities/بيتر.md', '---\ntype: place\n---\n'),
  ]
  expect(suggestionsFor([], alike).suggestions).toEqual([])
})

test.each([
  [
    ['Peter', 'بيتر', 'Пётр'],
    ['peter/петр', 'peter/بيتر', 'петр/بيتر'],
  ],
  [
    ['Mara', 'مارا', 'Мара', 'Omar', 'عمر'],
    ['mara/мара', 'mara/مارا', 'мара/مارا'],
  ],
  [['Peter Lund', 'بيتر لوند', 'بيتر', 'لوند'], ['peter lund/بيتر لوند']],
  [['Шарапов', 'Sharapov', 'Χριστος', 'Christos'], ['sharapov/шарапов']],
  [
    ['Tigran', 'تيجران', 'Iran', 'إيران'],
    ['iran/ايران', 'tigran/تيجران'],
  ],
  [['אברהם', 'Abraham', 'يوسف', 'Yusuf', 'Josef'], ['abraham/אברהמ']],
  [['Room 1', 'روم 2', 'Rom 2'], ['rom 2/روم 2']],
  [['麻里', 'Mari', 'ピーター', 'Peter', '🚀', 'Mария'], []],
])('%j in scripts that write them for each other: a hint, with its reason', (names, pairs) => {
  const { suggestions } = suggestionsFor(names.map((name) => `- W @"${name}": x`))
  const alike = suggestions.filter(({ why }) => why === 'script')
  expect(alike.map(({ keys }) => keys.toSorted().join('/')).sort()).toEqual(pairs)
})

test('a label of links is suggested after two uses', () => {
  const entities = new Entities([], namedIn('- W @"Peter Lund" @Pete: x').flat()).all()
  const labels = (count: number) =>
    suggestMerges(entities, { together: new Map(), labels: [{ target: 'peter lund', label: 'pete', count }] })
  expect(labels(1)).toEqual([])
  expect(labels(2)).toEqual([{ keys: ['pete', 'peter lund'], why: 'label' }])
})

test('two pages for one entity are named, and the first by path has it', () => {
  const entities = new Entities(
    [page('bank/entities/b.md', '---\ntitle: Mara\n---\n'), page('bank/entities/a.md', '---\naliases: mara\n---\n')],
    [],
  )
  expect(entities.conflicts).toEqual([{ key: 'mara', paths: ['bank/entities/a.md', 'bank/entities/b.md'] }])
  expect(entities.find('Mara')?.page).toBe('bank/entities/a.md')
})

test('a page that a merge left behind leads to the other', () => {
  const entities = new Entities(
    [
      page('bank/entities/Mara.md', '---\naliases: [Maren]\n---\n'),
      page('bank/entities/Maren.md', '---\nredirect: Mara\n---\n'),
      page('bank/entities/Aa.md', '---\nredirect: Mara\n---\n'),
    ],
    [],
  )
  expect(entities.conflicts).toEqual([])
  expect(entities.find('Maren')?.page).toBe('bank/entities/Mara.md')
  expect(entities.find('Aa')?.page).toBe('bank/entities/Mara.md')
})

test.each([
  ['Mara', 'Mara'],
  ['محمد علي', 'محمد-علي'],
  ['麻里', '麻里'],
  ['Пётр', 'Пётр'],
  ['a/b\\c:d', 'a-b-c-d'],
  ['C++ & co', 'C++-&-co'],
  ['..hidden..', 'hidden'],
  ['con', '_con'],
  ['AUX.txt', '_AUX.txt'],
])('the page of %s is named %s', (name, slug) => {
  expect(entitySlug(name)).toBe(slug)
})

test('a name without letters, and one that is too long, get a hash', () => {
  expect(entitySlug('🚀')).toMatch(/^entity-[0-9a-f]{6}$/)
  expect(entitySlug('🚀')).not.toBe(entitySlug('🛰'))
  const long = entitySlug('ش'.repeat(100))
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(120)
  expect(entitySlug('ش'.repeat(101))).not.toBe(long)
})
