import { RELATIVE_NAMES } from './calendar-names.ts'
import { LETTER } from './date-matcher.ts'
import type { DateUnit } from './date-reading.ts'
import { type FoldedQuery, foldQuery } from './folded-query.ts'

/** A day, week, month or year a number of steps from the present one, and where folded text names it. */
export interface NearTime {
  readonly start: number
  readonly end: number
  readonly unit: DateUnit
  readonly steps: number
}

interface Phrase {
  readonly text: string
  readonly unit: DateUnit
  readonly steps: number
}

/** The step that the first name of each unit's table stands for. */
const FIRST_STEP: Readonly<Record<DateUnit, number>> = { day: -2, week: -1, month: -1, year: -1 }
const UNITS: readonly DateUnit[] = ['day', 'week', 'month', 'year']
/** First words of phrases ("la semaine dernière", "на прошлой неделе") that mean the same without them. */
const ARTICLE = /^(?:la |le |el |l'|il |na |на |в |w )(?=.* .*|ann)/

/** Common phrases that the calendar data does not list (cases, word orders, short forms), by unit and step. */
const OTHER_PHRASES: readonly (readonly [unit: DateUnit, steps: number, phrases: string])[] = [
  [
    'day',
    -1,
    'gestern abend|hier soir|anoche|ontem à noite|ieri sera|gisteravond|вчора|dün gece|tadi malam|tối qua|אמש|دیشب|igår|เมื่อคืน|어젯밤',
  ],
  ['day', 0, 'heute morgen|heute abend|ce matin|ce soir|stamattina|stasera|dziś|idag|bu sabah|sáng nay|vanochtend|vanavond'],
  ['day', 1, 'imorgon'],
  ['day', -2, 'antes de ayer|그제'],
  [
    'week',
    -1,
    'letzter woche|letzten woche|vorige woche|voriger woche|vergangene woche|vergangener woche|scorsa settimana|última semana|afgelopen week|прошлая неделя|прошлую неделю|прошлой недели|zeszły tydzień|minggu kemarin|שבוע שעבר|هفته پیش|هفته قبل|पिछले सप्ताह|पिछले हफ्ते|पिछले हफ़्ते|อาทิตย์ที่แล้ว|지난 주|저번 주|저번주|förra vecka',
  ],
  ['week', 0, 'dieser woche|эта неделя|эту неделю|इस हफ्ते|이번주|อาทิตย์นี้'],
  ['week', 1, 'nächster woche|kommende woche|prossima settimana|следующая неделя'],
  [
    'month',
    -1,
    'letzter monat|letztem monat|voriger monat|vorigen monat|vergangenen monat|scorso mese|afgelopen maand|прошлый месяц|прошлого месяца|bulan kemarin|חודש שעבר|ماه پیش|ماه قبل|पिछले महीने|पिछला महीना|지난 달|저번 달',
  ],
  ['month', 0, 'dieser monat|diesem monat|ce mois|इस महीने|이번달'],
  [
    'year',
    -1,
    'letzten jahres|letztem jahr|voriges jahr|vorigen jahr|an dernier|scorso anno|afgelopen jaar|прошлый год|прошлого года|geçen sene|שנה שעברה|پارسال|पिछले साल|지난해|ปีที่ผ่านมา',
  ],
  ['year', 0, 'diesem jahr|इस साल|금년'],
]

/** Words of folded text: a phrase begins and ends only there. Thai and Korean write on without a space. */
const WORDS = new RegExp(`[0-9_${LETTER}]+`, 'g')
const IN_WORD = new RegExp(`[0-9_${LETTER}]`)
const FIRST_WORD = new RegExp(`^[0-9_${LETTER}]+`)
const SCRIPTS: readonly RegExp[] = [
  /[a-z]/,
  /[\u0370-\u03ff]/,
  /[\u0400-\u04ff]/,
  /[\u05d0-\u05ea]/,
  /[\u0620-\u06d3]/,
  /[\u0900-\u097f]/,
  /[\u0e00-\u0e7f]/,
  /[\uac00-\ud7a3]/,
]
/** Hebrew writes "and", "in", "of", "since" onto the word. */
const HEBREW_PREFIX = /^ו?[בלמהש]?(?=[\u05d0-\u05ea]{3})/
/** Words before `morgen` and `mañana` that make them "morning"; in folded text. */
const BEFORE_MORNING =
  /(?:^|[^a-z])(?:am|guten|jeden|eines|heute|gestern|goede|elke|de|der|den|diesen|la|esta|cada|una|buena|pasado) $/
/** Common words of German, Dutch and English, beside which `hier` is not French. */
const NO_FRENCH =
  /ß|(?<![a-z])(?:ist|sind|war|wo|was|wer|wie|der|die|das|den|dem|ein|eine|und|oder|nicht|mit|von|auf|im|zu|ich|wir|gibt|liegt|steht|het|een|en|van|op|te|zijn|dat|voor|met|niet|aan|wat|waar|hoe|welke|staat|the|is|are|in)(?![a-z])/

interface Phrases {
  readonly spaced: ReadonlyMap<string, readonly Phrase[]>
  readonly unspaced: readonly Phrase[]
}

const known = new Map<RegExp, Phrases>()

/** Near days, weeks, months and years that a text names in languages other than English, Arabic and Chinese. */
export function nearTimesIn(folded: FoldedQuery, query: string): readonly NearTime[] {
  return SCRIPTS.filter((script) => script.test(folded.text)).flatMap((script) => {
    const { spaced, unspaced } = phrasesFor(script)
    return [
      ...(spaced.size === 0 ? [] : spacedIn(folded, query, spaced)),
      ...unspaced.flatMap((phrase) => everyPlace(folded.text, phrase)),
    ]
  })
}

function spacedIn(folded: FoldedQuery, query: string, phrases: Phrases['spaced']): NearTime[] {
  const { text } = folded
  const found: NearTime[] = []
  let isFrench: boolean | undefined
  for (const match of text.matchAll(WORDS)) {
    const [word] = match
    const prefix = HEBREW_PREFIX.exec(word)?.[0].length ?? 0
    for (const skipped of prefix === 0 ? [0] : [0, prefix]) {
      const start = match.index + skipped
      const phrase = phrases.get(word.slice(skipped))?.find((one) => standsAt(text, one.text, start))
      if (phrase === undefined || !isMeant(phrase, { folded, query, start })) continue
      if (phrase.text === 'hier' && !(isFrench ??= !NO_FRENCH.test(text))) continue
      found.push(placed(phrase, start))
    }
  }
  return found
}

function placed({ text, unit, steps }: Phrase, start: number): NearTime {
  return { start, end: start + text.length, unit, steps }
}

function standsAt(text: string, phrase: string, start: number): boolean {
  const end = start + phrase.length
  return text.startsWith(phrase, start) && (end === text.length || !IN_WORD.test(text.charAt(end)))
}

function isMeant(phrase: Phrase, at: { readonly folded: FoldedQuery; readonly query: string; readonly start: number }): boolean {
  const { folded, query, start } = at
  if (phrase.text === 'morgen' || phrase.text === 'manana')
    return !BEFORE_MORNING.test(folded.text.slice(Math.max(0, start - 10), start))
  if (phrase.text === 'hier') return folded.text.charAt(start - 1) !== '-'
  // "Dun" without the umlaut is another word than Turkish "yesterday".
  return phrase.text !== 'dun' || /ü/i.test(query.slice(...folded.originalRange(start, start + 3)).normalize('NFC'))
}

function everyPlace(text: string, phrase: Phrase): NearTime[] {
  const found: NearTime[] = []
  for (let at = text.indexOf(phrase.text); at !== -1; at = text.indexOf(phrase.text, at + phrase.text.length))
    if (!/[\uac00-\ud7a3]/.test(text.charAt(at - 1))) found.push(placed(phrase, at))
  return found
}

/** Made for the first question in a script, so that other scripts cost nothing. */
function phrasesFor(script: RegExp): Phrases {
  const made = known.get(script)
  if (made !== undefined) return made
  const found = new Map<string, Phrase>()
  const add = (written: string, unit: DateUnit, steps: number) => {
    const text = foldQuery(written).text
    // The first meaning wins: Hindi has one word for yesterday and tomorrow, and memory looks back.
    if (!found.has(text)) found.set(text, { text, unit, steps })
  }
  for (const names of Object.values(RELATIVE_NAMES).filter(({ day }) => script.test(day))) {
    for (const unit of UNITS) {
      for (const [place, phrase] of names[unit].split('|').entries()) {
        add(phrase, unit, FIRST_STEP[unit] + place)
        if (ARTICLE.test(phrase)) add(phrase.replace(ARTICLE, ''), unit, FIRST_STEP[unit] + place)
      }
    }
  }
  for (const [unit, steps, others] of OTHER_PHRASES)
    for (const phrase of others.split('|')) if (script.test(phrase)) add(phrase, unit, steps)
  const phrases = byFirstWord([...found.values()])
  known.set(script, phrases)
  return phrases
}

/** Longest first. */
function byFirstWord(phrases: readonly Phrase[]): Phrases {
  const spaced = new Map<string, Phrase[]>()
  const unspaced: Phrase[] = []
  for (const phrase of phrases.toSorted((left, right) => right.text.length - left.text.length)) {
    const first = FIRST_WORD.exec(phrase.text)?.[0]
    const others = first === undefined ? unspaced : spaced.get(first)
    if (others !== undefined) others.push(phrase)
    else if (first !== undefined) spaced.set(first, [phrase])
  }
  return { spaced, unspaced }
}
