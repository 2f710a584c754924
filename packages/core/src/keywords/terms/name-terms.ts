import { analyseRunOnce, exactTerms, spellingTerms } from '../../text/analyse.ts'
import { readText } from '../../text/letters/read-text.ts'
import { eachRun } from '../../text/runs.ts'
import { stemsOf } from '../../text/stems/stem.ts'
import { gramsOf, type Word } from '../../text/words.ts'
import type { NoteNames } from '../../document/note-names.ts'
import { nameKey } from './name-key.ts'
import { pathNames } from '../../document/names/path-terms.ts'

/**
 * Kinds of names by which a note or a section is searched. Their terms are on the first chunk of a note, and for a
 * section on the chunk that begins it, so that one name is one posting however long the note is.
 */
export type NameKind = 'path' | 'base' | 'stem' | 'title' | 'alias' | 'heading' | 'word'

const LETTERS: Readonly<Record<NameKind, string>> = {
  path: '/',
  base: '.',
  stem: '=',
  title: 't',
  alias: 'a',
  heading: 'h',
  word: 'w',
}

export function nameTerm(kind: NameKind, value: string): string {
  return LETTERS[kind] + value
}

function addKeys(terms: Set<string>, kind: NameKind, names: readonly string[]): void {
  for (const name of names) {
    const key = nameKey(name)
    if (key !== '') terms.add(nameTerm(kind, key))
  }
}

/** Name terms of a chunk: of its note for the first chunk, and of the sections that begin in it. */
export function nameTerms(path: string, names: NoteNames | undefined, headings: readonly string[]): ReadonlySet<string> {
  const terms = new Set<string>()
  addKeys(terms, 'heading', headings)
  if (names === undefined) return terms
  const { path: whole, base, stem } = pathNames(path)
  terms.add(nameTerm('path', whole)).add(nameTerm('base', base)).add(nameTerm('stem', stem))
  addKeys(terms, 'title', names.titles)
  addKeys(terms, 'alias', names.aliases)
  for (const name of [...names.titles, ...names.aliases]) addWords(terms, name)
  return terms
}

function addWords(terms: Set<string>, name: string): void {
  eachRun(readText(name).text, (raw) => {
    const run = analyseRunOnce(raw)
    for (const term of [...exactTerms(run), ...spellingTerms(run)]) terms.add(nameTerm('word', term))
    for (const word of run.words) for (const form of formsOf(word)) terms.add(nameTerm('word', form))
  })
}

/**
 * Stems for scripts that inflect names; in Latin letters they would match `running` with `run`. Han has bigrams, as
 * elsewhere.
 */
function formsOf(word: Word): readonly string[] {
  if (word.script === 'han') return bigramsOf(word)
  return word.script === 'latin' ? [] : stemsOf(word, undefined)
}

function bigramsOf(word: Word): readonly string[] {
  return gramsOf(word).filter((gram) => !gram.endsWith('$'))
}

/** For each part of a word that a name must hold, the alternative terms for it; `written` is the word with its signs. */
export function wordNameTerms(word: Word, written: string): readonly (readonly string[])[] {
  if (written !== word.term) return [[nameTerm('word', written)]]
  // The first word holds the pairs of a whole run of Han: the dictionary may cut the run elsewhere in a name.
  if (word.script === 'han' && word.gramSource === '') return []
  const bigrams = word.script === 'han' ? bigramsOf(word) : []
  if (bigrams.length > 0) return bigrams.map((bigram) => [nameTerm('word', bigram)])
  const forms = [word.term, word.shared || word.term, ...word.variants, ...word.parts, ...formsOf(word)]
  return [[...new Set(forms)].map((form) => nameTerm('word', form))]
}
