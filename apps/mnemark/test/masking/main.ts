/** How much of prose without secrets is hidden: `MNEMARK_EVAL_DATA=DIR pnpm bench:masking`. `--show` prints what was hidden. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { maskingsOf } from '@mnemark/masking'

/** Asked of the masking: fewer than one word in so many. */
const WORDS_FOR_ONE = 10_000

interface Hidden {
  readonly words: number
  readonly pieces: readonly string[]
}

/** Every text of a set of questions or chats: `docs` or `files`, in the format of `pnpm bench:quality`. */
function textsOf(file: string): readonly string[] {
  const set: { readonly docs?: readonly { readonly text: string }[]; readonly files?: readonly { readonly text: string }[] } =
    JSON.parse(readFileSync(file, 'utf8'))
  return [...(set.docs ?? []), ...(set.files ?? [])].map(({ text }) => text)
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

async function measure(texts: readonly string[]): Promise<Hidden> {
  let count = 0
  const pieces: string[] = []
  for (const text of texts) {
    for (const { isWordLike } of words.segment(text)) if (isWordLike === true) count += 1
    for (const { at, length } of await maskingsOf(text)) pieces.push(text.slice(Math.max(0, at - 40), at + length))
  }
  return { words: count, pieces }
}

const folder = process.env.MNEMARK_EVAL_DATA
if (folder === undefined) {
  console.log('skipped: MNEMARK_EVAL_DATA names no folder of texts')
} else {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  const bySet = Map.groupBy(files.toSorted(), (file) => file.split(sep)[0] ?? file)
  let [total, hidden] = [0, 0]
  for (const [name, members] of bySet) {
    const found = await measure(members.flatMap((file) => textsOf(join(folder, file))))
    console.log(`${name.padEnd(16)} ${String(found.words).padStart(9)} words  ${String(found.pieces.length).padStart(4)} hidden`)
    if (process.argv.includes('--show')) for (const piece of found.pieces) console.log(`    ${JSON.stringify(piece)}`)
    total += found.words
    hidden += found.pieces.length
  }
  const share = hidden === 0 ? 'none' : `1 word in ${Math.round(total / hidden).toLocaleString('en')}`
  console.log(`${total.toLocaleString('en')} words, ${hidden} hidden: ${share}`)
  if (hidden * WORDS_FOR_ONE >= total) process.exitCode = 1
}
