import type { KeywordBlock, SmallSegment } from '@mnemark/spec'
import { analyseRunOnce, comesAgain, exactTerms, gramTerms, latinLanguageOf, stemTerms } from '../text/analyse.ts'
import { eachRun } from '../text/runs.ts'
import type { LatinLanguage } from '../text/stop-words.ts'
import { BlockWriter } from './block.ts'
import { ByteWriter } from './byte-writer.ts'
import { CHANNELS, type ChannelName, channelOf, keyOf, MEASURED } from './channels.ts'
import { dateTerms } from './date-terms.ts'
import { sortKeys } from './key-order.ts'
import type { KeywordDocument } from './keyword-document.ts'
import { pathNames, pathWords } from './path-terms.ts'
import { writePostings } from './postings.ts'
import { encodeHeader, encodeLengths, IDS_KEY, LENGTHS_KEY, writeIds } from './segment-header.ts'

/** Term numbers of one run, so that a word seen before costs one look-up. */
interface RunNumbers {
  /** Of every channel that the run speaks in. */
  readonly terms: readonly number[]
  readonly words: number
  readonly grams: number
}

/** Postings in the order of arrival; sorted by term only at the end. */
class PostingList {
  terms: Uint32Array = new Uint32Array(1 << 14)
  frequencies: Uint8Array = new Uint8Array(1 << 14)
  length = 0

  push(term: number): number {
    if (this.length === this.terms.length) {
      const terms = new Uint32Array(this.length * 2)
      terms.set(this.terms)
      this.terms = terms
      const frequencies = new Uint8Array(this.length * 2)
      frequencies.set(this.frequencies)
      this.frequencies = frequencies
    }
    this.terms[this.length] = term
    this.frequencies[this.length] = 1
    return this.length++
  }
}

/** Gathers chunks and encodes them as one immutable segment. One builder makes one segment. */
export class SegmentBuilder {
  readonly #numbers = new Map<string, number>()
  readonly #keys: string[] = []
  readonly #documentFrequencies: number[] = []
  /** By term: its posting in the current chunk, if `#lastChunk` says so. */
  readonly #lastPosting: number[] = []
  readonly #postings = new PostingList()
  readonly #firstPosting: number[] = []
  readonly #lengths: number[][] = MEASURED.map(() => [])
  /** By field and language: the same letters stem differently. */
  readonly #runs = new Map<string, Map<string, RunNumbers>>()

  get count(): number {
    return this.#firstPosting.length
  }

  get postingCount(): number {
    return this.#postings.length
  }

  add(document: KeywordDocument): void {
    this.#firstPosting.push(this.#postings.length)
    const language = latinLanguageOf(document.text)
    const text = this.#addField('text', document.text, language)
    let context = { words: 0, grams: 0 }
    for (const part of document.context) {
      const added = this.#addField('context', part, language)
      context = { words: context.words + added.words, grams: context.grams + added.grams }
    }
    for (const word of pathWords(document.path)) this.#bump(this.#number('path', word))
    const names = pathNames(document.path)
    for (const name of new Set([names.path, names.base, names.stem])) this.#bump(this.#number('name', name))
    for (const term of dateTerms(document.days)) this.#bump(this.#number('date', term))
    const measured: Partial<Record<ChannelName, number>> = {
      text: text.words,
      context: context.words,
      gram: text.grams + context.grams,
    }
    MEASURED.forEach((channel, at) => this.#lengths[at]?.push(measured[channel] ?? 0))
  }

  #addField(field: 'text' | 'context', text: string, language: LatinLanguage | undefined): { words: number; grams: number } {
    const length = { words: 0, grams: 0 }
    const known = this.#runsOf(field, language)
    eachRun(text, (raw) => {
      let run = known.get(raw)
      if (!run) {
        run = this.#numberRun(field, raw, language)
        if (comesAgain(raw)) known.set(raw, run)
      }
      for (const term of run.terms) this.#bump(term)
      length.words += run.words
      length.grams += run.grams
    })
    return length
  }

  #runsOf(field: 'text' | 'context', language: LatinLanguage | undefined): Map<string, RunNumbers> {
    const key = `${field} ${language}`
    const known = this.#runs.get(key) ?? new Map<string, RunNumbers>()
    this.#runs.set(key, known)
    return known
  }

  #numberRun(field: 'text' | 'context', raw: string, language: LatinLanguage | undefined): RunNumbers {
    const run = analyseRunOnce(raw)
    const grams = gramTerms(run)
    const terms = [
      ...exactTerms(run).map((term) => this.#number(field, term)),
      ...stemTerms(run, language).map((stem) => this.#number('stem', stem)),
      ...grams.map((gram) => this.#number('gram', gram)),
    ]
    return { terms, words: run.words.length, grams: grams.length }
  }

  #number(channel: ChannelName, term: string): number {
    const key = keyOf(channel, term)
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#keys.length
      this.#numbers.set(key, number)
      this.#keys.push(key)
      this.#documentFrequencies.push(0)
      this.#lastPosting.push(-1)
    }
    return number
  }

  #bump(term: number): void {
    const first = this.#firstPosting[this.#firstPosting.length - 1] ?? 0
    const posting = this.#lastPosting[term] ?? -1
    if (posting >= first) {
      const frequency = this.#postings.frequencies[posting] ?? 0
      if (frequency < 255) this.#postings.frequencies[posting] = frequency + 1
      return
    }
    this.#lastPosting[term] = this.#postings.push(term)
    this.#documentFrequencies[term] = (this.#documentFrequencies[term] ?? 0) + 1
  }

  /**
   * Everything but the chunk ids, which the store gives only inside its transaction: the returned function takes them, in
   * the order of `add`, rising, and is cheap.
   */
  encode(): (id: string, ids: readonly number[], removed: readonly number[]) => SmallSegment {
    const blocks = this.#encodeBlocks()
    const lengths = encodeLengths(this.#lengths, this.count)
    const totals = this.#lengths.map((channel) => channel.reduce((sum, length) => sum + length, 0))
    const count = this.count
    return (id, ids, removed) => {
      const header = encodeHeader({ count, totals, removed: [...removed].sort((left, right) => left - right) })
      return { id, header, blocks: count === 0 ? [] : [...placeBlocks(ids, lengths), ...blocks] }
    }
  }

  /** Counting sort: where each term's postings begin, then every posting to its place; ordinals come out rising. */
  #sortPostings(): { starts: Uint32Array; ordinals: Uint32Array; frequencies: Uint8Array } {
    const starts = new Uint32Array(this.#keys.length + 1)
    this.#documentFrequencies.forEach((count, term) => {
      starts[term + 1] = (starts[term] ?? 0) + count
    })
    const next = starts.slice()
    const ordinals = new Uint32Array(this.#postings.length)
    const frequencies = new Uint8Array(this.#postings.length)
    for (let ordinal = 0; ordinal < this.count; ordinal += 1) {
      const end = this.#firstPosting[ordinal + 1] ?? this.#postings.length
      for (let at = this.#firstPosting[ordinal] ?? 0; at < end; at += 1) {
        const term = this.#postings.terms[at] ?? 0
        const place = next[term] ?? 0
        next[term] = place + 1
        ordinals[place] = ordinal
        frequencies[place] = this.#postings.frequencies[at] ?? 1
      }
    }
    return { starts, ordinals, frequencies }
  }

  #encodeBlocks(): KeywordBlock[] {
    const { starts, ordinals, frequencies } = this.#sortPostings()
    const blocks: KeywordBlock[] = []
    const writer = new BlockWriter((block) => blocks.push(block))
    const value = new ByteWriter()
    for (const key of sortKeys([...this.#keys])) {
      const term = this.#numbers.get(key) ?? 0
      const from = starts[term] ?? 0
      const to = starts[term + 1] ?? from
      value.clear()
      const channel = channelOf(key)
      writePostings(
        value,
        { ordinals: ordinals.subarray(from, to), frequencies: frequencies.subarray(from, to) },
        { maxFrequency: channel === undefined ? 255 : CHANNELS[channel].maxFrequency, segmentCount: this.count },
      )
      writer.put(key, value.toBytes())
    }
    writer.finish()
    return blocks
  }
}

/** First in a segment: which chunks its ordinals are, and how long they are. */
export function placeBlocks(ids: readonly number[], lengths: Uint8Array): KeywordBlock[] {
  const blocks: KeywordBlock[] = []
  const value = new ByteWriter()
  writeIds(value, ids)
  const writer = new BlockWriter((block) => blocks.push(block))
  writer.put(IDS_KEY, value.toBytes())
  writer.put(LENGTHS_KEY, lengths)
  writer.finish()
  return blocks
}
