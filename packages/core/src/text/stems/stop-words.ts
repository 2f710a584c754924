import { foldWord } from '../letters/fold.ts'

/** Languages in Latin letters that are detected in a query; their function words overlap, so only one list applies at a time. */
export type LatinLanguage = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'ro' | 'id' | 'sw' | 'fi' | 'vi' | 'tr'

const LATIN: Readonly<Record<LatinLanguage, string>> = {
  en: 'a about above after again against all am an and any are as at be because been before being below between both but by can could did do does doing don down during each few for from further had has have having he her here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours ourselves out over own s same she should so some such t than that the their theirs them themselves then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours yourself yourselves',
  de: 'der die das den dem des und oder aber ist sind wird wurde war ein eine einer einem einen eines nicht mit auf fur von zum zur im in ich wir ihr sie es wie wer wann wo was warum welche welcher welches',
  fr: 'le la les un une et ou est sont dans sur pour par avec que qui quoi quand quel quelle quels quelles ce cette ces il elle nous vous ils elles ne pas au aux du de en',
  es: 'el los las unos unas y o es son por para con que quien cuando donde cual cuales como su sus se lo al del mi tu',
  pt: 'os uma e ou sao em no na nos nas por com que quem quando onde qual quais como seu sua se ao do da dos das',
  it: 'il lo gli uno ed sono nel nella per con che chi quando dove quale quali come suo sua si al del della dei',
  nl: 'het een en van op te zijn dat die voor met niet aan wat wie waar hoe welke',
  ro: 'si este sunt care pe la din cu ce cine cand unde cum pentru a fost un o de in',
  id: 'yang dan di ke dari ini itu dengan untuk apa siapa kapan dimana berapa bagaimana adalah pada dalam oleh',
  sw: 'ni wa ya kwa na katika za la cha nani nini lini wapi ngapi gani ilikuwa kuna',
  fi: 'on oli ja se ei etta mika kuka missa milloin kuinka miten ovat mita',
  vi: 'là của và các những được trong cho với một có không này đó ở khi ai gì nào bao nhiêu người',
  tr: 've bir bu da de mi icin ile ne nasil neden kim nerede hangi',
}

/** Function words in other scripts: Russian, Arabic, Persian, Chinese, Japanese, Korean, Hindi. */
const OTHERS = [
  'и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня о из ему когда кто где какой какая какие это этот эта для или',
  'في من الي على عن مع هل ما ماذا متي اين كيف كم لماذا هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت او ثم ان لا لم لن قد كل بين بعد قبل عند و',
  'از به در با را که این ان است بود برای تا چه چرا کی کجا چگونه هم می شد های و',
  '的 了 是 在 我 你 他 她 它 们 我们 你们 他们 有 和 就 不 也 都 很 到 说 要 去 会 着 没有 吗 呢 什么 怎么 为什么 哪 哪里 谁 几 多少 这 那 这个 那个 与 及 被 把 对',
  'の は が を に へ と で も や から まで より です ます した する いる ある この その あの どの 何 誰 いつ どこ なぜ どう ですか ました でした れ た て な さ し',
  '이 그 저 것 수 등 및 무엇 언제 어디 누구 왜 어떻게 어떤 는 은 을 를 에 의',
  'का के की में है हैं था थी थे को से पर ने और या यह वह क्या कब कहाँ कौन कैसे क्यों किस एक ये वे भी तो ही',
]

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(foldWord))
}

const OTHER_WORDS = setOf(OTHERS.join(' '))
const ENGLISH = setOf(LATIN.en)
// Object.keys widens the keys of a full record to string.
const LANGUAGES = Object.keys(LATIN) as LatinLanguage[]
/** The languages of each function word, as bits in the order of LANGUAGES. */
const LANGUAGE_BITS = new Map<string, number>()
LANGUAGES.forEach((language, bit) => {
  for (const word of setOf(LATIN[language])) LANGUAGE_BITS.set(word, (LANGUAGE_BITS.get(word) ?? 0) | (1 << bit))
})
const VIETNAMESE_LETTER = /[ăơưđ\u1ea0-\u1ef9]/iu

/** English function words have no grams: they are in every chunk and have no content. `term` is folded. */
export function hasNoGrams(term: string): boolean {
  return ENGLISH.has(term)
}

/**
 * The language of most function words in a text, the first listed where two are equal; undefined where it has none.
 * Terms are folded.
 */
export function guessLatinLanguage(text: string, terms: readonly string[]): LatinLanguage | undefined {
  if (VIETNAMESE_LETTER.test(text.normalize('NFC'))) return 'vi'
  const counts = LANGUAGES.map(() => 0)
  for (const term of terms) {
    const bits = LANGUAGE_BITS.get(term) ?? 0
    for (let bit = 0; bits >>> bit !== 0; bit += 1) counts[bit] = (counts[bit] ?? 0) + ((bits >>> bit) & 1)
  }
  const most = Math.max(...counts)
  return most > 0 ? LANGUAGES[counts.indexOf(most)] : undefined
}

/**
 * Function words weigh less in a query and never decide alone; they are not dropped, so a query of function words only
 * still has results. `term` is folded; `language` is that of the query.
 */
export function isStopWord(term: string, language: LatinLanguage | undefined): boolean {
  if (OTHER_WORDS.has(term)) return true
  return language !== undefined && (((LANGUAGE_BITS.get(term) ?? 0) >>> LANGUAGES.indexOf(language)) & 1) === 1
}
