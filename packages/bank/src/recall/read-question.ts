import { type DateOrder, readTimeWindows } from '@mnemark/core/dates'
import { foldWord } from '@mnemark/core/text'
import { dayInZone } from '@mnemark/spec'
import type { Entities, Entity } from '../entities/entities.ts'
import { NOW_WORDS, UNSPACED_NOW } from '../facts/now-words.ts'
import { namesInQuestion } from './names-in-question.ts'

/** The entities, days and wish that a question names, besides its words. */
export interface QuestionReading {
  readonly entities: readonly Entity[]
  /** The days it names, both inclusive, YYYY-MM-DD. */
  readonly since?: string
  readonly until?: string
  /** `preference`: what somebody likes or wants. `history`: how something became what it is. */
  readonly wish?: 'preference' | 'history'
  /** The question without names, days and words for the present, folded. */
  readonly rest: string
}

export interface ReadQuestionOptions {
  readonly entities: Entities
  readonly nowMs: number
  /** IANA name of the user's zone. */
  readonly timeZone: string
  readonly dateOrder?: DateOrder | undefined
}

const PREFERENCES = [
  'prefer',
  'prefers',
  'preferred',
  'preference',
  'preferences',
  'like',
  'likes',
  'love',
  'loves',
  'hate',
  'hates',
  'dislike',
  'dislikes',
  'favourite',
  'favorite',
  'enjoy',
  'enjoys',
  'mag',
  'mögen',
  'lieber',
  'liebsten',
  'bevorzugt',
  'hasst',
  'lieblings',
  'prefiere',
  'gusta',
  'gustan',
  'odia',
  'favorito',
  'favorita',
  'préfère',
  'aime',
  'déteste',
  'préféré',
  'préférée',
  'يفضل',
  'تفضل',
  'يحب',
  'تحب',
  'يكره',
  'تكره',
  'المفضل',
  'المفضلة',
  'ترجیح',
  'دوست',
  'любит',
  'предпочитает',
  'любимый',
]
const HISTORY = [
  'history',
  'changed',
  'evolve',
  'evolved',
  'geschichte',
  'verlauf',
  'historia',
  'historique',
  'تاريخ',
  'تغير',
  'تغيرت',
]
const UNSPACED_PREFERENCES = /喜欢|喜歡|偏好|最爱|最愛|讨厌|討厭|爱吃|好き|嫌い|好み|좋아|싫어/u
const UNSPACED_HISTORY = /历史|歷史|变化|變化|経緯|履歴/u
const PREFERENCE_WORDS = new Set(PREFERENCES.map(foldWord))
const HISTORY_WORDS = new Set(HISTORY.map(foldWord))
/** "What is it like", "looks like": a comparison. */
const COMPARISON =
  /\b(?:is|was|are|were|look|looks|looked|feel|feels|sound|sounds|something|anything) (?:\w{1,20} ){0,4}like\b|\blike this\b/i

/** Reads names, days and the wish of a question, in any language; what it does not understand stays plain words. */
export function readQuestion(question: string, options: ReadQuestionOptions): QuestionReading {
  const today = dayInZone(options.nowMs, options.timeZone)
  const windows = readTimeWindows(question, { today, dateOrder: options.dateOrder })
  const since = windows.flatMap(({ from }) => from ?? []).toSorted()[0]
  const until = windows
    .flatMap(({ to }) => to ?? [])
    .toSorted()
    .at(-1)
  const isOpenBefore = windows.length > 0 && windows.every(({ from }) => from === undefined)
  const isOpenAfter = windows.length > 0 && windows.every(({ to }) => to === undefined)
  const undated = windows.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, question)
  const { entities, rest } = namesInQuestion(undated, options.entities)
  const wish = wishOf(question)
  return {
    entities,
    rest: withoutNow(rest),
    ...(since !== undefined && !isOpenBefore && { since }),
    ...(until !== undefined && !isOpenAfter && { until }),
    ...(wish !== undefined && { wish }),
  }
}

function withoutNow(text: string): string {
  const words = text.replace(UNSPACED_NOW, ' ').split(/\s+/)
  return words.filter((word) => !NOW_WORDS.has(word.replace(/(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/u, ''))).join(' ')
}

function wishOf(question: string): QuestionReading['wish'] {
  const words = foldWord(question).split(/[^\p{L}\p{M}\p{N}]+/u)
  const plain = COMPARISON.test(question) ? words.filter((word) => word !== 'like') : words
  if (UNSPACED_PREFERENCES.test(question) || plain.some((word) => PREFERENCE_WORDS.has(word))) return 'preference'
  return UNSPACED_HISTORY.test(question) || plain.some((word) => HISTORY_WORDS.has(word)) ? 'history' : undefined
}
