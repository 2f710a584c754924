import type { KeywordBlock, SmallSegment } from '@mnemark/spec'
import { analyseRunOnce, comesAgain, exactTerms, latinLanguageOf, spellingTerms, stemTerms } from '../../text/analyse.ts'
import { joinedNeighbours } from '../../text/neighbours.ts'
import { eachPackedGram } from '../../text/packed-grams.ts'
import { readText } from '../../text/letters/read-text.ts'
import { eachRunPlace } from '../../text/runs.ts'
import { hasNoGrams, type LatinLanguage } from '../../text/stems/stop-words.ts'
import { gramsOf, sharedGramsOf } from '../../text/words.ts'
import { BlockWriter } from '../format/block.ts'
import { ByteWriter } from '../format/byte-writer.ts'
import { CHANNELS, type ChannelName, MEASURED } from '../format/channels.ts'
import { dayOrUndated, encodeTraits, totalsOf, traitBlocks } from '../format/chunk-traits.ts'
import { dateTerms } from '../terms/date-terms.ts'
import type { KeywordDocument } from '../terms/keyword-document.ts'
import { nameTerms } from '../terms/name-terms.ts'
import { pathNames, pathWords } from '../../document/names/path-terms.ts'
import { writePostings } from '../format/postings.ts'
import { RunNames } from './run-names.ts'
import { RunTerms, type SpokenTerms } from './run-terms.ts'
import { encodeHeader } from '../format/segment-header.ts'
import { TermCollector } from './term-collector.ts'
import { TermNumbers } from '../format/term-numbers.ts'

type Field = 'text' | 'context'
const SPELLING_OF = { text: 'spelling', context: 'spellingContext' } as const satisfies Record<Field, ChannelName>

/** Gathers chunks and encodes them as one immutable segment. One builder makes one segment. */
export class SegmentBuilder {
  readonly #terms = new TermNumbers()
  readonly #postings = new TermCollector()
  readonly #traits = {
    lengths: MEASURED.map((): number[] => []),
    days: [] as number[],
    hashes: [] as number[],
    firsts: [] as number[],
  }
  /** Known runs with their terms, so that a word costs one look-up. Both use the same numbers. */
  readonly #runNames = new RunNames()
  readonly #runTerms = new RunTerms()
  /** Numbers of field and language: the same letters have other terms in each. */
  readonly #kinds = new Map<string, number>()

  get count(): number {
    return this.#postings.chunkCount
  }

  add(document: KeywordDocument): void {
    this.#postings.startChunk()
    const body = readText(document.text).text
    const language = latinLanguageOf(body)
    const text = this.#addField('text', [body], language)
    const context = this.#addField(
      'context',
      document.context.map((part) => readText(part).text),
      language,
    )
    if (document.fileTitle !== undefined) this.#addField('context', [readText(document.fileTitle).text], language)
    for (const word of pathWords(document.path)) this.#addTerm('path', word)
    const names = pathNames(document.path)
    for (const name of new Set([names.path, names.base, names.stem])) this.#addTerm('name', name)
    for (const term of nameTerms(document.path, document.names, document.headings ?? [])) this.#addTerm('title', term)
    for (const term of document.properties ?? []) this.#addTerm('property', term)
    for (const term of dateTerms(document.days)) this.#addTerm('date', term)
    for (const term of document.entries ?? []) this.#addTerm('entry', term)
    const measured: Partial<Record<ChannelName, number>> = {
      text: text.words,
      context: context.words,
      gram: text.grams + context.grams,
    }
    MEASURED.forEach((channel, at) => this.#traits.lengths[at]?.push(measured[channel] ?? 0))
    this.#traits.days.push(dayOrUndated(document.day))
    this.#traits.hashes.push(document.hash)
    this.#traits.firsts.push(document.ordinal === 0 ? 1 : 0)
  }

  #addTerm(channel: ChannelName, term: string): void {
    this.#postings.add(this.#terms.of(channel, term), 1)
  }

  /** Runs are counted before their terms are added: a word costs its grams once per chunk, however often it occurs. */
  #addField(
    field: Field,
    parts: readonly string[],
    language: LatinLanguage | undefined,
  ): { readonly words: number; readonly grams: number } {
    const length = { words: 0, grams: 0 }
    const kind = this.#kindOf(field, language)
    for (const part of parts) {
      for (const { whole, joined } of joinedNeighbours(part, false)) {
        if (whole !== undefined) this.#addTerm(field, whole)
        this.#addTerm(SPELLING_OF[field], joined)
      }
      eachRunPlace(part, (start, end) => {
        const run = this.#runNames.find(kind, part, start, end)
        if (run !== undefined) {
          this.#runTerms.count(run)
          return
        }
        const raw = part.slice(start, end)
        const spoken = this.#termsOf(field, raw, language)
        if (comesAgain(raw)) {
          this.#runNames.add(kind, raw)
          this.#runTerms.count(this.#runTerms.add(spoken))
          return
        }
        for (const term of spoken.terms) this.#postings.add(term, 1)
        length.words += spoken.words
        length.grams += spoken.grams
      })
    }
    this.#runTerms.settle(({ count, words, grams, terms, from, to }) => {
      for (let at = from; at < to; at += 1) this.#postings.add(terms.at(at), count)
      length.words += words * count
      length.grams += grams * count
    })
    return length
  }

  #kindOf(field: Field, language: LatinLanguage | undefined): number {
    const name = `${field} ${language}`
    const kind = this.#kinds.get(name) ?? this.#kinds.size
    this.#kinds.set(name, kind)
    return kind
  }

  #termsOf(field: Field, raw: string, language: LatinLanguage | undefined): SpokenTerms {
    const run = analyseRunOnce(raw)
    const terms: number[] = []
    for (const term of exactTerms(run)) terms.push(this.#terms.of(field, term))
    for (const stem of stemTerms(run, language)) terms.push(this.#terms.of('stem', stem))
    for (const spelling of spellingTerms(run)) terms.push(this.#terms.of(SPELLING_OF[field], spelling))
    for (const word of run.words) for (const gram of sharedGramsOf(word)) terms.push(this.#terms.of('spellingGram', gram))
    const others = terms.length
    const addPacked = (packed: number): void => {
      terms.push(this.#terms.ofGram(packed))
    }
    for (const word of run.words) {
      if (hasNoGrams(word.term) || eachPackedGram(word, addPacked)) continue
      for (const gram of gramsOf(word)) terms.push(this.#terms.of('gram', gram))
    }
    return { terms, words: run.words.length, grams: terms.length - others }
  }

  /**
   * Encodes everything but the chunk ids, which the store assigns only inside its transaction: the returned function
   * takes them, in the order of `add`, ascending, and is cheap.
   */
  encode(): (id: string, ids: readonly number[], removed: readonly number[]) => SmallSegment {
    const blocks = this.#encodeBlocks()
    const traits = encodeTraits(this.#traits, this.count)
    const totals = totalsOf(this.#traits.lengths)
    const count = this.count
    return (id, ids, removed) => {
      const header = encodeHeader({ count, totals, removed: [...removed].sort((left, right) => left - right) })
      return { id, header, blocks: count === 0 ? [] : [...traitBlocks(ids, traits), ...blocks] }
    }
  }

  #encodeBlocks(): KeywordBlock[] {
    const { starts, ordinals, frequencies } = this.#postings.sort(this.#terms.count)
    const blocks: KeywordBlock[] = []
    const writer = new BlockWriter((block) => blocks.push(block))
    const [key, value] = [new ByteWriter(64), new ByteWriter()]
    this.#terms.eachInOrder(key, (channel, term) => {
      const from = starts[term] ?? 0
      const to = starts[term + 1] ?? from
      const { maxFrequency } = CHANNELS[channel]
      value.clear()
      writePostings(value, { ordinals, frequencies }, { maxFrequency, segmentCount: this.count, from, to })
      writer.put(key, value)
    })
    writer.finish()
    return blocks
  }
}
