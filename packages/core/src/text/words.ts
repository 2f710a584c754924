import { foldWord } from './fold.ts'
import { runBigrams, syllableBigrams, wordGrams } from './grams.ts'
import { isEmojiRun } from './runs.ts'
import { type ScriptClass, scriptOf, standsApart } from './scripts.ts'
import { segmentWords } from './segment-words.ts'

/** A word of a run: one position of the text. */
export interface Word {
  /** Folded form. */
  readonly term: string
  /** Offsets in the run, UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly script: ScriptClass
  /** Other exact terms of the same place: parts of camelCase or of an emoji. */
  readonly variants: readonly string[]
  /** What its grams are made of (see `gramsOf`): the term, for Han the whole run at its first word, '' where a gram says nothing. */
  readonly gramSource: string
}

export interface Run {
  readonly words: readonly Word[]
  /** The folded run itself where it is more than its only word: `c++`, `2026-03-14`, `memorysearch.query.hybrid`. */
  readonly whole?: string
}

/** Longer compounds (base64, minified code) are found by their parts only. */
const MAX_WHOLE = 128
/** A longer "word" is data; it is cut to this many code units before it is analysed. */
const MAX_WORD = 256
const MAX_GRAM_WORD = 40

const CONNECTOR = /(?:::|->|[-‐‑./\\:@&+~_#"״,٬])+/u
const CAMEL_BORDER = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const NUMBER = /^\p{Nd}+$/u
/** `1,250.50`, `١٬٢٥٠`: one number, however its thousands are set apart. */
const GROUPED_NUMBER = /^\p{Nd}{1,3}(?:[,٬]\p{Nd}{3})+(?:\.\p{Nd}+)?$/u
/** Hebrew hangs its prepositions on foreign words and numbers: `ה-API`, `ב-2026-05-11`. */
const PREFIX_LETTERS = /^\p{Script=Hebrew}{1,3}-(?=[\p{L}\p{N}])(?!\p{Script=Hebrew})/u
const PLAIN_WORD = /^[A-Za-z][a-z]{0,255}$/
const NONE: readonly string[] = []
const ASCII_WORD = /^[A-Za-z0-9]+$/

interface Piece {
  readonly text: string
  readonly start: number
  readonly script: ScriptClass
}

function splitConnectors(run: string): { text: string; start: number }[] {
  const pieces: { text: string; start: number }[] = []
  const pattern = new RegExp(CONNECTOR, 'gu')
  let from = 0
  for (const match of run.matchAll(pattern)) {
    if (match.index > from) pieces.push({ text: run.slice(from, match.index), start: from })
    from = match.index + match[0].length
  }
  if (from < run.length) pieces.push({ text: run.slice(from), start: from })
  return pieces
}

/** Cuts where a script begins or ends that must stand apart; digits and marks stay with what precedes them, but not with Han. */
function splitScripts(text: string, start: number): Piece[] {
  if (ASCII_WORD.test(text)) return [{ text, start, script: NUMBER.test(text) ? 'other' : 'latin' }]
  const pieces: Piece[] = []
  let from = 0
  let script: ScriptClass = 'other'
  let at = 0
  for (const character of text) {
    const found = scriptOf(character.codePointAt(0) ?? 0)
    const isMark = found === 'other' && /[\p{M}\u00ad\u200b-\u200d]/u.test(character)
    if (at > from && !isMark && found !== script && (standsApart(script) || standsApart(found))) {
      pieces.push({ text: text.slice(from, at), start: start + from, script })
      from = at
      script = found
    } else if (script === 'other' && found !== 'other') {
      script = found
    }
    at += character.length
  }
  pieces.push({ text: text.slice(from), start: start + from, script })
  return pieces
}

function camelParts(text: string): readonly string[] {
  if (!/\p{Ll}\p{Lu}|\p{N}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(text)) return []
  const parts = text.split(CAMEL_BORDER)
  return parts.length > 1 ? parts.map(foldWord).filter((part) => part.length > 1) : []
}

function spacedWord({ text, start, script }: Piece): Word[] {
  // A cut inside a surrogate pair would leave half a letter.
  const raw = text.length > MAX_WORD ? text.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '') : text
  const term = foldWord(raw)
  if (term === '') return []
  const isNumber = NUMBER.test(term)
  const variants = isNumber ? NONE : camelParts(raw)
  return [
    { term, start, end: start + text.length, script, variants, gramSource: isNumber || term.length > MAX_GRAM_WORD ? '' : term },
  ]
}

function unspacedWords(piece: Piece): Word[] {
  const words = segmentWords(piece.text, piece.script).map(({ text, start: offset }): Word => {
    const term = foldWord(text)
    const start = piece.start + offset
    return { term, start, end: start + text.length, script: piece.script, variants: NONE, gramSource: term }
  })
  return words.filter((word) => word.term !== '')
}

/** Bigrams cross dictionary words, so those of the whole run of Han go to its first word. */
function hanWords(piece: Piece): Word[] {
  return unspacedWords(piece).map((word, at) => ({ ...word, gramSource: at === 0 ? foldWord(piece.text) : '' }))
}

function wordsOfPiece(piece: Piece): Word[] {
  if (piece.script === 'han') return hanWords(piece)
  if (piece.script === 'unspaced') return unspacedWords(piece)
  return spacedWord(piece)
}

/** The commonest case by far, in one step. */
function plainWord(run: string): Run {
  const term = run.toLowerCase()
  const gramSource = run.length > MAX_GRAM_WORD ? '' : term
  return { words: [{ term, start: 0, end: run.length, script: 'latin', variants: NONE, gramSource }] }
}

function emojiRun(run: string): Run {
  const term = run.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '')
  const parts = term.split('\u200d').filter((part) => part !== '' && part !== term)
  return { words: [{ term, start: 0, end: run.length, script: 'other', variants: parts, gramSource: '' }] }
}

function wholeOf(run: string, words: readonly Word[]): string | undefined {
  if (run.length > MAX_WHOLE) return undefined
  if (GROUPED_NUMBER.test(run)) return foldWord(run.replace(/[,٬]/g, ''))
  const whole = foldWord(run.replace(/\\/g, '/').replace(/[‐‑]/gu, '-').replace(/״/gu, '"')).replace(/^_+|_+$/g, '')
  const isOneWord = words.length === 1 && words[0]?.term === whole
  // A run of Han or Thai is no compound: its words only stand next to each other.
  const hasConnector = /[-./:@&+~_#>"]/.test(whole)
  return isOneWord || !hasConnector ? undefined : whole
}

/** The prefix is a word, and what it stands before is a run as if it stood alone. */
function withPrefix(prefix: string, { words, whole }: Run): Run {
  const end = prefix.length - 1
  const own = spacedWord({ text: prefix.slice(0, end), start: 0, script: 'hebrew' })
  const shifted = words.map((word) => ({ ...word, start: word.start + prefix.length, end: word.end + prefix.length }))
  return { words: [...own, ...shifted], ...(whole !== undefined && { whole }) }
}

/** A word in ASCII letters: analysed faster than remembered. */
export function isPlainWord(run: string): boolean {
  return PLAIN_WORD.test(run)
}

/** Analyses one run (see `eachRun`). Pure and independent of what stands around it, so its result may be kept. */
export function analyseRun(run: string): Run {
  if (isPlainWord(run)) return plainWord(run)
  if (isEmojiRun(run)) return emojiRun(run)
  const prefix = PREFIX_LETTERS.exec(run)?.[0]
  if (prefix !== undefined) return withPrefix(prefix, analyseRun(run.slice(prefix.length)))
  const words = splitConnectors(run)
    .flatMap(({ text, start }) => splitScripts(text, start))
    .flatMap(wordsOfPiece)
  const whole = wholeOf(run, words)
  if (whole === undefined) return { words }
  return { words: GROUPED_NUMBER.test(run) ? withInteger(words, whole) : words, whole }
}

/** `1,250.50` is found by `1250` too. */
function withInteger(words: readonly Word[], whole: string): readonly Word[] {
  const integer = whole.split('.', 1)
  return words.map((word, at) => (at === 0 ? { ...word, variants: integer } : word))
}

/** Character grams that find other forms of a word. */
export function gramsOf({ script, gramSource }: Pick<Word, 'script' | 'gramSource'>): readonly string[] {
  if (gramSource === '') return NONE
  if (script === 'han') return runBigrams(gramSource)
  return script === 'hangul' ? syllableBigrams(gramSource) : wordGrams(gramSource)
}
