import { stemmer } from 'stemmer'
import { arabicStem } from './arabic-stem.ts'
import { withoutParticle } from './particles.ts'
import type { LatinLanguage } from './stop-words.ts'
import type { Word } from './words.ts'

const PLAIN = /^[a-z]{3,}$/

/**
 * The stem of a word, which may be the word itself, or undefined where its language has no rule: Porter's for English, light10
 * for Arabic script, the noun without its particle for Korean. Latin letters of unknown language count as English.
 */
export function stemOf({ term, script }: Pick<Word, 'term' | 'script'>, language: LatinLanguage | undefined): string | undefined {
  if (script === 'arabic') return arabicStem(term)
  if (script === 'hangul') return withoutParticle(term) ?? term
  const isEnglish = script === 'latin' && (language === undefined || language === 'en')
  return isEnglish && PLAIN.test(term) ? stemmer(term) : undefined
}
