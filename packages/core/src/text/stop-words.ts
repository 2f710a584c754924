import { foldWord } from './fold.ts'

/**
 * Function words of the languages most notes here are written in, folded. They weigh less in a query and have no grams; they
 * are never dropped, so a query of nothing else still finds. Words that carry meaning in a neighbour language are left out.
 */
const LISTS = [
  // English
  'a about above after again against all am an and any are as at be because been before being below between both but by can could did do does doing don down during each few for from further had has have having he her here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours ourselves out over own s same she should so some such t than that the their theirs them themselves then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours yourself yourselves',
  // German, French, Spanish, Portuguese, Italian, Dutch
  'der das den dem des und oder aber ist sind wird wurde ein eine einer einem einen eines nicht mit auf fur von zum zur im ich wir ihr sie es wie wer wann wo warum welche welcher welches',
  'le la les un une et ou est sont dans sur pour par avec que qui quoi quand quel quelle quels quelles ce cette ces il elle nous vous ils elles ne pas au aux du de en',
  'el los las unos unas y o es son por para con que quien cuando donde cual cuales como su sus se lo al del mi tu',
  'os uma e ou sao em no na nos nas por com que quem quando onde qual quais como seu sua se ao do da dos das',
  'il lo gli uno ed sono nel nella per con che chi quando dove quale quali come suo sua si al del della dei',
  'het een en van op te zijn dat die voor met niet aan wat wie waar hoe welke',
  // Russian
  'и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня о из ему когда кто где какой какая какие это этот эта для или',
  // Arabic, Persian
  'في من الي على عن مع هل ما ماذا متي اين كيف كم لماذا هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت او ثم ان لا لم لن قد كل بين بعد قبل عند و',
  'از به در با را که این ان است بود برای تا چه چرا کی کجا چگونه هم می شد های و',
  // Chinese, Japanese, Korean, Hindi, Turkish
  '的 了 是 在 我 你 他 她 它 们 我们 你们 他们 有 和 就 不 也 都 很 到 说 要 去 会 着 没有 吗 呢 什么 怎么 为什么 哪 哪里 谁 几 多少 这 那 这个 那个 与 及 被 把 对',
  'の は が を に へ と で も や から まで より です ます した する いる ある この その あの どの 何 誰 いつ どこ なぜ どう ですか ました でした れ た て な さ し',
  '이 그 저 것 수 등 및 무엇 언제 어디 누구 왜 어떻게 어떤 는 은 을 를 에 의',
  'का के की में है हैं था थी थे को से पर ने और या यह वह क्या कब कहाँ कौन कैसे क्यों किस एक ये वे भी तो ही',
  've bir bu da de mi icin ile ne nasil neden kim nerede hangi',
]

const STOP_WORDS: ReadonlySet<string> = new Set(LISTS.flatMap((list) => list.split(' ').map(foldWord)))

/** `term` is folded. */
export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term)
}
