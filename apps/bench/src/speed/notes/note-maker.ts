import { createRandom } from './random.ts'
import { type Script, WordModel } from './word-model.ts'

export interface MadeNote {
  readonly path: string
  readonly text: string
}

/** Chunks the product makes of one note on average: a chunk has 400 tokens, in English ~1,400 characters, in Arabic half of that. */
export const CHUNKS_PER_NOTE: Readonly<Record<Script, number>> = { en: 5.8, ru: 9.8, ar: 12.5, zh: 8 }
const NOTE_CHARACTERS = 8_300
/** Chinese says the same in a third of the characters. */
const DENSE: Readonly<Partial<Record<Script, number>>> = { zh: 2_700 }
const FIRST_DAY_MS = Date.UTC(2016, 0, 1)
const DAY_MS = 86_400_000
const DAYS = 3_600
const NEW_WORDS_PER_NOTE = 1_000

/**
 * Notes of an agent, made up: daily logs and topics with headings, lists, paragraphs, identifiers and dates, of words drawn from
 * a growing Zipf vocabulary. A note depends on script, seed and number alone, so any of them can be made again.
 */
export class NoteMaker {
  readonly #script: Script
  readonly #seed: number

  constructor(script: Script, seed: number) {
    this.#script = script
    this.#seed = seed
  }

  note(number: number): MadeNote {
    const random = createRandom(this.#seed * 1_000_003 + number)
    const words = new WordModel(this.#script, random, number * NEW_WORDS_PER_NOTE)
    const day = new Date(FIRST_DAY_MS + (number % DAYS) * DAY_MS).toISOString().slice(0, 10)
    const isLog = number % 3 !== 0
    const suffix = number < DAYS ? '' : `-${Math.floor(number / DAYS)}`
    const path = isLog ? `memory/${day}${suffix}.md` : `memory/topics/topic-${number}.md`
    const lines = [`# ${isLog ? day : sentence(words, random, 4)}`]
    let length = 0
    while (length < (DENSE[this.#script] ?? NOTE_CHARACTERS)) {
      const section = sectionOf(words, random)
      lines.push('', ...section)
      length += section.reduce((sum, line) => sum + line.length + 1, 0)
    }
    return { path, text: `${lines.join('\n')}\n` }
  }

  /** Questions of natural length about notes below `noteCount`; one in ten asks for an identifier. */
  questions(count: number, noteCount: number): readonly string[] {
    const random = createRandom(this.#seed + 77)
    return Array.from({ length: count }, (_, index) => {
      const { text } = this.note(Math.floor(random() * noteCount))
      const identifier = /\b[A-Z]{3}-\d+\b/.exec(text)?.[0]
      if (index % 10 === 9 && identifier !== undefined) return identifier
      const sentences = text.split('\n').filter((line) => line.length > 20 && !line.startsWith('#'))
      const chosen = sentences[Math.floor(random() * sentences.length)] ?? text
      return this.#script === 'zh'
        ? chosen.slice(2, 12)
        : chosen
            .replace(/^- /, '')
            .split(' ')
            .slice(0, 5 + Math.floor(random() * 5))
            .join(' ')
    })
  }
}

function sectionOf(words: WordModel, random: () => number): string[] {
  const lines = [`## ${sentence(words, random, 3)}`, '']
  if (random() < 0.6) {
    const items = 3 + Math.floor(random() * 6)
    for (let item = 0; item < items; item += 1) lines.push(`- ${sentence(words, random, 8 + Math.floor(random() * 10))}`)
    return lines
  }
  const sentences = Array.from({ length: 3 + Math.floor(random() * 4) }, () =>
    sentence(words, random, 9 + Math.floor(random() * 10)),
  )
  return [...lines, sentences.join(' ')]
}

function sentence(words: WordModel, random: () => number, length: number): string {
  const chosen = words.words(length)
  if (random() < 0.12) chosen.splice(1, 0, ` ${identifier(random)} `.slice(words.stop === '.' ? 1 : 0).trimEnd())
  const text = words.join(chosen)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${words.stop}`
}

function identifier(random: () => number): string {
  const number = (limit: number): number => Math.floor(random() * limit)
  const kinds = [
    () => `${['OPS', 'INC', 'RFC', 'BUG'][number(4)]}-${1_000 + number(9_000)}`,
    () => `retry_limit_${number(400)}`,
    () => `10.${number(4)}.${number(250)}.${number(250)}`,
    () => `v${number(9)}.${number(30)}.${number(20)}`,
    () => new Date(FIRST_DAY_MS + number(DAYS) * DAY_MS).toISOString().slice(0, 10),
  ]
  return kinds[number(kinds.length)]?.() ?? ''
}
