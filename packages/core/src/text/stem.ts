import { stemmer } from 'stemmer'
import { arabicStem } from './arabic-stem.ts'
import { withoutParticle } from './particles.ts'
import type { LatinLanguage } from './stop-words.ts'
import type { Word } from './words.ts'

/** Loan words are written with and without their last long vowel: コンピューター, コンピュータ. */
const KATAKANA = /^[ァ-ヺー]{4,}$/
const PLAIN = /^[a-z]{3,}$/

/**
 * The stem of a word, which may be the word itself, or undefined where its language has no rule: Porter's for English, light10
 * for Arabic script, the noun without its particle for Korean, a loan word without its last long vowel for Japanese. Latin letters of unknown language count as English.
 */
export function stemOf({ term, script }: Pick<Word, 'term' | 'script'>, language: LatinLanguage | undefined): string | undefined {
  if (script === 'arabic') return arabicStem(term)
  if (script === 'han') return KATAKANA.test(term) ? term.replace(/ー$/, '') : undefined
  if (script === 'hangul') return withoutParticle(term) ?? term
  const isEnglish = script === 'latin' && (language === undefined || language === 'en')
  return isEnglish && PLAIN.test(term) ? stemmer(term) : undefined
}
