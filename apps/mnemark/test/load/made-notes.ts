import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../faults/random.ts'
import type { Random } from '../faults/random.ts'

const LINES = 60
const WORDS_A_LINE = 12
const VOCABULARY = 4_000

/** Notes of seeded words: enough text for some five chunks each. */
export class MadeNotes {
  readonly #root: string
  readonly #random: Random

  constructor(root: string, seed: number) {
    this.#root = root
    this.#random = createRandom(seed)
    mkdirSync(join(root, 'memory'), { recursive: true })
  }

  /** Writes, or writes anew, the note of a number. */
  write(number: number): void {
    const lines = Array.from({ length: LINES }, () => `- ${this.words(WORDS_A_LINE)}`)
    writeFileSync(join(this.#root, `memory/note-${number}.md`), `# Note ${number}\n\n${lines.join('\n')}\n`)
  }

  /** Common words more often than rare ones, as in any language. */
  words(count: number): string {
    return Array.from({ length: count }, () => `w${Math.floor(VOCABULARY * this.#random.fraction() ** 3)}`).join(' ')
  }
}
