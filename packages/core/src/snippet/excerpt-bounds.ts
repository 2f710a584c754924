import { codePointStart, graphemeCeiling, graphemeFloor } from '../text/grapheme-border.ts'

const SENTENCE_END = /[.!?؟۔।…]["')\]»”]*(?=\s)|[。！？][」』”）]*/g
const BEYOND_ASCII = /\P{ASCII}/u
/** Words longer than this are cut: they are no words of a language. */
const LONGEST_WORD = 64

let wordSegmenter: Intl.Segmenter | undefined

/**
 * The part [start, end) of a text, at most `size` characters, around a wanted range: whole lines where that leaves at
 * least half of the size, else whole sentences, words, graphemes. `before` is the share of the remaining size that goes
 * before the range, by default half. Reads bounded pieces only.
 */
export function excerptBounds(
  text: string,
  wanted: { readonly start: number; readonly end: number },
  size: number,
  before = 0.5,
): { readonly start: number; readonly end: number } {
  if (text.length <= size) return { start: 0, end: text.length }
  const wantedStart = graphemeFloor(text, wanted.start)
  const wantedEnd = Math.min(graphemeCeiling(text, wanted.end), wantedStart + size)
  const spare = size - (wantedEnd - wantedStart)
  const earliest = Math.max(0, Math.min(wantedStart - Math.floor(spare * before), text.length - size))
  const start = startBorder(text, { earliest, latest: wantedStart, size })
  return { start, end: endBorder(text, { start, earliest: Math.max(wantedEnd, start + 1), latest: start + size }) }
}

function startBorder(text: string, range: { readonly earliest: number; readonly latest: number; readonly size: number }): number {
  const { earliest, latest, size } = range
  if (earliest === 0 || earliest >= latest) return Math.min(earliest, latest)
  const lineStart = text.slice(earliest - 1, latest).indexOf('\n') + earliest
  if (lineStart >= earliest && lineStart <= text.length - size / 2) return lineStart
  const sentences = sentenceEnds(text, earliest, Math.min(latest, earliest + Math.floor(size / 4)))
  const words = wordBorders(text, earliest, Math.min(latest, earliest + LONGEST_WORD)).starts
  const candidates = [...sentences.slice(0, 1), ...words, graphemeCeiling(text, earliest)]
  return candidates.find((border) => border <= latest && graphemeFloor(text, border) === border) ?? latest
}

function endBorder(text: string, range: { readonly start: number; readonly earliest: number; readonly latest: number }): number {
  const { start, earliest, latest } = range
  if (latest >= text.length) return text.length
  const half = Math.max(earliest, start + Math.floor((latest - start) / 2))
  const lineEnd = text.slice(half, latest + 1).lastIndexOf('\n')
  if (lineEnd >= 0) return half + lineEnd
  const sentences = sentenceEnds(text, half, latest)
  const words = wordBorders(text, Math.max(earliest, latest - LONGEST_WORD), latest).ends
  const candidates = [...sentences.slice(-1), ...words.toReversed(), graphemeFloor(text, latest)]
  const border = candidates.find((candidate) => candidate > start && graphemeFloor(text, candidate) === candidate)
  return border ?? codePointStart(text, latest)
}

/** Positions in [from, to] directly after the end of a sentence. */
function sentenceEnds(text: string, from: number, to: number): number[] {
  const begin = Math.max(0, from - 8)
  const ends = Array.from(text.slice(begin, to + 8).matchAll(SENTENCE_END), (match) => begin + match.index + match[0].length)
  return ends.filter((end) => end >= from && end <= to)
}

/** Where words begin and end in [from, to]. */
function wordBorders(text: string, from: number, to: number): { readonly starts: number[]; readonly ends: number[] } {
  const begin = graphemeFloor(text, Math.max(0, from - LONGEST_WORD))
  const words = wordsOf(text.slice(begin, to + LONGEST_WORD)).map(({ start, end }) => ({
    start: begin + start,
    end: begin + end,
  }))
  return {
    starts: words.map(({ start }) => start).filter((start) => start >= from && start <= to),
    ends: words.map(({ end }) => end).filter((end) => end >= from && end <= to),
  }
}

function wordsOf(piece: string): { readonly start: number; readonly end: number }[] {
  if (!BEYOND_ASCII.test(piece)) {
    return Array.from(piece.matchAll(/\S+/g), ({ index, 0: word }) => ({ start: index, end: index + word.length }))
  }
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  const words = Array.from(wordSegmenter.segment(piece)).filter(({ isWordLike }) => isWordLike)
  return words.map(({ index, segment }) => ({ start: index, end: index + segment.length }))
}
