import { francAll } from 'franc'
import { latinLanguageOf } from './analyse.ts'
import { codeOf, DETECTED } from './language-codes.ts'

const SAMPLE = 4_000
/** Fences, code, addresses and names of files are in no language. */
const NO_LANGUAGE =
  /^ {0,3}(?:`{3}|~{3})[^\n]*\n(?:(?! {0,3}(?:`{3}|~{3}))[^\n]*\n)*[^\n]*|`[^`\n]{1,200}`|\bhttps?:\/\/\S{1,300}|<[^<>\n]{1,200}>/gm
/** Below so many letters nothing is said; Han, kana and Hangul say more with fewer. */
const MIN_LETTERS = 24
const MIN_WIDE = 4
/** Between two or three languages fewer letters tell. */
const FEW = 3
const MIN_LETTERS_OF_FEW = 8
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HANGUL = /\p{Script=Hangul}/gu
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu
/** From this share on the letters that are not Latin make the language: code and names are Latin in every one. */
const OTHER_SHARE = 0.25
/** From so many letters on trigrams tell more than function words; from half of it on their best guess is taken however close the next. */
const ENOUGH = 120
/** How far the best guess must be ahead of the next one where little is said. */
const SURE = 0.1

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function wideLanguage(text: string): string {
  const kana = count(text, KANA)
  const hangul = count(text, HANGUL)
  const wide = count(text, WIDE)
  if (hangul * 2 > wide) return 'ko'
  return kana * 20 > wide ? 'ja' : 'zh'
}

/**
 * The language a text is written in, as an ISO 639-1 code: by its letters where they tell, by its function words, else by trigrams; undefined
 * where it is too short to tell. `among` leaves others out.
 */
export function detectLanguage(text: string, among?: ReadonlySet<string>): string | undefined {
  const words = text.slice(0, SAMPLE).replace(NO_LANGUAGE, ' ')
  const isAllowed = (language: string | undefined) => language !== undefined && (among?.has(language) ?? true)
  const letters = count(words, LETTER)
  const wide = count(words, WIDE)
  if (wide >= MIN_WIDE && wide > OTHER_SHARE * letters) {
    const language = wideLanguage(words)
    return isAllowed(language) ? language : undefined
  }
  const latin = count(words, LATIN)
  const isLatin = letters - latin <= OTHER_SHARE * letters
  const said = isLatin ? words : words.replace(LATIN, ' ')
  // Of a few words the function words tell more than trigrams do.
  const spoken = isLatin && letters < ENOUGH ? latinLanguageOf(said) : undefined
  if (isAllowed(spoken)) return spoken
  const only = DETECTED.filter((code) => isAllowed(codeOf(code)))
  if (only.length === 0 || count(said, LETTER) < (only.length > FEW ? MIN_LETTERS : MIN_LETTERS_OF_FEW)) return undefined
  const [best, next] = francAll(said, { only, minLength: 1 })
  if (best === undefined || best[0] === 'und') return undefined
  const isSure = 2 * letters >= ENOUGH || next === undefined || best[1] - next[1] >= SURE
  return isSure ? codeOf(best[0]) : undefined
}

/** Unicode's name of the script that a language is written in; Japanese is told from Chinese by its kana. */
function scriptOfLanguage(language: string): RegExp {
  const { script = 'Latn' } = new Intl.Locale(language).maximize()
  const name = { Hans: 'Hani', Hant: 'Hani', Kore: 'Hang' }[script] ?? script
  return name === 'Jpan' ? /[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}]/u : new RegExp(`\\p{Script=${name}}`, 'u')
}

/** Of the languages of one script the one that most people mean. */
const WIDESPREAD: readonly string[] = ['zh', 'ru', 'ar', 'hi']

/**
 * Which of some languages a question is in: the only one of its script, else what its words tell, else `readers` where that is one of
 * its script. Undefined for a few Latin words, which may be names in any of them.
 */
export function questionLanguage(text: string, among: ReadonlySet<string>, readers: string | undefined): string | undefined {
  const foreign = text.replace(LATIN, ' ')
  const written = [...among].filter((language) => scriptOfLanguage(language).test(foreign))
  if (written.length === 0) {
    const latin = [...among].filter((language) => scriptOfLanguage(language).test('a'))
    return detectLanguage(text.replace(/[^\p{Script=Latin}\p{M}\p{P}\s]/gu, ' '), new Set(latin))
  }
  if (written.length === 1) return written[0]
  if (written.includes('ja') && count(text, KANA) > 0) return 'ja'
  const told = detectLanguage(foreign, new Set(written))
  return (
    told ??
    written.find((language) => language === readers) ??
    WIDESPREAD.find((language) => written.includes(language)) ??
    written[0]
  )
}
