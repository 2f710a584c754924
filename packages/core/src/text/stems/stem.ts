import { stemmer } from 'stemmer'
import { arabicStem, looseArabicStems } from './arabic-stem.ts'
import { hebrewStems } from './hebrew-stem.ts'
import { withoutParticle } from './particles.ts'
import type { LatinLanguage } from './stop-words.ts'
import type { Word } from '../words.ts'

/** Loan words are written with and without their last long vowel: コンピューター, コンピュータ. */
const KATAKANA = /^[ァ-ヺー]{4,}$/
const NONE: readonly string[] = []
const PLAIN = /^[a-z]{3,}$/

function stemOf({ term, script }: Pick<Word, 'term' | 'script'>, language: LatinLanguage | undefined): string | undefined {
  if (script === 'arabic') return arabicStem(term)
  if (script === 'han') return KATAKANA.test(term) ? term.replace(/ー$/, '') : undefined
  if (script === 'hangul') return withoutParticle(term) ?? term
  const isEnglish = script === 'latin' && (language === undefined || language === 'en')
  return isEnglish && PLAIN.test(term) ? stemmer(term) : undefined
}

/**
 * The stems of a word, which may be the word itself; none where its language has no rule: Porter's for English, light10
 * for Arabic script, the noun without its particle for Korean, a loan word without its last long vowel for Japanese,
 * all possible stems of a Hebrew word. Latin letters of unknown language count as English.
 */
export function stemsOf(word: Pick<Word, 'term' | 'script' | 'shared'>, language: LatinLanguage | undefined): readonly string[] {
  if (word.script === 'hebrew') return hebrewStems(word.shared || word.term)
  const stem = stemOf(word, language)
  return stem === undefined ? NONE : [stem]
}

/** Weaker than stems: words that a word may be a form of. */
export function looseStemsOf({ term, script }: Pick<Word, 'term' | 'script'>): readonly string[] {
  return script === 'arabic' ? looseArabicStems(term) : NONE
}
