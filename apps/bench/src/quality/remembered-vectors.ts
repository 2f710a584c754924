import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { InputType } from '@mnemark/spec'
import * as valibot from 'valibot'
import { BadUse } from '../report/bad-use.ts'

const fileSchema = valibot.object({ model: valibot.string(), vectors: valibot.record(valibot.string(), valibot.string()) })

/** Vectors by the hash of their text, as base64 of little-endian float32; with a file also from one run to the next. */
export class RememberedVectors {
  readonly #model: string
  readonly #file: string | undefined
  readonly #vectors: Map<string, string>
  readonly #used: Readonly<Record<InputType, Set<string>>> = { document: new Set(), query: new Set() }
  #isChanged = false

  /** Reads the file, where there is one. Throws BadUse for a file of another model or form. */
  constructor(model: string, file?: string) {
    this.#model = model
    this.#file = file
    this.#vectors = new Map(file !== undefined && existsSync(file) ? readVectors(model, file) : [])
  }

  has(text: string): boolean {
    return this.#vectors.has(keyOf(text))
  }

  add(text: string, vector: readonly number[]): void {
    this.#vectors.set(keyOf(text), Buffer.from(Float32Array.from(vector).buffer).toString('base64'))
    this.#isChanged = true
  }

  /** Empty for a text that is not known. Counts as a use of it. */
  get(text: string, inputType: InputType): string {
    const key = keyOf(text)
    this.#used[inputType].add(key)
    return this.#vectors.get(key) ?? ''
  }

  /** Every vector that was asked for in this run, once for each text, in the order of asking: little-endian float32. */
  bytesOf(inputType: InputType): readonly Uint8Array[] {
    return [...this.#used[inputType]].map((key) => Buffer.from(this.#vectors.get(key) ?? '', 'base64'))
  }

  /** Writes the file, if there is one and something new in it. */
  save(): void {
    if (this.#file === undefined || !this.#isChanged) return
    const temporary = `${this.#file}.new`
    writeFileSync(temporary, JSON.stringify({ model: this.#model, vectors: Object.fromEntries(this.#vectors) }))
    renameSync(temporary, this.#file)
    this.#isChanged = false
  }
}

function keyOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

function readVectors(model: string, file: string): readonly (readonly [string, string])[] {
  const bad = (what: string): BadUse => new BadUse(`--vectors: ${file} ${what}. Name another file, or delete this one.`)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    if (cause instanceof SyntaxError) throw bad('is not JSON')
    throw cause
  }
  const { success, output } = valibot.safeParse(fileSchema, content)
  if (!success) throw bad('holds no vectors')
  if (output.model !== model) throw bad(`holds vectors of ${output.model}, not of ${model}`)
  return Object.entries(output.vectors)
}
