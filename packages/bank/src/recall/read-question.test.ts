import { expect, test } from 'vitest'
import { Entities } from '../entities/entities.ts'
import { readFacts } from '../retain/read-facts.ts'
import { isInWindow } from './in-window.ts'
import { readQuestion } from './read-question.ts'

const NOW = Date.UTC(2026, 2, 14, 12)
const facts = readFacts(
  '# Day\nText.\n\n## Retain\n- W @Mara @"Peter Lund" @Peter @Room-101 @مريم @王伟 @ユキ @v1.2 @José @Iran @api_v2: x\n',
  { path: 'memory/2026-03-01.md' },
).facts
const entities = new Entities(
  [{ path: 'bank/entities/Mara.md', name: 'Mara', aliases: ['مارا', 'M. Lind'], isOwn: true }],
  facts.flatMap((fact) => fact.entities),
)
const read = (question: string) => readQuestion(question, { entities, nowMs: NOW, timeZone: 'UTC' })

test.each([
  ['where does Mara live?', ['Mara']],
  ["what is mara's address", ['Mara']],
  ['أين تسكن مارا', ['Mara']],
  ['what does M. Lind think of JOSE', ['Mara', 'José']],
  ['ما رأي مريم؟', ['مريم']],
  ['هل قلت لمريم', ['مريم']],
  ['王伟住在哪里', ['王伟']],
  ['昨天ユキさんは何を言った', ['ユキ']],
  ['who met Peter Lund', ['Peter Lund']],
  ['who met Peter', ['Peter']],
  ['is room 101 free', ['Room-101']],
  ['is api v2 up', ['api_v2']],
  ['is room 1012 free', []],
  ['release v1.20', []],
  ['Tigran pays the rent', []],
  ['marathon training', []],
])('%s asks about %j', (question, names) => {
  expect(read(question).entities.map(({ name }) => name)).toEqual(names)
})

test.each([
  ['what did we decide on 2026-03-02', '2026-03-02', '2026-03-02'],
  ['what happened in November 2025', '2025-11-01', '2025-11-30'],
  ['what did she say yesterday', '2026-03-13', '2026-03-13'],
  ['昨天她说了什么', '2026-03-13', '2026-03-13'],
  ['ماذا قالت أمس', '2026-03-13', '2026-03-13'],
  ['config of port 9077', undefined, undefined],
  ['ticket 1984', undefined, undefined],
  ['房间 2099', undefined, undefined],
])('B95: %s is about %s to %s', (question, since, until) => {
  expect([read(question).since, read(question).until]).toEqual([since, until])
})

test.each([
  ['what does Mara prefer', 'preference'],
  ['ماذا تحب مريم', 'preference'],
  ['王伟喜欢什么', 'preference'],
  ['was mag Mara', 'preference'],
  ['what is the new office like', undefined],
  ['how has the rent changed', 'history'],
  ['where is the router', undefined],
])('%s wishes for %s', (question, wish) => {
  expect(read(question).wish).toBe(wish)
})

test('a window takes events that touch it, and states that had begun by its end', () => {
  const november = { since: '2025-11-01', until: '2025-11-30' }
  const may = { from: '2024-05-01', to: '2024-05-01' }
  expect(isInWindow(may, 'state', november)).toBe(true)
  expect(isInWindow(may, 'event', november)).toBe(false)
  expect(isInWindow({ from: '2025-10-30', to: '2025-11-02' }, 'event', november)).toBe(true)
  expect(isInWindow({ from: '2025-01-01', isOpen: true }, 'event', november)).toBe(true)
  expect(isInWindow({ from: '2025-12-01', isOpen: true }, 'state', november)).toBe(false)
  expect(isInWindow(undefined, 'event', november)).toBe(true)
  expect(isInWindow(may, 'event', { until: '2025-11-30' })).toBe(true)
})
