import type { CallOptions, CreateMemoryOptions, EmbeddingInput, MemoryStore, MissingInput, StoreSnapshot } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import { chunkInput, inputHash } from '../chunk-input.ts'
import { withSnapshot } from '../with-snapshot.ts'

/** Inputs of one page. Each page has its own snapshot: none is held while a provider works. */
const PAGE = 512

export type MayEmbed = NonNullable<CreateMemoryOptions['mayEmbed']>

export interface WaitingInput extends MissingInput {
  readonly input: EmbeddingInput & { readonly type: 'text' }
}

async function withTexts(
  snapshot: StoreSnapshot,
  missing: readonly MissingInput[],
  mayEmbed: MayEmbed = () => true,
): Promise<readonly WaitingInput[]> {
  const chunks = new Map(
    (await snapshot.chunks([...new Set(missing.map(({ chunkId }) => chunkId))])).map((chunk) => [chunk.id, chunk]),
  )
  const ids = new Map([...chunks.values()].map(({ document }) => [documentKey(document), document]))
  const titles = new Map(
    (await snapshot.documentsOf([...ids.values()])).map((document) => [documentKey(document), document.title]),
  )
  return missing.flatMap(({ hash, chunkId }) => {
    const chunk = chunks.get(chunkId)
    if (chunk && !mayEmbed(chunk.document)) return []
    const input = chunk && chunkInput(chunk, titles.get(documentKey(chunk.document)))
    // A chunk of another recipe: the next text sync writes it again, with an input that matches.
    return input && inputHash(input.text) === hash ? [{ hash, chunkId, input }] : []
  })
}

/** The texts of inputs that were missing earlier. Inputs whose text has changed since are left out. */
export async function* readInputs(store: MemoryStore, inputs: readonly MissingInput[]): AsyncGenerator<WaitingInput> {
  for (let from = 0; from < inputs.length; from += PAGE)
    yield* await withSnapshot(store, (snapshot) => withTexts(snapshot, inputs.slice(from, from + PAGE)))
}

/** All inputs of chunks that have no vector in a space, in the order of their hashes. */
export async function* missingInputs(
  store: MemoryStore,
  fingerprint: string,
  options: CallOptions & { readonly retryFailed?: boolean | undefined; readonly mayEmbed?: MayEmbed | undefined } = {},
): AsyncGenerator<WaitingInput> {
  const { retryFailed = false, signal, mayEmbed } = options
  let after: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const { last, waiting } = await withSnapshot(store, async (snapshot) => {
      const missing = await snapshot.missingInputs(fingerprint, {
        limit: PAGE,
        retryFailed,
        ...(after !== undefined && { after }),
      })
      return { last: missing.at(-1)?.hash, waiting: await withTexts(snapshot, missing, mayEmbed) }
    })
    if (last === undefined) return
    after = last
    yield* waiting
  }
}
