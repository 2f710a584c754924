import { isStopWord, type LatinLanguage, type PlacedWord, stemsOf, wordsOf } from '@mnemark/core/text'
import type { YearLanguage } from './words/year-words.ts'

/** Every form in which the index finds a word, grams apart. */
function formsOf(word: PlacedWord, language: LatinLanguage | undefined): readonly string[] {
  return [word.term, ...word.variants, ...word.parts, word.shared, ...stemsOf(word, language)].filter((form) => form !== '')
}

function contentWords(text: string, language: LatinLanguage | undefined): readonly PlacedWord[] {
  return wordsOf(text).filter(({ term }) => !isStopWord(term, language))
}

/**
 * The content words that a question and a statement have in common, as the product's own analysis reads them: equal in
 * any form or stem. Words of the entity's name in the question do not count.
 */
export function sharedWords(question: string, name: string, statement: string, language: YearLanguage): readonly string[] {
  const latin = language === 'en' ? 'en' : undefined
  const said = new Set(contentWords(statement, latin).flatMap((word) => formsOf(word, latin)))
  const start = question.indexOf(name)
  const isOfName = (word: PlacedWord) => start >= 0 && word.start >= start && word.end <= start + name.length
  const asked = contentWords(question, latin).filter((word) => !isOfName(word))
  return asked.filter((word) => formsOf(word, latin).some((form) => said.has(form))).map(({ term }) => term)
}
