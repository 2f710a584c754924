import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFacts } from '../retain/read-facts.ts'
import { writeFact } from '../retain/write-fact.ts'
import { proposeFacts, type ProposeOptions } from './propose-facts.ts'

const NAMES = ['مارا', '玛拉', 'علی', 'Mara Lund', 'سارة', 'The Old Mill']
const OPTIONS: ProposeOptions = { today: '2026-03-14', namesIn: (text) => NAMES.filter((name) => text.includes(name)) }
const PATH = 'memory/2026-03-02.md'

function proposed(text: string, options = OPTIONS) {
  return proposeFacts([{ path: PATH, text: `# Monday\n\n${text}\n` }], options)
}

function linesOf(text: string): readonly string[] {
  return proposed(text).map(({ fact }) => writeFact({ ...fact, sources: [] }).replace(/ \((?:on|since): [^)]*\)/, ''))
}

test.each([
  // B101: a negation is never lost.
  ['I hate cilantro', '- O: I hate cilantro'],
  ['do not like early calls', '- O: do not like early calls'],
  ['does not use vim and uses nano', '- O: does not use vim and uses nano'],
  ['لا يحب القهوة', '- O: لا يحب القهوة'],
  ['ich mag keinen Tee', '- O: ich mag keinen Tee'],
  ['no longer eats fish', '- O: no longer eats fish'],
  ['Nils never drinks coffee', '- O @Nils: never drinks coffee'],
  ["Claire n'aime pas le thé", "- O @Claire: n'aime pas le thé"],
  ['علی قهوه دوست ندارد', '- O @علی: علی قهوه دوست ندارد'],
  ['玛拉不喜欢电话', '- O @玛拉: 玛拉不喜欢电话'],
  ['Mara no longer lives in Oslo', '- W @Mara: no longer lives in Oslo'],
  // Preferences.
  ['Mara prefers mail to calls.', '- O @Mara: prefers mail to calls'],
  ['Peter Lund likes short replies', '- O @"Peter Lund": likes short replies'],
  ['I always book the window seat', '- O: I always book the window seat'],
  ['Lena bevorzugt kurze Antworten', '- O @Lena: bevorzugt kurze Antworten'],
  ['Lucía prefiere el té', '- O @Lucía: prefiere el té'],
  ['Me gusta el café solo', '- O: Me gusta el café solo'],
  ['Claire préfère le train', '- O @Claire: préfère le train'],
  ['مارا تفضل البريد', '- O @مارا: تفضل البريد'],
  ['نفضل الاجتماع صباحا', '- O: نفضل الاجتماع صباحا'],
  ['我喜欢在周末爬山', '- O: 我喜欢在周末爬山'],
  ['علی چای را ترجیح می‌دهد', '- O @علی: علی چای را ترجیح می‌دهد'],
  // Decisions.
  ['We decided to ship on Friday', '- B: We decided to ship on Friday'],
  ['We decided against Redis', '- B: We decided against Redis'],
  ['Mara Lund and I agreed to meet weekly', '- B @"Mara Lund": Mara Lund and I agreed to meet weekly'],
  ['Decision: keep the old ledger until June', '- B: Decision: keep the old ledger until June'],
  ['[x] decided to call the bank', '- B: decided to call the bank'],
  ['Wir haben uns für Postgres entschieden', '- B: Wir haben uns für Postgres entschieden'],
  ['Hemos decidido usar Postgres', '- B: Hemos decidido usar Postgres'],
  ['Nous avons décidé de garder Postgres', '- B: Nous avons décidé de garder Postgres'],
  ['قررنا استخدام بوستغرس', '- B: قررنا استخدام بوستغرس'],
  ['我们决定使用 Postgres 数据库', '- B: 我们决定使用 Postgres 数据库'],
  ['تصمیم گرفتیم بانک را عوض کنیم', '- B: تصمیم گرفتیم بانک را عوض کنیم'],
  // States.
  ['Peter Lund lives in Bergen', '- W @"Peter Lund": lives in Bergen'],
  ['Mara is allergic to nuts', '- W @Mara: is allergic to nuts'],
  ['Mara Lund is the treasurer of the club', '- W @"Mara Lund": is the treasurer of the club'],
  ['Lena wohnt jetzt in Köln', '- W @Lena: wohnt jetzt in Köln'],
  ['Lucía vive en Madrid', '- W @Lucía: vive en Madrid'],
  ['Claire habite à Lyon', '- W @Claire: habite à Lyon'],
  ['مارا تسكن في بيرغن', '- W @مارا: تسكن في بيرغن'],
  ['玛拉住在卑尔根', '- W @玛拉: 住在卑尔根'],
  ['علی در تهران زندگی می‌کند', '- W @علی: علی در تهران زندگی می‌کند'],
  // Events of somebody who is named.
  ['(14:30) Mara signed the lease', '- B @Mara: signed the lease'],
  ['Tom joined the team as lead', '- B @Tom: joined the team as lead'],
])('%s', (bullet, line) => {
  expect(linesOf(`- ${bullet}`)).toEqual([line])
})

test.each([
  // Asked, doubted, wished, of nobody who is named.
  ['Does Mara like tea?'],
  ['Maybe Mara likes tea'],
  ['Mara might move to Oslo'],
  ['If Mara moved to Oslo we would visit'],
  ['He would like a call'],
  ['She prefers tea'],
  ['他不喜欢电话'],
  ['هو يحب القهوة'],
  ['Everyone likes cake'],
  ['Today is a beautiful day'],
  ['Hiking is a great way to meet people'],
  ["We haven't decided on a date"],
  ['也许玛拉喜欢茶'],
  ['我们还没决定用哪个'],
  ['ربما تحب مارا الشاي'],
  ['Vielleicht mag Lena Tee'],
  ['Quizás Lucía prefiere el té'],
  ['I love that!'],
  ['我很喜欢这种气质'],
  ['好的，那就决定了！'],
  ['I know he likes traveling'],
  // Scraps: B107.
  ['sudo apt remove x && make'],
  ['Candidate: Mara likes x confidence: 0.00 status: staged'],
  ['We decided to:'],
  ['Mara prefers mail and'],
  ['[ ] decided to call the bank'],
  ['it looks like rain'],
  ['~~Mara lives in Oslo~~ Mara lives in Bergen'],
  ['Note: I like tea'],
  ['rained all day'],
])('nothing is offered for: %s', (bullet) => {
  expect(linesOf(`- ${bullet}`)).toEqual([])
})

test('B104: what is code, quoted, a table, a fact or a managed block already is left alone', () => {
  const text = [
    '## Decision',
    '',
    '> Mara prefers mail',
    '',
    '```',
    'Mara prefers mail',
    '```',
    '',
    '| who | what |',
    '| --- | --- |',
    '| Mara | prefers mail |',
    '',
    '<!-- mnemark:bank:start v=1 -->',
    '- Mara prefers mail',
    '<!-- mnemark:bank:end -->',
    '',
    '## Retain',
    '- W @Mara: prefers mail',
    '- [Lint](https://x.example) is a linter',
  ].join('\n')
  expect(proposed(text).filter(({ why }) => why !== 'candidate')).toEqual([])
})

test('a bullet of a Retain section without a letter is a candidate', () => {
  const [only, ...more] = proposed('## Retain\n- W @Mara: plays chess\n- the boiler is serviced in May\n- Mara prefers mail')
  expect([only?.why, only?.kind, only?.content, only?.source]).toEqual([
    'candidate',
    'world',
    'the boiler is serviced in May',
    `${PATH}#L5-L5`,
  ])
  expect(more.map(({ kind, entities }) => [kind, entities])).toEqual([['opinion', ['Mara']]])
})

test('what is appended behind a Retain section is read as any other text', () => {
  expect(linesOf('## Retain\n- W @Mara: plays chess\n\nNils never drinks coffee. It rained.')).toEqual([
    '- O @Nils: never drinks coffee',
  ])
})

test('sentences of a paragraph have their own lines; an abbreviation ends none', () => {
  const text = 'It rained. We met at noon.\nMara moved to Oslo yesterday. Dr. Lund\nwas late, and Tom joined the\nteam.'
  expect(proposed(text).map(({ content, source, fact }) => [content, source, fact.written])).toEqual([
    ['moved to Oslo yesterday', `${PATH}#L4-L4`, { from: '2026-03-01', to: '2026-03-01' }],
  ])
})

test('in a conversation the speaker is the entity; a program has no preferences', () => {
  const text =
    '- User: I love hiking in the Alps\n- Assistant: I love hiking in the Alps\n- Mel: I like old maps <!-- D1:3 -->\n- Mel: I enjoy sailing at night'
  expect(linesOf(text)).toEqual([
    '- O @user: I love hiking in the Alps',
    '- O @Mel: I like old maps',
    '- O @Mel: I enjoy sailing at night',
  ])
})

test('days come from the words, else from the log; today needs none', () => {
  const written = (bullet: string, today = OPTIONS.today) => proposed(`- ${bullet}`, { ...OPTIONS, today })[0]?.fact.written
  expect(written('Peter Lund lives in Bergen since February 2026')).toEqual({ from: '2026-02-01', isOpen: true })
  expect(written('We decided to ship on 6 March')).toEqual({ from: '2026-03-06', to: '2026-03-06' })
  expect(written('Mara prefers port 9077')).toEqual({ from: '2026-03-02', to: '2026-03-02' })
  expect(written('Mara prefers port 9077', '2026-03-02')).toBeUndefined()
})

test('what is known, or said twice, is offered once; values that differ are two', () => {
  const logs = [
    { path: PATH, text: '- Mara prefers mail\n- Room 101 is locked\n' },
    { path: 'memory/2026-03-03.md', text: '- Mara prefers mail.\n- Mara likes 2 lumps\n- Mara likes 3 lumps\n' },
  ]
  const found = proposeFacts(logs, OPTIONS)
  expect(found.map(({ content }) => content)).toEqual(['prefers mail', 'likes 2 lumps', 'likes 3 lumps'])
  const known = readFacts(`## Retain\n${found.map(({ fact }) => writeFact(fact)).join('\n')}\n`, {
    path: 'memory/2026-03-14.md',
  }).facts
  expect(proposeFacts(logs, { ...OPTIONS, known })).toEqual([])
})

test('notes outside the memory, copies, and what is over offer nothing', () => {
  const paths = ['memory/dreaming/2026-03-02.md', 'memory/archive/2026-03-02.md']
  expect(
    proposeFacts(
      paths.map((path) => ({ path, text: '- Mara prefers mail\n' })),
      OPTIONS,
    ),
  ).toEqual([])
  expect(
    proposed('').concat(proposeFacts([{ path: PATH, text: '---\nstatus: superseded\n---\n- Mara prefers mail\n' }], OPTIONS)),
  ).toEqual([])
  expect(proposeFacts([{ path: 'projects/plan.md', text: '- Mara prefers mail\n' }], OPTIONS)).toEqual([])
})

const WORDS = [
  'Mara',
  'Peter Lund',
  'prefers',
  'does not like',
  'lives in',
  'Oslo',
  'تحب',
  'لا',
  '不喜欢',
  '玛拉',
  '(see x)',
  '^ab',
  '#tag',
  '@Nils',
  '[[A]]',
  '"q"',
  '5.5',
  '(c=0.5)',
  ':',
  '~~',
  '`a`',
  'W',
  'since 2025',
  '<!-- -->',
]
test('a proposal that is written reads as what it says, whatever stands in the log', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 }), { maxLength: 6 }), (bullets) => {
      for (const { fact, kind, content, entities } of proposed(bullets.map((words) => `- ${words.join(' ')}`).join('\n'))) {
        const read = readFacts(`## Retain\n${writeFact(fact)}\n`, { path: 'memory/2026-03-14.md' })
        expect(read.problems).toEqual([])
        expect(read.facts.map((one) => [one.kind, one.content, one.entities.map(({ name }) => name)])).toEqual([
          [kind, content, entities],
        ])
      }
    }),
    { numRuns: 300 },
  )
})
