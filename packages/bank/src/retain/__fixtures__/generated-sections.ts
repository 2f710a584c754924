import { foldWord } from '@mnemark/core/text'
import type { FactKind } from '../fact.ts'

/** A line of a generated section and what it must be read as; null: no fact. */
interface GeneratedLine {
  readonly text: string
  readonly expected: ExpectedFact | null
}
interface ExpectedFact {
  readonly kind: FactKind
  readonly keys: readonly string[]
  readonly content: string
  readonly confidence?: number
}
export interface GeneratedSection {
  readonly text: string
  /** By line from 1; lines that are missing are no facts. */
  readonly expected: ReadonlyMap<number, ExpectedFact>
}

/** Random numbers in [0, 1) from a seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const KINDS = [
  ['W', 'world'],
  ['B', 'experience'],
  ['O', 'opinion'],
  ['S', 'observation'],
] as const
/** Names as written after `@`, and as compared. */
const NAMES = ['Mara', 'Nils', 'router', 'Room-101', 'v1.20', 'José', 'مريم', 'غرفة١', '麻里', '王伟', 'Пётр', 'ユキ', 'api_v2']
const LONG_NAMES = ['The Old Mill', 'محمد علي', '上海 办公室', 'Peter Lund']
const SAID = [
  'lives in Bergen', 'moved on 3 May', 'paid 5.5 for 12% of it', 'prefers mail (short ones)', 'said: wait', 'uses C++ — not C',
  'يسكن في فاس منذ سنة', 'لا يحب القهوة', 'الإيجار ٤٥٠ درهم', '住在奥斯陆', '他不喜欢电话', '房租是3,500元（含水电）', 'mag keinen Tee',
  'vive en Málaga', 'the path is C:\\new\\notes', 'ran `make: all` twice', 'asked @Lina for the keys', 'see you at 14:30', 'owns "two" cats',
] as const
const BULLETS = ['- ', '* ', '+ ', '• ', '1. ', '2) ', '', '-   '] as const
const BOXES = ['', '', '', '[x] ', '[ ] ', '✅ ', '[P1] ', '[High] '] as const
const CONFIDENCES: readonly (readonly [text: string, value: number])[] = [
  ['(c=0.8)', 0.8], ['(c = .9)', 0.9], ['(c=0,75)', 0.75], ['(c=90%)', 0.9], ['(0.8)', 0.8], ['(conf: 0.55)', 0.55], ['(c=٠٫٨)', 0.8], ['（ｃ＝０．９）', 0.9],
  ['(c≈1)', 1], ['(confidence=0)', 0], ['(c=0.8125)', 0.8125],
]
const SEPARATORS = [': ', ':', '：', ' — ', ' – ', ' - '] as const
/** Trailers that a line has once, and others. */
const SINGLE = ['', '', ' (on: 2026-02-03)', ' (since: 2025-11-01)', ' (on: 2026-02-03..2026-02-05)', ' (by: agent)', ' ^k7f2q9x4wd'] as const
const REPEATED = [
  '', '', ' (see memory/2026-02-01.md#L12)', ' #home', ' (corrects: ^ab12cd34ef)', ' (contradicts: "said so")', ' (bank/world.md).', ' ([[Mara]])',
  ' (https://x.example/a)', ' (supersedes: memory/a.md#L3)',
] as const
/** Lines that are no facts, whatever stands around them. */
const NEVER = [
  '- B 12: seat', '- W. Smith called', "- O'Brien: hello", '- Only then', '- Was: there', '- [Lint](https://x.example) is a linter', '- [[Lint]] is a linter',
  '> [!info] B: note', '- [00:01:11] B said hello', '- [/] half done', '- <font color="#4285F4">W: x</font>', '- uses [[A]] and [[B]] daily',
  '- `W @x: y`', '```\n- W @x: y\n```', '> - W @x: y', '<!-- W @x: y -->', '- w @Mara: small letter', '- @Mara: no letter', '- W user@example.com wrote',
  '- W @scope/name: broke', '- O(c=0.0-1.0) @entity: what you think', '- O(c=0.x) @Mara: text', '- W @实体: 内容', '- W @Mara: …', '- W/B @Mara: both',
  '- O(c=high) @Mara: sure', '- O(c=1.2) @Mara: sure', '- O(c=95) @Mara: sure', '- W @Mara:', '- W @: nobody', '- W [[]]: nobody', '- W [[Mara: open',
  '- O(c=0.8 @Mara: open', '- X @Mara: unknown', '- O(', '- W', '- W:', '- ب: نص', '- 王 @麻里: 好', '- 会议 B: 改期', '- الدليل W: نص', '| W | @Mara | x |', '---', '',
] as const

const pick = <One>(random: () => number, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One // never empty

function factLine(random: () => number): GeneratedLine {
  const [letter, kind] = pick(random, KINDS)
  const confidence = random() < (letter === 'O' ? 0.8 : 0.1) ? pick(random, CONFIDENCES) : undefined
  const count = Math.floor(random() * 3)
  const entities = Array.from({ length: count }, () => entity(random))
  const content = pick(random, SAID)
  // A colon that follows words of a script without capitals, or a name and a dash, is not told apart by anybody.
  const separator = content.includes(': ') ? ': ' : pick(random, SEPARATORS)
  const stars = random() < 0.15 ? '**' : ''
  const wide = random() < 0.1 ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter
  const names = entities.map(({ text }) => ` ${text}`).join(pick(random, [' ', ',', ' &', '、']))
  const trailers = [pick(random, SINGLE), pick(random, REPEATED)]
  if (random() < 0.5) trailers.reverse()
  const head = `${stars}${wide}${confidence?.[0] ?? ''}${names}${stars}${separator}`
  const text = `${pick(random, BULLETS)}${pick(random, BOXES)}${head}${content}${trailers.join('')}`
  const keys = [...new Set(entities.map(({ key }) => key))]
  return { text, expected: { kind, keys, content, ...(confidence !== undefined && { confidence: confidence[1] }) } }
}

function entity(random: () => number): { readonly text: string; readonly key: string } {
  const form = random()
  const name = form < 0.3 ? pick(random, LONG_NAMES) : pick(random, NAMES)
  const key = foldWord(name)
  if (form < 0.15) return { text: `@"${name}"`, key }
  if (form < 0.3) return { text: `[[people/${name}|x]]`, key }
  return { text: form < 0.4 ? `[[${name}]]` : `@${name}`, key }
}

/** A daily note with a Retain section of facts in every form and lines that are none. */
export function generatedSection(seed: number): GeneratedSection {
  const random = randomFrom(seed)
  const lines = ['# Log', 'W @before: is outside the section', '', pick(random, ['## Retain', '### Retain (evening)', '## 🧠 Retain:', '## Retain 2026-03-01']), '']
  const expected = new Map<number, ExpectedFact>()
  const count = 1 + Math.floor(random() * 12)
  for (let made = 0; made < count; made += 1) {
    const line = random() < 0.6 ? factLine(random) : { text: pick(random, NEVER), expected: null }
    // A line of a table, a quote or a rule takes the text below it.
    if (!/^(?:[-*+] |\d)/.test(line.text)) lines.push('')
    if (line.expected !== null) expected.set(lines.length + 1, line.expected)
    lines.push(...line.text.split('\n'))
    if (!/^(?:[-*+] |\d)/.test(line.text)) lines.push('')
  }
  lines.push('', '## Later', '- W @after: is outside the section')
  return { text: lines.join('\n'), expected }
}

const SIGNS = ['(', ')', '@', ':', '~~', '**', '[[', ']]', '"', ' ', '\t', 'W', 'c=', '%', '^', '#', '`', '،', '：', '（', '|', '\\n', '٪', '«', '-', '.', '。', '_', '<!--', '-->']

/** The same section with a few characters of its lines lost, doubled, swapped or added: whatever comes of it. */
export function mutatedSection(seed: number): string {
  const { text } = generatedSection(seed)
  const random = randomFrom(seed ^ 0x5bd1e995)
  const start = text.indexOf('etain')
  let mutated = text
  for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
    const at = start + Math.floor(random() * (mutated.length - start))
    const way = random()
    if (way < 0.25) mutated = mutated.slice(0, at) + mutated.slice(at + 1)
    else if (way < 0.4) mutated = mutated.slice(0, at) + mutated.slice(at, at + 3) + mutated.slice(at)
    else if (way < 0.5) mutated = mutated.slice(0, at) + (mutated[at + 1] ?? '') + (mutated[at] ?? '') + mutated.slice(at + 2)
    else mutated = mutated.slice(0, at) + pick(random, SIGNS) + mutated.slice(at)
  }
  return mutated
}
