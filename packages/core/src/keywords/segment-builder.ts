import type { KeywordBlock, SmallSegment } from '@mnemark/spec'
import { analyseRunOnce, comesAgain, exactTerms, latinLanguageOf, stemTerms } from '../text/analyse.ts'
import { eachPackedGram, unpackGram } from '../text/packed-grams.ts'
import { eachRun } from '../text/runs.ts'
import { hasNoGrams, type LatinLanguage } from '../text/stop-words.ts'
import { gramsOf, type Word } from '../text/words.ts'
import { BlockWriter } from './block.ts'
import { ByteWriter } from './byte-writer.ts'
import { CHANNELS, type ChannelName, channelOf, keyOf, MEASURED } from './channels.ts'
import { dateTerms } from './date-terms.ts'
import { sortKeys } from './key-order.ts'
import type { KeywordDocument } from './keyword-document.ts'
import { pathNames, pathWords } from './path-terms.ts'
import { writePostings } from './postings.ts'
import { encodeHeader, encodeLengths, IDS_KEY, LENGTHS_KEY, writeIds } from './segment-header.ts'
import { TermCollector } from './term-collector.ts'

/** Term numbers of one run, so that a word seen before costs one look-up. */
interface RunNumbers {
  /** Of every channel that the run speaks in. */
  readonly terms: readonly number[]
  readonly words: number
  readonly grams: number
}

/** Gathers chunks and encodes them as one immutable segment. One builder makes one segment. */
export class SegmentBuilder {
  readonly #terms = new TermCollector()
  readonly #lengths: number[][] = MEASURED.map(() => [])
  /** By field and language: the same letters stem differently. */
  readonly #runs = new Map<string, Map<string, RunNumbers>>()
  /** Numbers of grams in ASCII by their packed letters: most grams, found without making a string. */
  readonly #packedGrams = new Map<number, number>()

  get count(): number {
    return this.#terms.chunkCount
  }

  add(document: KeywordDocument): void {
    this.#terms.startChunk()
    const language = latinLanguageOf(document.text)
    const text = this.#addField('text', document.text, language)
    let context = { words: 0, grams: 0 }
    for (const part of document.context) {
      const added = this.#addField('context', part, language)
      context = { words: context.words + added.words, grams: context.grams + added.grams }
    }
    for (const word of pathWords(document.path)) this.#addTerm('path', word)
    const names = pathNames(document.path)
    for (const name of new Set([names.path, names.base, names.stem])) this.#addTerm('name', name)
    for (const term of dateTerms(document.days)) this.#addTerm('date', term)
    const measured: Partial<Record<ChannelName, number>> = {
      text: text.words,
      context: context.words,
      gram: text.grams + context.grams,
    }
    MEASURED.forEach((channel, at) => this.#lengths[at]?.push(measured[channel] ?? 0))
  }

  #addTerm(channel: ChannelName, term: string): void {
    this.#terms.add(this.#terms.numberOf(keyOf(channel, term)))
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
      this.#terms.addAll(run.terms)
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
    const terms: number[] = []
    for (const term of exactTerms(run)) terms.push(this.#terms.numberOf(keyOf(field, term)))
    for (const stem of stemTerms(run, language)) terms.push(this.#terms.numberOf(keyOf('stem', stem)))
    const others = terms.length
    for (const word of run.words) if (!hasNoGrams(word.term)) this.#numberGrams(word, terms)
    return { terms, words: run.words.length, grams: terms.length - others }
  }

  #numberGrams(word: Word, into: number[]): void {
    const isPacked = eachPackedGram(word, (packed) => {
      let number = this.#packedGrams.get(packed)
      if (number === undefined) {
        number = this.#terms.numberOf(keyOf('gram', unpackGram(packed)))
        this.#packedGrams.set(packed, number)
      }
      into.push(number)
    })
    if (!isPacked) for (const gram of gramsOf(word)) into.push(this.#terms.numberOf(keyOf('gram', gram)))
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

  #encodeBlocks(): KeywordBlock[] {
    const { starts, ordinals, frequencies } = this.#terms.sort()
    const blocks: KeywordBlock[] = []
    const writer = new BlockWriter((block) => blocks.push(block))
    const [name, value] = [new ByteWriter(64), new ByteWriter()]
    for (const { key, term } of this.#terms.sortedKeys(sortKeys)) {
      const from = starts[term] ?? 0
      const to = starts[term + 1] ?? from
      const channel = channelOf(key)
      const maxFrequency = channel === undefined ? 255 : CHANNELS[channel].maxFrequency
      value.clear()
      writePostings(value, { ordinals, frequencies }, { maxFrequency, segmentCount: this.count, from, to })
      name.clear()
      name.utf8(key)
      writer.put(name, value)
    }
    writer.finish()
    return blocks
  }
}

/** First in a segment: which chunks its ordinals are, and how long they are. */
export function placeBlocks(ids: readonly number[], lengths: Uint8Array): KeywordBlock[] {
  const blocks: KeywordBlock[] = []
  const writer = new BlockWriter((block) => blocks.push(block))
  const put = (key: string, write: (value: ByteWriter) => void): void => {
    const [name, value] = [new ByteWriter(8), new ByteWriter()]
    name.utf8(key)
    write(value)
    writer.put(name, value)
  }
  put(IDS_KEY, (value) => writeIds(value, ids))
  put(LENGTHS_KEY, (value) => value.bytes(lengths))
  writer.finish()
  return blocks
}
