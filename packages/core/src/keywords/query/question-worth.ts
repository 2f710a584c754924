import { CHANNELS, type ChannelName } from '../format/channels.ts'
import type { KeywordQuery, QueryTerm } from './keyword-query.ts'
import { GRAM_SHARE, GRAM_SHARE_BESIDE_EXACT } from './keyword-search.ts'
import { K1 } from '../read/saturation.ts'
import { inverseDocumentFrequency, type WeighedTerm, type WeighedWord } from './weigh-query.ts'

/** Channels of a word that add up in a chunk that holds it whole; of the others, such as headings and dates, the best counts. */
const OF_THE_TEXT: ReadonlySet<ChannelName> = new Set<ChannelName>(['text', 'stem'])

/** Length of a short chunk, as a share of the average. */
const SHORT = 0.5

/** BM25's f / (f + k1 · (1 − b + b · length / average)) for a word that occurs once in a short chunk. */
function saturationOnce({ channel }: QueryTerm): number {
  const { b } = CHANNELS[channel]
  return 1 / (1 + K1 * (1 - b + b * SHORT))
}

function worthOfTerm({ term, weighing }: WeighedTerm): number {
  return weighing.factor * saturationOnce(term)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Score of a chunk for a word it holds whole. */
function worthOfWord({ word, exact, grams }: WeighedWord, greatestIdf: number): number {
  const worthOfUnknown = (term: QueryTerm) => term.weight * greatestIdf * (K1 + 1) * saturationOnce(term)
  const ofText = exact.filter(({ term }) => OF_THE_TEXT.has(term.channel))
  if (ofText.length > 0) return sum([...ofText, ...grams].map(worthOfTerm))
  if (exact.length > 0) return Math.max(...exact.map(worthOfTerm)) + sum(grams.map(worthOfTerm))
  // The index lacks the word itself. If it has another form of the word, the grams of that form count; else all grams do.
  const text = sum(word.terms.filter(({ channel }) => OF_THE_TEXT.has(channel)).map(worthOfUnknown))
  const isKnownForm = grams.length > 0 && grams.length >= GRAM_SHARE * word.grams.length
  if (isKnownForm) return text + sum(grams.map(worthOfTerm))
  // A day without a note counts as much as a word.
  const unknown = text > 0 ? text : Math.max(0, ...word.terms.map((term) => worthOfUnknown({ ...term, weight: 1 })))
  return unknown + sum(word.grams.map(worthOfUnknown))
}

/** Maximum score of a question: the keyword score of a short chunk that holds every word of it whole. */
export function possibleScore(
  words: readonly WeighedWord[],
  { tuning }: Pick<KeywordQuery, 'tuning'>,
  liveCount: number,
): number {
  const greatestIdf = inverseDocumentFrequency(liveCount, 0)
  const asked = words.filter(({ word }) => !word.isOptional)
  return sum(asked.map((word) => worthOfWord(word, greatestIdf))) * (1 + tuning.coverageBonus)
}

/** Rarity of a word; a word that is nowhere in exactly this form is the rarest. */
function idfOf({ exact }: WeighedWord, liveCount: number): number {
  return inverseDocumentFrequency(liveCount, Math.max(0, ...exact.map(({ postings }) => postings.count)))
}

/** 0..1: 1 where a chunk holds the word itself, else the share of its grams, if enough for another form of the word. */
function heldShare({ word, exact, grams }: WeighedWord, ordinal: number): number {
  const isHeld = ({ postings }: WeighedTerm) => postings.frequencyAt(ordinal) > 0
  if (exact.some(isHeld)) return 1
  const share = word.grams.length === 0 ? 0 : grams.filter(isHeld).length / word.grams.length
  return share >= (exact.length > 0 ? GRAM_SHARE_BESIDE_EXACT : GRAM_SHARE) ? share : 0
}

/** Function words count only where there are no others. */
function contentWords(words: readonly WeighedWord[]): readonly WeighedWord[] {
  const content = words.filter(({ word }) => !word.isStop)
  return content.length > 0 ? content : words
}

/** Whether the word represents other words of the query as well: a compound, a date. */
function isWhole({ word }: WeighedWord): boolean {
  return word.isCompound || word.terms.some(({ channel }) => channel === 'date')
}

/**
 * Share of the question's content words that a chunk holds, 0..1, weighted by rarity. A compound or a date counts once:
 * whole, or by its words.
 */
export function contentShare(words: readonly WeighedWord[], liveCount: number, ordinal: number | undefined): number {
  if (ordinal === undefined) return 0
  let asked = 0
  let held = 0
  for (const unit of Map.groupBy(contentWords(words), (weighed) => weighed.word.unit ?? weighed).values()) {
    if (unit.every(({ word }) => word.isOptional)) continue
    const idf = Math.max(...unit.flatMap((weighed) => (weighed.word.isOptional ? [] : idfOf(weighed, liveCount))))
    const shareOf = (weighed: WeighedWord) => heldShare(weighed, ordinal)
    const parts = unit.filter((weighed) => !isWhole(weighed)).map(shareOf)
    const byParts = parts.length === 0 ? 0 : sum(parts) / parts.length
    asked += idf
    held += idf * Math.max(byParts, ...unit.filter(isWhole).map(shareOf))
  }
  return asked > 0 ? held / asked : 0
}

/** Importance of each word of a question, 0..1, by its index in the query; snippets are chosen by it. */
export function worthOfWords(words: readonly WeighedWord[], liveCount: number): readonly number[] {
  const greatest = inverseDocumentFrequency(liveCount, 0)
  return words.map((weighed) => (greatest > 0 ? idfOf(weighed, liveCount) / greatest : 1))
}
