import { describe, expect, test } from 'vitest'
import { type Json, Sandbox } from '../harness/launcher.ts'

/** Park and Miller's generator: the same notes in every run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

function pathsOf(document: Json): string[] {
  return Object.values(document.hits ?? {}).map((hit) => String(hit?.path))
}

function ask(box: Sandbox, query: string, options: Parameters<Sandbox['json']>[1] = {}): string[] {
  return pathsOf(box.json(['search', query, '-k', '20'], options).document)
}

const PEOPLE = ['Huda', 'Peter', 'Ana', 'Yusuf', 'Mei', 'Olga', 'Tomas', 'Leila']
const THINGS = ['printer', 'router', 'boiler', 'bicycle', 'lease', 'passport', 'camera', 'garden pump', 'piano', 'fridge']
const FACTS = [
  'was repaired for {n} euro',
  'needs part {n}-B',
  'is insured under {n}',
  'was bought in shop {n}',
  'has the serial number {n}',
]

/** A memory kept for a year: 600 entries under monthly headings, and a log a week that speaks of it. */
function yearOfMemory(): Record<string, string> {
  const random = createRandom(600)
  const pick = (list: readonly string[]) => list[random(list.length)] ?? ''
  const entry = (at: number) =>
    `- [2025-${String(1 + (at % 12)).padStart(2, '0')}] ${pick(PEOPLE)}'s ${pick(THINGS)} ${pick(FACTS).replace('{n}', String(1_000 + at))}`
  const months = Array.from({ length: 12 }, (_, month) => {
    const entries = Array.from({ length: 50 }, (_, at) => entry(month * 50 + at))
    return `## Month ${month + 1}\n\n${entries.join('\n')}\n`
  })
  const logs = Array.from({ length: 52 }, (_, week) => {
    const day = new Date(Date.UTC(2025, 0, 1 + 7 * week)).toISOString().slice(0, 10)
    return [
      `memory/${day}.md`,
      `# ${day}\n\n- wrote into MEMORY.md about the ${pick(THINGS)}\n- MEMORY.md is long, memory is not\n`,
    ]
  })
  return {
    'MEMORY.md': `# What I know\n\nKept by hand since January.\n\n${months.join('\n')}`,
    'memory/how-memory-works.md':
      '# How it works\n\nMEMORY.md holds what lasts; MEMORY.md is read first. Memory, memory, MEMORY.md.\n',
    ...Object.fromEntries(logs),
  }
}

describe('a memory of 600 entries', () => {
  test('is found by its own name, at its beginning, and each entry by what it says', () => {
    const notes = yearOfMemory()
    const box = new Sandbox(notes)
    for (const query of ['MEMORY.md', 'memory', 'Memory', 'what I know']) {
      const { document } = box.json(['search', query])
      expect([pathsOf(document)[0], document.hits?.['0']?.startLine]).toEqual(['MEMORY.md', 1])
    }
    expect(ask(box, 'month 7')[0]).toBe('MEMORY.md')
    const numbers = [...(notes['MEMORY.md'] ?? '').matchAll(/serial number (\d+)/g)].map(([, number]) => String(number))
    for (const number of [numbers[0], numbers.at(-1)])
      expect(String(box.json(['search', `serial number ${number}`]).document.hits?.['0']?.snippet)).toContain(number)
    expect(ask(box, 'how memory works')[0]).toBe('memory/how-memory-works.md')
    const why = box.run(['search', 'MEMORY.md', '--why', 'memory/2025-01-01.md']).stdout
    expect(why).toContain('Why: ')
    expect(why).not.toContain('outside-pool')
  })
})

const SAID = {
  en: ['The browser asks whether a page may read an answer.', 'Turn this on in the settings and start the server again.'],
  de: [
    'Der Browser fragt, ob eine Seite die Antwort lesen darf.',
    'Das wird in den Einstellungen eingeschaltet, danach startet man den Server neu.',
  ],
  ru: ['Браузер спрашивает, может ли страница прочитать ответ.', 'Включите это в настройках и перезапустите сервер.'],
} as const
const TOPICS = ['CORS', 'Webhooks', 'OAuth2', 'Middleware', 'GraphQL']

/** Documentation in three languages: each page tells of its topic, and of the others far down. */
function documentation(): Record<string, string> {
  const pages = Object.entries(SAID).flatMap(([language, sentences]) =>
    TOPICS.map((topic, at) => {
      const filler = Array.from({ length: 40 }, (_, line) => sentences[line % 2]).join('\n\n')
      const other = TOPICS[(at + 1) % TOPICS.length]
      return [
        `docs/${language}/guide/${topic.toLowerCase()}.md`,
        `# ${topic}\n\n${topic}: ${sentences[0]}\n\n${filler}\n\n### Info\n\n${other}: ${sentences[1]}\n\n### ${other} +\n\n${other}, ${other}.\n`,
      ]
    }),
  )
  return {
    ...Object.fromEntries(pages),
    'docs/readme.md': '# Documentation\n\n- CORS\n- OAuth2\n',
    'team/it/rota.md': 'The rota of the week.',
  }
}

describe('documentation in three languages', () => {
  test('one word finds the beginning of its page, in the language that is read, before sections and translations', () => {
    const box = new Sandbox(documentation())
    const places = (query: string, env: Readonly<Record<string, string>>) => {
      const { document } = box.json(['search', query, '-k', '20'], { env })
      return Object.values(document.hits ?? {}).map((hit) => `${String(hit?.path)}:${String(hit?.startLine)}`)
    }
    for (const [tag, language] of [
      ['en_US.UTF-8', 'en'],
      ['de_DE.UTF-8', 'de'],
      ['ru_RU.UTF-8', 'ru'],
    ] as const) {
      const found = places('CORS', { LC_ALL: tag })
      expect(found[0]).toBe(`docs/${language}/guide/cors.md:1`)
      for (const other of ['en', 'de', 'ru'].filter((each) => each !== language)) {
        const at = found.indexOf(`docs/${other}/guide/cors.md:1`)
        expect(at).toBeGreaterThan(found.indexOf('docs/readme.md:1'))
      }
    }
    const english = { env: { LC_ALL: 'en_US.UTF-8' } }
    expect(ask(box, 'wie schaltet man CORS ein', english)[0]).toMatch(/^docs\/de\//)
    expect(ask(box, 'CORS в настройках', english)[0]).toMatch(/^docs\/ru\//)
    box.write('mnemark.json5', '{ agents: { defaults: { memorySearch: { query: { language: "de" } } } } }')
    expect(places('OAuth2', { LC_ALL: 'en_US.UTF-8' })[0]).toBe('docs/de/guide/oauth2.md:1')
  })
})

const CONCEPTS = [
  "Moravec's Paradox",
  'Bayes theorem',
  'Évolution',
  '认知偏差',
  'تأثير الفراشة',
  'Парадокс лжеца',
  'אפקט הפרפר',
  '蝶の羽',
  '나비 효과',
  'ทฤษฎีเกม',
]

/** A vault of links: concepts whose notes hardly name themselves, and everything else that does. */
function vaultOfLinks(): Record<string, string> {
  const random = createRandom(77)
  const link = () => `[[${CONCEPTS[random(CONCEPTS.length)]}]]`
  const maps = Array.from({ length: 20 }, (_, at) => [
    `Maps/Map ${at}.md`,
    `# Map ${at}\n\n${Array.from({ length: 12 }, () => `- ${link()}`).join('\n')}\n`,
  ])
  const days = Array.from({ length: 60 }, (_, at) => {
    const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
    return [`Journal/${day}.md`, `# ${day}\n\nRead about ${link()} and ${link()} on the train.\n`]
  })
  const notes = CONCEPTS.map((name, at) => [
    `Concepts/${name}.md`,
    `Said in other words, number ${at}: ${link()} comes to mind.\n`,
  ])
  return {
    ...Object.fromEntries([...maps, ...days, ...notes]),
    'Templates/Concept.md': "# {{title}}\n\n## Moravec's Paradox\n\n- {{link}}\n",
    'People/x.md': '---\ntitle: Hans Moravec\naliases: [The Roboticist]\n---\nWorked in Pittsburgh.\n',
  }
}

describe('a vault of links', () => {
  test('each concept, title and alias is found first under its name, and templates last', () => {
    const box = new Sandbox(vaultOfLinks())
    for (const name of CONCEPTS) expect(ask(box, name)[0]).toBe(`Concepts/${name}.md`)
    expect(ask(box, 'moravecs paradox')[0]).toBe("Concepts/Moravec's Paradox.md")
    expect(ask(box, 'EVOLUTION')[0]).toBe('Concepts/Évolution.md')
    expect(ask(box, 'theorem')[0]).toBe('Concepts/Bayes theorem.md')
    expect(ask(box, 'hans moravec')[0]).toBe('People/x.md')
    expect(ask(box, 'roboticist')[0]).toBe('People/x.md')
    const alone = box.json(['search', "Moravec's Paradox", '-k', '100']).document
    expect(pathsOf(alone).at(-1)).toBe('Templates/Concept.md')
    const why = box.run(['search', 'Moravec', '--why', "Concepts/Moravec's Paradox.md"]).stdout
    expect(why).toMatch(/Why: returned\. It is hit [12] of/)
    expect(why).toMatch(/name +a part of its name/)
  })
})
