import type { CallOptions } from './call-options.ts'

/** Any chat model: compaction, flush, reflect. `schema` is JSON Schema. */
export interface TextGenerator {
  readonly specVersion: 'v1'
  readonly model: string
  generate(
    request: CallOptions & {
      readonly system: string
      readonly prompt: string
      readonly schema?: Readonly<Record<string, unknown>>
    },
  ): Promise<{ readonly text: string; readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } }>
}
/** Scores in the order of `passages`, higher is better. */
export interface Reranker {
  readonly specVersion: 'v1'
  readonly model: string
  rerank(request: CallOptions & { readonly query: string; readonly passages: readonly string[] }): Promise<readonly number[]>
}
