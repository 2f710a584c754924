import type { EmbeddingInput, MissingInput } from '@mnemark/spec'
import { measureFor, utf8Length } from '../input/measure-input.ts'
import { prepareInput } from '../input/prepare-input.ts'
import type { BatchContext, BatchSource } from './batch-context.ts'

/** Bytes of a line beside its text: id, model, settings, a prefix. */
const LINE_BYTES = 512

export interface JobGroup {
  readonly inputs: readonly MissingInput[]
  readonly tokens: number
}

export interface PackerRules {
  /** Whether a text of this many tokens may be sent besides those of the group. The first refusal ends the packing. */
  readonly admits: (tokens: number) => boolean
  /** Called for texts that no job takes: blank ones, and those sent in pieces. */
  readonly onUnfit: (hash: string) => void
  /** Undefined = all. */
  readonly only?: ReadonlySet<string> | undefined
}

/** Packs missing inputs into groups, each as large as a job may be. The texts are measured, and not kept. */
export class JobPacker {
  readonly #context: BatchContext
  readonly #rules: PackerRules
  readonly #source: AsyncIterator<Awaited<ReturnType<AsyncIterator<MissingInput & { input: EmbeddingInput }>['next']>>['value']>
  readonly #measure: ReturnType<typeof measureFor>
  #held: MeasuredInput | undefined
  #isOver = false

  constructor(context: BatchContext, source: BatchSource, rules: PackerRules) {
    this.#context = context
    this.#rules = rules
    this.#source = source.missing()[Symbol.asyncIterator]()
    this.#measure = measureFor(context.provider)
  }

  /** True where the rules ended the packing before the source did. */
  isStopped = false

  /** Undefined when no group is left that is large enough for a job; smaller ones go by requests. */
  async take(): Promise<JobGroup | undefined> {
    const { maxRequests, maxBytes, minRequests } = this.#context.batch.limits
    const inputs: MissingInput[] = []
    let tokens = 0
    let bytes = 0
    for (;;) {
      const next = await this.#next()
      if (next === undefined) break
      const isFull = inputs.length >= maxRequests || bytes + next.bytes > maxBytes
      const isRefused = !isFull && !this.#rules.admits(tokens + next.tokens)
      if (isFull || isRefused) {
        this.#held = next
        this.#isOver ||= isRefused
        this.isStopped ||= isRefused
        break
      }
      inputs.push({ hash: next.hash, chunkId: next.chunkId })
      tokens += next.tokens
      bytes += next.bytes
    }
    if (inputs.length >= Math.max(1, minRequests)) return { inputs, tokens }
    for (const { hash } of inputs) this.#rules.onUnfit(hash)
    return undefined
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #next(): Promise<MeasuredInput | undefined> {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined && !this.#isOver) return held
    while (!this.#isOver) {
      const { done, value } = await this.#source.next()
      if (done) this.#isOver = true
      else if (this.#rules.only?.has(value.hash) !== false) {
        const measured = this.#measured(value)
        if (measured !== undefined) return measured
        this.#rules.onUnfit(value.hash)
      }
    }
    return undefined
  }

  #measured({ hash, chunkId, input }: MissingInput & { readonly input: EmbeddingInput }): MeasuredInput | undefined {
    if (input.type !== 'text') return undefined
    const rules = { measure: this.#measure, limits: this.#measure.limits, overlong: 'split' } as const
    const [piece, ...more] = prepareInput(input, 0, rules).pieces
    const isWhole = piece !== undefined && more.length === 0 && piece.end - piece.start === input.text.length
    const bytes = LINE_BYTES + utf8Length(JSON.stringify(input.text))
    return isWhole && bytes <= this.#context.batch.limits.maxBytes ? { hash, chunkId, tokens: piece.tokens, bytes } : undefined
  }
}

interface MeasuredInput extends MissingInput {
  readonly tokens: number
  readonly bytes: number
}
