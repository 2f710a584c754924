import { foldWord } from './fold.ts'
import { sharedHan } from './han-variants.ts'
import type { ScriptClass } from '../scripts.ts'

/**
 * Spellings of one word that `foldWord` keeps apart find each other by a shared form. A word is indexed by its own
 * spelling, and by that form where it differs; the exact spelling of the query ranks first.
 */

/**
 * ICAO Doc 9303 part 3, section 6: how passports write national letters; ä, ö, ü as in DIN 5007-2, å as Danish before
 * 1948. `foldWord` does the same for ß, æ, œ, þ.
 */
const LATIN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const EXPANDED = /[äöüåø]/iu

/** Spellings of a nasal or a loan sound in one of the scripts of India, whose blocks have the same layout. */
interface IndicSpelling {
  /** First code point of the block. */
  readonly block: number
  readonly source: string
  /** The sign that candrabindu is an alternative for. */
  readonly candrabindu: 'anusvara' | 'nothing'
  /** True where nukta marks a sound of another language, not a letter of the script's own. */
  readonly nuktaIsOptional: boolean
  /** Pairs of this script only, on decomposed text. */
  readonly pairs?: readonly Rule[]
}

/** In all of them anusvara may replace the nasal of the class of the stop that follows. Chapters of the Unicode Standard 17. */
const INDIC: readonly IndicSpelling[] = [
  {
    block: 0x0900,
    source:
      'Unicode 12.1; Central Hindi Directorate, Devanagari script and Hindi spelling: anusvara, candrabindu, यी and ये at the end',
    candrabindu: 'anusvara',
    nuktaIsOptional: true,
    pairs: [
      [/(?<=\p{L}\p{M}*)यी$/u, 'ई'],
      [/(?<=\p{L}\p{M}*)ये$/u, 'ए'],
    ],
  },
  {
    block: 0x0980,
    source: 'Unicode 12.2; Bangla Academy: বাংলা beside বাঙলা. ড়, ঢ় and য় are letters of its own',
    candrabindu: 'nothing',
    nuktaIsOptional: false,
    pairs: [[/ঙ(?=[\u0995-\u09b9])/gu, 'ং']],
  },
  {
    block: 0x0a00,
    source: 'Unicode 12.3: tippi and bindi are one nasal, addak is often left out',
    candrabindu: 'anusvara',
    nuktaIsOptional: true,
    pairs: [
      [/\u0a70/g, '\u0a02'],
      [/\u0a71/g, ''],
    ],
  },
  { block: 0x0a80, source: 'Unicode 12.4', candrabindu: 'anusvara', nuktaIsOptional: true },
  { block: 0x0b00, source: 'Unicode 12.5. ଡ଼ and ଢ଼ are letters of its own', candrabindu: 'nothing', nuktaIsOptional: false },
  {
    block: 0x0b80,
    source: 'Unicode 12.6: two spellings of sri; au written as e and ள',
    candrabindu: 'nothing',
    nuktaIsOptional: false,
    pairs: [
      [/ஶ(?=்ர)/g, 'ஸ'],
      [/\u0bc6\u0bb3(?!\p{M})/gu, '\u0bc6\u0bd7'],
    ],
  },
  { block: 0x0c00, source: 'Unicode 12.7: arasunna is no longer written', candrabindu: 'nothing', nuktaIsOptional: true },
  { block: 0x0c80, source: 'Unicode 12.8', candrabindu: 'nothing', nuktaIsOptional: true },
  {
    block: 0x0d00,
    source: 'Unicode 12.9: three spellings of /nta/, two of au and of the half-vowel u',
    candrabindu: 'nothing',
    nuktaIsOptional: false,
    pairs: [
      [/ൻ\u0d4d?റ/g, 'ന്റ'],
      [/\u0d46?\u0d57/g, '\u0d57'],
      [/\u0d41\u0d4d/g, '\u0d4d'],
    ],
  },
]

const ANY_INDIC = /[\u0900-\u0d7f]/
const [CANDRABINDU, ANUSVARA, NUKTA, VIRAMA] = [0x01, 0x02, 0x3c, 0x4d]
/** Positions in the block of the first stop of each class; its nasal is the fifth from there. */
const STOP_CLASSES = [0x15, 0x1a, 0x1f, 0x24, 0x2a]

type Rule = readonly [pattern: RegExp, shared: string]
const indicRules = new Map<number, readonly Rule[]>()

function rulesOf({ block, candrabindu, nuktaIsOptional, pairs = [] }: IndicSpelling): readonly Rule[] {
  const at = (place: number) => String.fromCharCode(block + place)
  const rules: Rule[] = [...pairs]
  if (nuktaIsOptional) rules.push([new RegExp(at(NUKTA), 'g'), ''])
  for (const first of STOP_CLASSES)
    rules.push([new RegExp(`${at(first + 4)}${at(VIRAMA)}(?=[${at(first)}-${at(first + 3)}])`, 'g'), at(ANUSVARA)])
  rules.push([new RegExp(at(CANDRABINDU), 'g'), candrabindu === 'anusvara' ? at(ANUSVARA) : ''])
  return rules
}

function sharedIndic(term: string): string {
  let shared = term.normalize('NFD')
  const block = (ANY_INDIC.exec(term)?.[0].charCodeAt(0) ?? 0) & ~0x7f
  const spelling = INDIC.find((each) => each.block === block)
  if (spelling === undefined) return term
  const known = indicRules.get(block) ?? rulesOf(spelling)
  indicRules.set(block, known)
  for (const [pattern, letter] of known) shared = shared.replace(pattern, letter)
  return shared.normalize('NFC')
}

/**
 * The form shared by all spellings of a word, '' where it is the term itself. `raw` is the word in normal letters,
 * `term` the same folded.
 */
export function sharedSpelling(raw: string, term: string, script: ScriptClass): string {
  const shared = sharedOf(raw, term, script)
  return shared === term ? '' : shared
}

function sharedOf(raw: string, term: string, script: ScriptClass): string {
  if (script === 'latin') return EXPANDED.test(raw) ? foldWord(expanded(raw)) : term
  if (script === 'han') return sharedHan(term)
  if (script === 'hebrew') return term.replace(/[״׳]/g, '')
  return script === 'other' && ANY_INDIC.test(term) ? sharedIndic(term) : term
}

function expanded(raw: string): string {
  return raw.replace(/[äöüåø]/giu, (letter) => LATIN[letter.toLowerCase()] ?? letter)
}
