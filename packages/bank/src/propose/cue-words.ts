import type { FactKind } from '../retain/fact.ts'

/** Why a statement is offered as a fact. */
export type ProposalReason = 'preference' | 'decision' | 'state' | 'event'

/** Words that make a statement worth keeping. */
export interface Cue {
  readonly why: ProposalReason
  readonly kind: FactKind
  /** Words, as alternatives of a pattern. */
  readonly words: readonly string[]
  /** It counts only with a name before it, or with a known one: alone, or of "Hiking", it says too little. */
  readonly needsName?: 'any' | 'known'
}

const O = { why: 'preference', kind: 'opinion' } as const
const B = { why: 'decision', kind: 'experience' } as const
const W = { why: 'state', kind: 'world' } as const
const E = { why: 'event', kind: 'experience', needsName: 'any' } as const

/** Cues of languages whose words stand apart; a word ends where its letters end. */
export const SPACED_CUES: Readonly<Record<string, readonly Cue[]>> = {
  en: [
    {
      ...O,
      words: [
        'prefers?',
        'likes',
        'loves',
        'hates',
        'dislikes',
        'enjoys',
        'hate',
        "can(?:no|['’])t stand",
        "(?:do|does)(?: not|n['’]t) (?:really )?(?:like|want|use|eat|drink|enjoy|trust|read|take)",
        '(?:i|we) (?:really |always |still |also )?(?:like|love|enjoy|dislike|prefer)',
        '(?:always|never|no longer|usually|only) (?:eats?|drinks?|uses?|takes?|reads?|wants?|works?|writes?|answers?|books?|pays?)',
        'favou?rite [^.,;]{1,40}? (?:is|are)',
        'would rather',
      ],
    },
    {
      ...B,
      words: [
        'decided (?:to|on|that|against|not to|for)',
        'agreed (?:to|on|that)',
        'settled on',
        'decision(?: is)?:',
        'chose',
        "we(?: will|[’']ll) (?:use|keep|go with|switch to|stay with)",
        '(?:are|is) going with',
      ],
    },
    {
      ...W,
      words: [
        'lives? (?:in|at|with)',
        'moved (?:to|in with)',
        'works (?:at|for|as|in)',
        'work (?:at|for|as)',
        '(?:is|am|are) (?:now )?(?:allergic|married|engaged|vegan|vegetarian|based|responsible|in charge|on leave|retired)',
        'was born',
        'speaks?',
        'reports to',
        'birthday is',
        '(?:runs|is hosted|is deployed) (?:on|at)',
        'expires? on',
        'is due (?:on|in|by)',
        'no longer (?:lives|works|owns|runs|leads)',
      ],
    },
    { ...W, needsName: 'any', words: ['leads', 'owns', 'studies', 'teaches'] },
    { ...W, needsName: 'known', words: ['is (?:now |no longer |not )?(?:the|an?)', 'has (?:an?|two|three|four|no|\\d{1,3})'] },
    {
      ...E,
      words: [
        '(?:shipped|released|launched|signed|bought|sold|joined|left|founded|hired|visited|married|adopted|graduated|started|finished|quit|won|broke|lost|called|met|gave birth|got (?:married|engaged|promoted|hired|fired))',
      ],
    },
  ],
  de: [
    {
      ...O,
      words: [
        'bevorzug(?:t|e|en)',
        'hass(?:t|e|en)',
        'lieb(?:t|e|en)',
        'mag',
        'mögen',
        '(?:isst|trinkt|benutzt|nutzt|will|möchte) (?:nie|kein\\p{L}*|lieber|immer|nur)',
        'zieht [^.]{1,60} vor',
      ],
    },
    {
      ...B,
      words: [
        '(?:haben|hat|habe) [^.]{0,40}?(?:entschieden|beschlossen|geeinigt)',
        'entscheidung:',
        'beschlossen',
        'wir (?:nehmen|bleiben bei|wechseln zu)',
      ],
    },
    {
      ...W,
      words: [
        '(?:wohn|leb)(?:t|e|en) (?:jetzt |nun |nicht mehr )?(?:in|bei|mit)',
        'arbeitet (?:jetzt |nicht mehr )?(?:bei|für|als|in)',
        'ist (?:jetzt )?(?:allergisch|verheiratet|verlobt|zuständig|Veganer(?:in)?|Vegetarier(?:in)?)',
        '(?:ist|sind) [^.]{0,30}umgezogen',
        'zog nach',
        'spricht',
        'wurde [^.]{1,40}geboren',
      ],
    },
  ],
  es: [
    {
      ...O,
      words: [
        'prefier(?:e|o|en)',
        '(?:le|me|les|nos) (?:gusta|encanta)n?',
        'odi(?:a|o|an)',
        'detest(?:a|o|an)',
        '(?:nunca|siempre|ya no) (?:come|bebe|usa|toma|quiere)',
      ],
    },
    { ...B, words: ['decid(?:imos|ió|í|ieron)', '(?:hemos|ha|han) decidido', 'acord(?:amos|aron|ó)', 'decisión:'] },
    {
      ...W,
      words: [
        '(?:vive|vivo|viven) (?:en|con)',
        'se mudó a',
        'trabaj(?:a|o) (?:en|para|como|de)',
        'es alérgic[oa]',
        'está casad[oa]',
        'habla',
        'nació',
      ],
    },
  ],
  fr: [
    {
      ...O,
      words: [
        'préfère(?:nt)?',
        'aime(?:nt)?',
        'adore(?:nt)?',
        'déteste(?:nt)?',
        "(?:ne|n['’]) ?(?:mange|boit|utilise|veut)(?:nt)? (?:pas|plus|jamais)",
      ],
    },
    { ...B, words: ['(?:avons|a|ai|ont) (?:décidé|choisi|convenu)', 'décision ?:', 'on garde'] },
    {
      ...W,
      words: [
        'habite(?:nt)? (?:à|en|au|chez|avec)',
        'vit (?:à|en|au|chez|avec)',
        '(?:a|ont) déménagé (?:à|en|au)',
        'travaille(?:nt)? (?:à|chez|pour|comme|en)',
        'est (?:allergique|marié|mariée|végétarien|végétarienne)',
        'parle(?:nt)?',
        '(?:est )?née? (?:à|en|le)',
      ],
    },
  ],
  ar: [
    {
      ...O,
      words: [
        '[يت]فضل',
        'نفضل',
        '[يتأن]حب',
        '[يتأن]كره',
        '[يت]عشق',
        '(?:لا|لم يعد|لم تعد) (?:[يتأ]أكل|[يتأ]شرب|[يتأ]ستخدم|[يت]ريد|أريد)',
        'يعجب(?:ه|ها|ني)',
      ],
    },
    { ...B, words: ['قرر(?:نا|ت|وا)?', 'اتفق(?:نا|ت|وا)?', 'القرار[:：]', 'اخترنا', 'اعتمدنا', 'سنستخدم', 'سنعتمد'] },
    {
      ...W,
      words: [
        '[يت]سكن',
        '[يتأ]عيش',
        'انتقل(?:ت|وا)? إلى',
        '[يتأ]عمل (?:في|لدى|مع|ك\\p{L}+)',
        '(?:لديه|لديها|عنده|عندها|[يت]عاني من) حساسية',
        '[يت]تكلم',
        '[يت]تحدث',
        '(?:ولد|ولدت) (?:في|عام|سنة)',
        '(?:متزوج|متزوجة)',
      ],
    },
  ],
  fa: [
    {
      ...O,
      words: [
        'ترجیح می[\\u200C ]?ده(?:د|م|ند)',
        'دوست (?:دار|ندار)(?:د|م|ند)',
        'متنفر (?:است|هستم)',
        'بدش می[\\u200C ]?آید',
        'نمی[\\u200C ]?(?:خورد|نوشد|خواهد)',
      ],
    },
    { ...B, words: ['تصمیم گرفت(?:یم|ند|م)?', 'توافق کرد(?:یم|ند)?', 'تصمیم[:：]', 'قرار شد'] },
    {
      ...W,
      words: [
        'زندگی (?:می|نمی)[\\u200C ]?کن(?:د|م|ند)',
        'کار (?:می|نمی)[\\u200C ]?کن(?:د|م|ند)',
        'نقل مکان کرد',
        'ساکن',
        'به دنیا آمد',
        'حساسیت دارد',
      ],
    },
  ],
}

/** Cues of languages without blanks between words. */
export const UNSPACED_CUES: readonly Cue[] = [
  {
    ...O,
    words: [
      '喜欢(?!的)',
      '喜歡(?!的)',
      '偏爱',
      '偏愛',
      '讨厌',
      '討厭',
      '不爱',
      '从不(?!同)',
      '從不(?!同)',
      '热爱',
      '不想要',
      '宁愿',
      '不再(?:吃|喝|用)',
    ],
  },
  { ...B, words: ['决定', '決定', '商定', '约定', '選定', '选定', '改用', '同意'] },
  {
    ...W,
    words: [
      '住在',
      '搬到',
      '搬去',
      '就职于',
      '供职',
      '任职',
      '在[^，。,.和找失]{1,10}(?:工作|上班)(?:$|[，。了])',
      '过敏',
      '過敏',
      '会说',
      '出生于',
      '出生在',
      '已婚',
      '负责',
    ],
  },
]

/** Words after which nobody knows whether it is so: no statement with one of them is offered. */
export const UNSURE: readonly string[] = [
  "if|whether|maybe|perhaps|might|could|should|would(?! rather)|probably|seems?|apparently|suppose[ds]?|unless|wonder(?:s|ed)?|hopes?|hoping|pretends?|joked?|joking|used to|think(?:s|ing)? (?:about|of)|consider(?:s|ed|ing)?|plan(?:s|ning|ned)?|wants? to|trying to|ha(?:ve|s)(?: not|n['’]t) (?:yet )?decided|undecided|['’]d",
  'falls|wenn|ob|vielleicht|wohl|könnte|sollte|würde|wahrscheinlich|angeblich|scheint',
  'quizás?|tal vez|podría|debería|si|ojalá|probablemente|parece',
  'peut-être|si|pourrait|devrait|probablement|semble',
  'ربما|لعل|إذا|لو|قد|هل|يبدو|يمكن',
  'شاید|اگر|آیا|ممکن|احتمالا',
]
/** Without a capital: the month is sure. */
export const MAY: RegExp = /(?<![\p{L}\p{M}])may(?![\p{L}\p{M}])/u
export const UNSPACED_UNSURE: RegExp =
  /如果|也许|也許|可能|或许|或許|大概|要是|是否|好像|似乎|吗|嗎|呢$|应该|應該|假如|要不要|考虑|考慮|计划|計劃|打算|想要不|还没|還沒|尚未/u

/** Words with a capital at the start of a sentence that are days, not names. */
export const DAY_WORDS: RegExp =
  /^(?:today|yesterday|tomorrow|tonight|now|then|recently|lately|last|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|heute|gestern|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|hoy|ayer|mañana|aujourd['’]hui|hier|demain)(?![\p{L}\p{M}])/iu

/** Subjects that name nobody: a statement about one of them cannot be asked for. */
export const PRONOUNS: readonly string[] = [
  'he|she|it|they|you|who|that|this|these|those|there|what|which|everyone|everybody|nobody|someone|somebody|anyone|people|one|others|some|most|many|all|both|each',
  'er|sie|es|man|ihr|wer|das|dies|jemand|niemand|alle',
  'él|ella|ellos|ellas|usted|esto|eso|quien|alguien|nadie|todos',
  "il|elle|ils|elles|vous|tu|ça|cela|qui|quelqu['’]un|personne|tous",
  'هو|هي|هم|هما|أنت|أنتم|هذا|هذه|الناس|الجميع|أحد',
  'او|آنها|ایشان|تو|شما|این|آن|همه|کسی',
]
export const UNSPACED_PRONOUNS: RegExp = /^(?:这|那|他|她|它|他们|她们|你|您|你们|大家|人们|有人|谁)/u

/** A label that is no speaker: what follows was decided. */
export const DECISION_LABEL: RegExp = /^(?:decisions?|entscheidung|decisión|décision|القرار|قرار|تصمیم|决定|決定)$/iu

/** A speaker whose words are about somebody else: a program. */
export const PROGRAMS: RegExp = /^(?:assistant|ai|bot|system|agent|tool|助手|系统|المساعد|النظام|دستیار|assistent|asistente)$/iu
/** A speaker without a name of its own. */
export const USERS: RegExp = /^(?:user|human|me|用户|用戶|المستخدم|کاربر|benutzer|nutzer|usuario|utilisateur)$/iu
