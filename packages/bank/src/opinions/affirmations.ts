import { negations } from '../facts/negations.ts'
import { contentKey } from '../retain/fact-id.ts'

const HAN = /\p{Script=Han}/u
/** Alone it also means "more". */
const AMBIGUOUS = 'plus'
const KEYS = [...new Set(negations().map(contentKey))].filter((key) => key !== AMBIGUOUS && key !== 'n')
const PHRASES = KEYS.filter((key) => !HAN.test(key)).map((key) => key.split(' '))
const SIGNS = KEYS.filter((key) => HAN.test(key))
/** Verbs that carry a negation in English: what stands there without it. */
const WITHOUT: Readonly<Record<string, string>> = { isnt: 'is', wasnt: 'was', wont: 'will', cant: 'can' }
const PRESENT: ReadonlySet<string> = new Set(['does not', 'doesnt'])
const PAST: ReadonlySet<string> = new Set(['did not', 'didnt'])
const SECOND_PART: ReadonlySet<string> = new Set(['pas', 'plus', 'jamais'])
/** Words between the two parts of a French negation. */
const MOST_BETWEEN = 2
/** A statement is a sentence; a longer text is no statement that one word turns around. */
const LONGEST = 400

/** The readings of a statement without exactly one of its negations, as content keys: `does not like tea` → `likes tea`. */
export function affirmationsOf(key: string): readonly string[] {
  if (key.length > LONGEST) return []
  const words = key.split(' ')
  const found = [...PHRASES.flatMap((phrase) => withoutPhrase(words, phrase)), ...withoutFrench(words), ...withoutSigns(key)]
  return [...new Set(found)].filter((text) => text !== '' && text !== key)
}

function withoutPhrase(words: readonly string[], phrase: readonly string[]): readonly string[] {
  const found: string[] = []
  for (let at = 0; at + phrase.length <= words.length; at += 1) {
    if (!phrase.every((word, index) => words[at + index] === word)) continue
    const [before, after] = [words.slice(0, at), words.slice(at + phrase.length)]
    for (const rest of restsOf(phrase.join(' '), after)) found.push([...before, ...rest].join(' '))
  }
  return found
}

/** The words behind a negation in the forms that they have without it. */
function restsOf(phrase: string, after: readonly string[]): readonly (readonly string[])[] {
  const [verb, ...others] = after
  const verb_ = WITHOUT[phrase]
  if (verb_ !== undefined) return [[verb_, ...after]]
  if (/^kein(?:e[nmr]?)?$/.test(phrase)) return [after, [phrase.slice(1), ...after]]
  if (verb === undefined) return [after]
  if (PRESENT.has(phrase)) return [after, ...presentOf(verb).map((form) => [form, ...others])]
  if (PAST.has(phrase)) return [after, ...pastOf(verb).map((form) => [form, ...others])]
  return [after]
}

function presentOf(verb: string): readonly string[] {
  if (verb === 'have') return ['has']
  return [`${verb}s`, `${verb}es`, ...(verb.endsWith('y') ? [`${verb.slice(0, -1)}ies`] : [])]
}

function pastOf(verb: string): readonly string[] {
  if (verb === 'have') return ['had']
  return [`${verb}ed`, `${verb}d`, ...(verb.endsWith('y') ? [`${verb.slice(0, -1)}ied`] : [])]
}

/** `ne … pas`, `n'… pas`: two words around the verb are one negation. */
function withoutFrench(words: readonly string[]): readonly string[] {
  const found: string[] = []
  for (const [at, word] of words.entries()) {
    const kept = word === 'ne' ? '' : /^n[aeiouyhàâéèêîôû]/u.test(word) ? word.slice(1) : undefined
    if (kept === undefined) continue
    const until = Math.min(words.length - 1, at + MOST_BETWEEN)
    for (let second = at + 1; second <= until; second += 1) {
      if (!SECOND_PART.has(words[second] ?? '')) continue
      const rest = [...words.slice(0, at), kept, ...words.slice(at + 1, second), ...words.slice(second + 1)]
      found.push(rest.filter((one) => one !== '').join(' '))
    }
  }
  return found
}

/** Scripts without blanks: the sign of a negation is left out where it stands. */
function withoutSigns(key: string): readonly string[] {
  const found: string[] = []
  for (const sign of SIGNS) {
    for (let at = key.indexOf(sign); at !== -1; at = key.indexOf(sign, at + 1))
      found.push(`${key.slice(0, at)}${key.slice(at + sign.length)}`.replace(/\s+/g, ' ').trim())
  }
  return found
}
