import { createRandom } from './random.ts'

export type Script = 'en' | 'ru' | 'ar' | 'zh'
export const SCRIPTS: readonly Script[] = ['en', 'ru', 'ar', 'zh']

interface ScriptModel {
  /** Real words, most frequent first: the head of the distribution, stop words above all. */
  readonly common: readonly string[]
  /** Made-up words are rows of these. */
  readonly onsets: readonly string[]
  readonly rhymes: readonly string[]
  /** Endings of a word: one lexeme, several forms. */
  readonly endings: readonly string[]
  readonly between: string
  readonly stop: string
}

const list = (text: string): readonly string[] => text.split(' ')

const MODELS: Readonly<Record<Script, ScriptModel>> = {
  en: {
    common: list(
      'the of and to in a is that for it was on with as be by this are at from or have an not which but had they we you were her she there been one all their has will would so if no when can more out about up what who its them time my into could only two other some than do these may very like me now because over any then after also before made work new way where how much well',
    ),
    onsets: list('b c d f g h l m n p r s t v w br cl cr dr fl gr pl pr sh sp st str th tr'),
    rhymes: list('a e i o u an ar ed el en er ic il in ing ion ir is on or ot ow um un ust ent ail'),
    endings: list('s ed ing ly er'),
    between: ' ',
    stop: '.',
  },
  ru: {
    common: list(
      'и в не на я что тот быть с а весь это как она по но они к у ты из мы за вы так же от сказать этот который мочь человек о один ещё бы такой только себя своё какой когда уже для вот кто да говорить год знать мой до или если время рука нет самый ни стать большой даже другой наш под где дело',
    ),
    onsets: list('б в г д ж з к л м н п р с т ф х ц ч ш вс гр др кл кр пр сл см ст стр тр'),
    rhymes: list('а е и о у ю я ар ел ен ер ив ин ит ок ом он ор ость от ув ун ысл яд'),
    endings: list('а ы у ом ов ами ах ой ого ить ал'),
    between: ' ',
    stop: '.',
  },
  ar: {
    common: list(
      'في من على أن إلى عن مع هذا التي كان هذه ما لا ذلك كل الذي بعد بين قد لم أو هو هي قبل حتى إذا عند غير منذ ثم لكن كما حيث أي نحن هناك كانت يوم عمل وقت أحد بعض دون خلال حول تحت فوق أمام',
    ),
    onsets: list('ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ظ ع غ ف ق ك ل م ن ه و ي'),
    rhymes: list('اب وت ير بر تر رن سل لم من ند دع عف فق ق ك ار ال ان ير ول'),
    endings: list('ة ات ين ون ها هم ي'),
    between: ' ',
    stop: '.',
  },
  zh: {
    common: list(
      '的 了 在 是 我 他 这 有 不 就 人 都 一 也 说 到 要 去 你 会 着 没有 看 好 自己 那 我们 可以 因为 如果 今天 明天 工作 时间 问题',
    ),
    onsets: [...'测试数据库网络服务器会议项目计划报告客户团队产品设计代码发布版本更新错误修复安全备份'],
    rhymes: [...'完成开始讨论决定需要安排检查提交部署运行监控配置连接请求响应缓存存储索引查询结果性能稳定'],
    endings: [...'们性化者'],
    between: '',
    stop: '。',
  },
}

/** Words after the common ones that come again and again; the higher the rank, the rarer. */
const RANKS = 40_000
/** One word in a hundred was never there before, so the vocabulary keeps growing. */
const NEW_WORD_SHARE = 0.01
const ENDING_SHARE = 0.25

const CUMULATIVE = new Float64Array(RANKS)
let total = 0
for (let rank = 0; rank < RANKS; rank += 1) {
  // Zipf with Mandelbrot's shift; both numbers chosen so that a chunk has as many different words as one of encyclopedia text.
  total += 1 / (rank + 2.7) ** 1.12
  CUMULATIVE[rank] = total
}

function drawRank(random: () => number): number {
  const wanted = random() * total
  let low = 0
  let high = RANKS - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((CUMULATIVE[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  // An index below the length: the lists here are never empty.
  return items[Math.floor(random() * items.length)] as Item
}

function madeUpWord(model: ScriptModel, number: number): string {
  const random = createRandom(number * 2_654_435_761)
  // Rarer words are longer.
  const syllables = model.between === '' ? 1 : 1 + Math.floor(random() * 0.9 + Math.min(1, Math.log10(number + 1) / 5))
  return Array.from({ length: syllables }, () => pick(model.onsets, random) + pick(model.rhymes, random)).join('')
}

/** Words and sentences of one script. What comes next depends on `random` alone. */
export class WordModel {
  readonly #model: ScriptModel
  readonly #random: () => number
  #nextNewWord: number

  /** `firstNewWord` numbers the words that are new here; two texts with other numbers share none of them. */
  constructor(script: Script, random: () => number, firstNewWord: number) {
    this.#model = MODELS[script]
    this.#random = random
    this.#nextNewWord = RANKS + firstNewWord
  }

  word(): string {
    const { common, endings } = this.#model
    if (this.#random() < NEW_WORD_SHARE) {
      this.#nextNewWord += 1
      return madeUpWord(this.#model, this.#nextNewWord)
    }
    const rank = drawRank(this.#random)
    const known = common[rank]
    if (known !== undefined) return known
    const stem = madeUpWord(this.#model, rank)
    return this.#random() < ENDING_SHARE ? stem + pick(endings, this.#random) : stem
  }

  words(count: number): string[] {
    return Array.from({ length: count }, () => this.word())
  }

  join(words: readonly string[]): string {
    return words.join(this.#model.between)
  }

  get stop(): string {
    return this.#model.stop
  }
}
