import type { EmbeddingBatch, EmbeddingInput } from '@mnemark/spec'
import { failureError } from '../failure/service-failure.ts'

/** The form of a line id that every service accepts. */
const LINE_ID = /^[A-Za-z0-9_-]{1,64}$/
/** Text is added to the file in pieces of this size, so that memory does not hold it twice. */
const PIECE_LENGTH = 2 ** 18

export interface BatchItem {
  readonly id: string
  readonly input: EmbeddingInput
}

export interface BatchFileRules {
  readonly limits: Pick<EmbeddingBatch['limits'], 'maxRequests' | 'maxBytes' | 'minRequests'>
  /** Returns the content of the line for one text; it is written as JSON. */
  line(item: { readonly id: string; readonly text: string }): unknown
}

const invalid = (summary: string): Error => failureError({ code: 'invalid-input', summary })

/**
 * Builds the input file of a job, one line for each item. Throws for ids that a service would refuse, for media, and beyond the
 * limits.
 */
export async function batchFile(items: AsyncIterable<BatchItem>, { limits, line }: BatchFileRules): Promise<Blob> {
  const pieces: Blob[] = []
  const ids = new Set<string>()
  let bytes = 0
  let piece = ''
  for await (const item of items) {
    checkItem(item, ids)
    ids.add(item.id)
    if (ids.size > limits.maxRequests) throw invalid(`more than ${limits.maxRequests} texts for one job`)
    piece += `${JSON.stringify(line({ id: item.id, text: textOf(item.input) }))}\n`
    if (piece.length < PIECE_LENGTH) continue
    bytes += add(pieces, piece, bytes, limits.maxBytes)
    piece = ''
  }
  add(pieces, piece, bytes, limits.maxBytes)
  if (ids.size < Math.max(1, limits.minRequests)) throw invalid(`a job needs at least ${Math.max(1, limits.minRequests)} texts`)
  return new Blob(pieces, { type: 'application/jsonl' })
}

function add(pieces: Blob[], text: string, before: number, maxBytes: number): number {
  const piece = new Blob([text])
  if (before + piece.size > maxBytes)
    throw failureError({ code: 'input-too-long', summary: `the file of the job is larger than ${maxBytes} bytes` })
  pieces.push(piece)
  return piece.size
}

function checkItem({ id, input }: BatchItem, known: ReadonlySet<string>): void {
  if (!LINE_ID.test(id))
    throw invalid('an id for a job has other characters than letters, digits, "-" and "_", or over 64 of them')
  if (known.has(id)) throw invalid('two inputs of a job have one id')
  if (input.type !== 'text') throw invalid('only text can be embedded by a job')
}

const textOf = (input: EmbeddingInput): string => (input.type === 'text' ? input.text.toWellFormed() : '')
