import { expect, test } from 'vitest'
import { contentKey } from './fact-id.ts'
import { readFacts } from './read-facts.ts'

const idOf = (line: string, path = 'memory/2026-03-01.md') =>
  readFacts(`# Day\nText.\n\n## Retain\n\n${line}\n`, { path }).facts[0]?.id

test.each([
  ['- W @Mara: lives in Bergen', '- w @mara'.toUpperCase() + ': Lives in Bergen!'],
  ['- O(c=0.8) @Mara: likes tea', 'O(c=0.3) @Mara — likes tea (see a.md) (by: agent) ^abcd'],
  ['- W @José @Nils: met', '- W @Nils, @Jose: met'],
  ['- W [[people/Mara|M.]]: met', '- W @Mara: met'],
  ['- W @مريم: تَسكنُ في فاس', '- W @مريم: تسكن في فاس.'],
  ['- W @麻里: 部屋は１０１', '- W @麻里: 部屋は101。'],
  ['- W @Mara: lives in Bergen (on: 2026-03-01)', '- W @Mara: lives in Bergen'],
  ["- W @Mara: doesn't smoke", '- W @Mara: doesn’t smoke'],
])('%s and %s are one fact', (left, right) => {
  expect(idOf(left)).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/)
  expect(idOf(right)).toBe(idOf(left))
})

test.each([
  ['- W @Mara: pays 5.5', '- W @Mara: pays 55'],
  ['- W @Mara: pays 5', '- W @Mara: pays -5'],
  ['- W @Mara: grew by 5', '- W @Mara: grew by 5%'],
  ['- W @Mara: uses C++', '- W @Mara: uses C'],
  ['- W @Mara: uses C#', '- W @Mara: uses C'],
  ['- W @Room-101: is cold', '- W @Room-102: is cold'],
  ['- W @غرفة١: باردة', '- W @غرفة٢: باردة'],
  ['- W @Mara: met', '- B @Mara: met'],
  ['- W @Mara: met', '- F @Mara: met'],
  ['- (08:00) W @Mara: took the pill', '- (20:00) W @Mara: took the pill'],
  ['- W @Mara: lives in Bergen', '- W @Mara: lives in Bergen (since: 2026-03-01)'],
  ['- W @Mara: 房租450元', '- W @Mara: 房租540元'],
])('%s and %s are two facts', (left, right) => {
  expect(idOf(left)).not.toBe(idOf(right))
})

test('the id does not depend on line, path, bullet or neighbours; another day is another occurrence', () => {
  expect(idOf('- W @Mara: met', 'memory/2026-03-01-evening.md')).toBe(idOf('* W @Nils: x\n* W @Mara: met'.split('\n')[1] ?? ''))
  expect(idOf('- W @Mara: met', 'memory/2026-03-02.md')).not.toBe(idOf('- W @Mara: met'))
})

test('signs between words do not count, signs of numbers do', () => {
  expect(contentKey('Well, that’s it — done!')).toBe(contentKey('well thats it done'))
  expect(contentKey('at 14:30, not 14.30')).toBe('at 14:30 not 14.30')
})
