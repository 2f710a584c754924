import { expectTypeOf, test } from 'vitest'
import type {
  EmbeddingProvider,
  EmbeddingRequest,
  GenerateReply,
  MemoryBackend,
  MemoryStore,
  NewChunk,
  Reranker,
  SearchReply,
  TextGenerator,
} from './index.ts'

test('an embedding request without an input type does not compile', () => {
  expectTypeOf<{ inputs: [] }>().not.toExtend<EmbeddingRequest>()
  expectTypeOf<{ inputs: []; inputType: 'query' }>().toExtend<EmbeddingRequest>()
  expectTypeOf<{ inputs: []; inputType: 'passage' }>().not.toExtend<EmbeddingRequest>()
})

test('a provider needs no tokenizer and no batch jobs', () => {
  type Smallest = Pick<EmbeddingProvider, 'specVersion' | 'space' | 'limits' | 'modalities' | 'traits' | 'embed'>
  expectTypeOf<Smallest>().toExtend<EmbeddingProvider>()
})

test('only the store gives chunk ids', () => {
  expectTypeOf<NewChunk>().not.toHaveProperty('id')
})

test('contracts carry their version and replies always say how they were made', () => {
  expectTypeOf<MemoryStore['specVersion']>().toEqualTypeOf<'v1'>()
  expectTypeOf<MemoryBackend['specVersion']>().toEqualTypeOf<'v1'>()
  expectTypeOf<undefined>().not.toExtend<SearchReply['degraded']>()
  expectTypeOf<undefined>().not.toExtend<SearchReply['provider']>()
})

test('a generator scripted for a test says where it runs, and need not say whose it is', () => {
  type Smallest = Pick<TextGenerator, 'specVersion' | 'model' | 'endpoint' | 'traits' | 'generate'>
  expectTypeOf<Smallest>().toExtend<TextGenerator>()
  expectTypeOf<{ isLocal: true }>().toExtend<TextGenerator['traits']>()
  expectTypeOf<{ text: string }>().not.toExtend<GenerateReply>()
})

test('a reranker of the first form, which answers with the scores alone, is one', () => {
  interface First {
    readonly specVersion: 'v1'
    readonly model: string
    rerank(request: { readonly query: string; readonly passages: readonly string[] }): Promise<number[]>
  }
  expectTypeOf<First>().toExtend<Reranker>()
})
