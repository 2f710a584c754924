import { francAll } from 'franc'
import { latinLanguageOf } from './analyse.ts'
import { codeOf, DETECTED } from './language-codes.ts'

const SAMPLE = 4_000
/** Fences, code, addresses and file names have no language. */
const NO_LANGUAGE =
  /^ {0,3}(?:`{3}|~{3})[^\n]*\n(?:(?! {0,3}(?:`{3}|~{3}))[^\n]*\n)*[^\n]*|`[^`\n]{1,200}`|\bhttps?:\/\/\S{1,300}|<[^<>\n]{1,200}>/gm
/** Fewer letters are not judged; Han, kana and Hangul need fewer than others. */
const MIN_LETTERS = 24
const MIN_WIDE = 4
/** Between two or three languages fewer letters are enough. */
const FEW = 3
const MIN_LETTERS_OF_FEW = 8
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HANGUL = /\p{Script=Hangul}/gu
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu
/** Share of letters that are not Latin from which they decide the language: code and names are Latin in every language. */
const OTHER_SHARE = 0.25
/**
 * With this many letters trigrams are better than function words; from half of it on, their best guess is taken even if
 * the next is close.
 */
const ENOUGH = 120
/** Least lead of the best guess over the next in a short text. */
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
 * The language of a text, as an ISO 639-1 code: by its letters where they decide, by its function words, else by
 * trigrams; undefined where it is too short. `among` limits the languages.
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
  // In a short text function words are better evidence than trigrams.
  const spoken = isLatin && letters < ENOUGH ? latinLanguageOf(said) : undefined
  if (isAllowed(spoken)) return spoken
  const only = DETECTED.filter((code) => isAllowed(codeOf(code)))
  if (only.length === 0 || count(said, LETTER) < (only.length > FEW ? MIN_LETTERS : MIN_LETTERS_OF_FEW)) return undefined
  const [best, next] = francAll(said, { only, minLength: 1 })
  if (best === undefined || best[0] === 'und') return undefined
  const isSure = 2 * letters >= ENOUGH || next === undefined || best[1] - next[1] >= SURE
  return isSure ? codeOf(best[0]) : undefined
}

/** Unicode's name of the script of a language; kana distinguish Japanese from Chinese. */
function scriptOfLanguage(language: string): RegExp {
  const { script = 'Latn' } = new Intl.Locale(language).maximize()
  const name = { Hans: 'Hani', Hant: 'Hani', Kore: 'Hang' }[script] ?? script
  return name === 'Jpan' ? /[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}]/u : new RegExp(`\\p{Script=${name}}`, 'u')
}

/** The most common languages of scripts with several languages. */
const WIDESPREAD: readonly string[] = ['zh', 'ru', 'ar', 'hi']

/**
 * Chooses the language of a question: the only one of its script, else by its words, else `readers` if that has its
 * script. Undefined for a few Latin words, which may be names in any language.
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
