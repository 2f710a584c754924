import type { Random } from './random.ts'

const WORDS = `router vlan budget garden invoice server backup deploy rollback kernel meeting lantern harbour violin copper meadow
 glacier orchard tunnel whistle anchor basket candle dragon ember falcon granite hollow island juniper kettle ladder marble needle
 otter pepper quarry ribbon saddle timber umbrella velvet walnut yonder zephyr 会议 东京 数据库 المكتبة الإطلاق قرار データベース
 데이터베이스 ประชุม résumé naïve café Straße`
  .trim()
  .split(/\s+/)

/** Queries for every index: words of few notes, in several scripts, a phrase, a prefix, a code. */
export const QUERIES: readonly string[] = [
  'zephyr glacier',
  '会议',
  '数据库',
  'مكتبه',
  'اطلاق',
  'データベース',
  'naive cafe',
  'ประชุม',
  '"lantern harbour"',
  'umbr*',
  'OC-41252',
  'kettle -marble',
]

const LETTERS = 'bcdfghjklmnpqrstvwxz'

/** A word that only the note of this number has; of letters, since notes that differ in digits alone count as repeats. */
export function ownWord(number: number): string {
  let word = 'q'
  for (let left = number; word.length < 6; left = Math.floor(left / LETTERS.length)) word += LETTERS[left % LETTERS.length]
  return `${word}e`
}

/** A note with a heading or two, its own word, and a few of everybody's. */
export function sampleNote(random: Random, number: number): string {
  const line = (): string => Array.from({ length: 4 + random.below(6) }, () => random.pick(WORDS)).join(' ')
  const lines = Array.from({ length: 1 + random.below(5) }, line)
  const extra = random.below(12) === 0 ? ['see OC-41252'] : random.below(12) === 0 ? ['the lantern harbour plan'] : []
  return [`# ${ownWord(number)} ${random.pick(WORDS)}`, '', ...lines, '', `## ${random.pick(WORDS)}`, line(), ...extra, ''].join(
    '\n',
  )
}
