import { Document } from '@langchain/core/documents'
import { BaseRetriever } from '@langchain/core/retrievers'
import type { CallerContext, MemoryBackend } from '@mnemark/spec'

export interface MemoryRetrieverFields {
  readonly memory: Pick<MemoryBackend, 'search'>
  readonly caller: CallerContext
  /** Documents at most; default: as the memory has it. */
  readonly limit?: number
}

/** Hits of a memory as documents, best first, placed as LangChain's own splitters place theirs: `source` and lines from 1. */
export class MemoryRetriever extends BaseRetriever {
  override lc_namespace = ['mnemark']
  readonly #fields: MemoryRetrieverFields

  constructor(fields: MemoryRetrieverFields) {
    super()
    this.#fields = fields
  }

  static override lc_name(): string {
    return 'MemoryRetriever'
  }

  override async _getRelevantDocuments(text: string): Promise<Document[]> {
    const { memory, ...asked } = this.#fields
    const { hits } = await memory.search({ text, ...asked })
    return hits.map(({ path, startLine: from, endLine: to, score, citation, snippet: pageContent }) => {
      return new Document({
        id: citation,
        pageContent,
        metadata: { source: path, loc: { lines: { from, to } }, score, citation },
      })
    })
  }
}
