import { foldWord } from './letters/fold.ts'
import { runBigrams, syllableBigrams, wordGrams } from './grams.ts'
import { sharedHan } from './letters/han-variants.ts'
import { isEmojiRun } from './runs.ts'
import { type ScriptClass, scriptOf, standsApart } from './scripts.ts'
import { segmentWords } from './segment-words.ts'
import { sharedSpelling } from './letters/spellings.ts'

/** A word of a run, at one position of the text. */
export interface Word {
  /** Folded form. */
  readonly term: string
  /** Offsets in the run, UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly script: ScriptClass
  /** Other exact terms at the same position: parts of camelCase or of an emoji. */
  readonly variants: readonly string[]
  /** The form shared with other spellings of the word, '' where that is the term: see `sharedSpelling`. */
  readonly shared: string
  /** The word in its two-word spelling: `100km`, and the parts of a word with a zero-width non-joiner. */
  readonly parts: readonly string[]
  /** Source of its grams (see `gramsOf`): the term, for Han the whole run at its first word, '' for no grams. */
  readonly gramSource: string
}

export interface Run {
  readonly words: readonly Word[]
  /** The folded run where it is more than its only word: `c++`, `2026-03-14`, `memorysearch.query.hybrid`. */
  readonly whole?: string
  /** Spellings of the run without its signs: `nodejs`, `email`, `its`, `1250`. */
  readonly joined: readonly string[]
}

/** Longer compounds (base64, minified code) are found by their parts only. */
const MAX_WHOLE = 128
/** A longer "word" is data; it is cut to this many code units before it is analysed. */
const MAX_WORD = 256
const MAX_GRAM_WORD = 40

const CONNECTOR = /(?:::|->|[-‐‑./\\:@&+~_#"'’‘,٬]|[״׳](?!\p{Script=Hebrew})|[״׳](?<!\p{Script=Hebrew}.))+/u
const CAMEL_BORDER = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const NUMBER = /^\p{Nd}+$/u
/** `1,250.50`, `1.250`, `12,50,000`, `1,0500`, `4111-1111-1111`: possibly one number, with its digits in groups. */
const GROUPED_NUMBER =
  /^(?:\d{1,3}(?:[,٬]\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,4}(?:[,٬]\d{4})+|\d{4}(?:-\d{4})+(?:-\d{1,4})?|\d{1,3}(?:_\d{3})+)$/u
/** Digits, then letters: `100km`, `16gb`, `5th`. */
const NUMBER_AND_UNIT = /^(\d+)(\p{L}[\p{L}\p{M}]{0,11})$/u
/** Compounds that are also spelled as one word, by the sign between their parts: `U.S.A.`, `node.js`, `e-mail`, `it's`. */
const JOINABLE =
  /^\p{L}[\p{L}\p{M}\p{N}]*(?:(?:[-‐‑][\p{L}\p{N}][\p{L}\p{M}\p{N}]*){1,4}|(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}]*){1,4}|(?:['’‘׳]\p{L}[\p{L}\p{M}]*){1,4})$/u
const MAX_JOINED = 40
const JOINT = /[-‐‑._,٬'’‘׳]/
const DECIMAL_AND_UNIT = /^(\d+[.,]\d+)(\p{L}[\p{L}\p{M}]{0,11})$/u
/** Hebrew abbreviations before their last letter (`צה"ל`), foreign sounds (`ג'ירפה`): letters of the word, whichever sign was typed. */
const HEBREW_SIGN = /(?<=\p{Script=Hebrew})(?:["״](?=\p{Script=Hebrew}(?!\p{Script=Hebrew}))|['’‘׳](?=\p{Script=Hebrew}))/gu
const MAY_HOLD_HEBREW_SIGN = /[\u0590-\u05ff]["״'’‘׳]/
/** Hebrew joins its prepositions to foreign words and numbers: `ה-API`, `ב-2026-05-11`. */
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

/**
 * Cuts at borders of scripts that share no word with others; digits and marks stay with the text before them, but not
 * with Han.
 */
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
  const shared = sharedSpelling(raw, term, script)
  const gramSource = isNumber || term.length > MAX_GRAM_WORD ? '' : term
  return [{ term, start, end: start + text.length, script, variants, shared, parts: partsOf(raw, term), gramSource }]
}

/**
 * Separate words that others write for this one: a number and its unit, and the parts around a zero-width non-joiner
 * (`نرم‌افزار`).
 */
function partsOf(raw: string, term: string): readonly string[] {
  const measure = NUMBER_AND_UNIT.exec(term)
  if (measure !== null) return measure.slice(1)
  if (!raw.includes('\u200c')) return NONE
  return raw
    .split('\u200c')
    .map(foldWord)
    .filter((part) => part !== '')
}

function unspacedWords(piece: Piece): Word[] {
  const words = segmentWords(piece.text, piece.script).map(({ text, start: offset }): Word => {
    const term = foldWord(text)
    const start = piece.start + offset
    const shared = sharedSpelling(text, term, piece.script)
    return { term, start, end: start + text.length, script: piece.script, variants: NONE, shared, parts: NONE, gramSource: term }
  })
  return words.filter((word) => word.term !== '')
}

/** Bigrams cross dictionary words, so those of a whole run of Han belong to its first word. */
function hanWords(piece: Piece): Word[] {
  return unspacedWords(piece).map((word, at) => ({ ...word, gramSource: at === 0 ? foldWord(piece.text) : '' }))
}

function wordsOfPiece(piece: Piece): Word[] {
  if (piece.script === 'han') return hanWords(piece)
  if (piece.script === 'unspaced') return unspacedWords(piece)
  return spacedWord(piece)
}

/** A fast path for the most common case by far. */
function plainWord(run: string): Run {
  const term = run.toLowerCase()
  const gramSource = run.length > MAX_GRAM_WORD ? '' : term
  const word: Word = { term, start: 0, end: run.length, script: 'latin', variants: NONE, shared: '', parts: NONE, gramSource }
  return { words: [word], joined: NONE }
}

function emojiRun(run: string): Run {
  const term = run.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '')
  const parts = term.split('\u200d').filter((part) => part !== '' && part !== term)
  const word: Word = {
    term,
    start: 0,
    end: run.length,
    script: 'other',
    variants: parts,
    shared: '',
    parts: NONE,
    gramSource: '',
  }
  return { words: [word], joined: NONE }
}

function wholeOf(run: string, words: readonly Word[]): string | undefined {
  if (run.length > MAX_WHOLE) return undefined
  const whole = foldWord(run.replace(/\\/g, '/').replace(/[‐‑]/gu, '-').replace(/״/gu, '"')).replace(/^_+|(?<!_)_+$/g, '')
  const isOneWord = words.length === 1 && words[0]?.term === whole
  // A run of Han or Thai is no compound: its words are only adjacent.
  const hasConnector = /[-./:@&+~_#>",٬]/.test(whole)
  return isOneWord || !hasConnector ? undefined : whole
}

/** The run without the signs between its parts, where it is also written that way. */
function joinedOf(run: string, words: readonly Word[]): readonly string[] {
  if (words.length < 2 || run.length > MAX_JOINED || !JOINT.test(run)) return NONE
  if (GROUPED_NUMBER.test(run)) {
    const digits = run.includes(',') ? run.replace(/[,٬]/g, '') : run.replace(/[-._٬]/g, '')
    // `1,250.50` is found by `1250` too.
    return [...new Set([digits, digits.split('.', 1).join('')])]
  }
  const measure = DECIMAL_AND_UNIT.exec(run)
  if (measure !== null) return measure.slice(1).map(foldWord)
  return JOINABLE.test(run) && words.every(({ script }) => !standsApart(script) || script === 'arabic')
    ? [words.map(({ term }) => term).join('')]
    : NONE
}

/** The prefix is a word, and the rest is a run as if it were alone. */
function withPrefix(prefix: string, { words, whole, joined }: Run): Run {
  const end = prefix.length - 1
  const own = spacedWord({ text: prefix.slice(0, end), start: 0, script: 'hebrew' })
  const shifted = words.map((word) => ({ ...word, start: word.start + prefix.length, end: word.end + prefix.length }))
  return { words: [...own, ...shifted], ...(whole !== undefined && { whole }), joined }
}

/** A word in ASCII letters: analysing it is faster than caching. */
export function isPlainWord(run: string): boolean {
  return PLAIN_WORD.test(run)
}

/**
 * Analyses one run of a result of `readText` (see `eachRun`). Pure and independent of the text around it, so its result
 * may be cached.
 */
export function analyseRun(run: string): Run {
  if (isPlainWord(run)) return plainWord(run)
  if (isEmojiRun(run)) return emojiRun(run)
  if (MAY_HOLD_HEBREW_SIGN.test(run)) {
    const signed = run.replace(HEBREW_SIGN, (sign) => (/["״]/.test(sign) ? '״' : '׳'))
    if (signed !== run) return analyseRun(signed)
  }
  const prefix = PREFIX_LETTERS.exec(run)?.[0]
  if (prefix !== undefined) return withPrefix(prefix, analyseRun(run.slice(prefix.length)))
  const words = splitConnectors(run)
    .flatMap(({ text, start }) => splitScripts(text, start))
    .flatMap(wordsOfPiece)
  const whole = wholeOf(run, words)
  return { words, ...(whole !== undefined && { whole }), joined: joinedOf(run, words) }
}

/** Character grams that find other forms of a word. */
export function gramsOf({ script, gramSource }: Pick<Word, 'script' | 'gramSource'>): readonly string[] {
  if (gramSource === '') return NONE
  if (script === 'han') return runBigrams(gramSource)
  return script === 'hangul' ? syllableBigrams(gramSource) : wordGrams(gramSource)
}

/** Grams of the form shared with other spellings, where they are not its own. */
export function sharedGramsOf(word: Pick<Word, 'script' | 'gramSource'>): readonly string[] {
  if (word.script !== 'han' || word.gramSource === '') return NONE
  const shared = sharedHan(word.gramSource)
  if (shared === word.gramSource) return NONE
  const own = runBigrams(word.gramSource)
  return runBigrams(shared).filter((gram, at) => gram !== own[at])
}

/** A bigram in the form shared by all spellings of its letters. */
export function sharedGramOf(gram: string): string {
  return sharedHan(gram)
}
