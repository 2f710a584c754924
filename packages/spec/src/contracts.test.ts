import { expectTypeOf, test } from 'vitest'
import type { EmbeddingProvider, EmbeddingRequest, MemoryBackend, MemoryStore, NewChunk, SearchReply } from './index.ts'

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
