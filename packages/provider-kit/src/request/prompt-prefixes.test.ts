import { describe, expect, test } from 'vitest'
import { modelFamily } from './prompt-prefixes.ts'

describe('modelFamily', () => {
  test.each([
    ['nomic-embed-text', 'search_query: ', 'search_document: '],
    ['nomic-embed-text:v1.5', 'search_query: ', 'search_document: '],
    ['hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M', 'search_query: ', 'search_document: '],
    [
      'hf:CompendiumLabs/bge-small-en-v1.5-gguf/bge-small-en-v1.5-q4_k_m.gguf',
      'Represent this sentence for searching relevant passages: ',
      '',
    ],
    ['/models/multilingual_e5_large.Q8_0.gguf', 'query: ', 'passage: '],
    ['someone/e5-base-v2', 'query: ', 'passage: '],
    ['snowflake-arctic-embed2', 'query: ', ''],
    ['embeddinggemma-300M-Q8_0.gguf', 'task: search result | query: ', 'title: none | text: '],
    ['bge-m3', '', ''],
    ['all-minilm:33m', '', ''],
  ])('knows what %s wants in front of a text', (model, query, document) => {
    expect(modelFamily(model)?.prefix).toEqual({ query, document })
  })

  test('an instruction model gets its instruction with queries only', () => {
    for (const model of ['qwen3-embedding:0.6b', 'multilingual-e5-large-instruct-q8_0.gguf', 'e5-mistral-7b-instruct']) {
      const prefix = modelFamily(model)?.prefix
      expect(prefix?.query).toMatch(/^Instruct: .+\nQuery: ?$/)
      expect(prefix?.document).toBe('')
    }
  })

  test.each(['model.gguf', 'bge-large-zh-v1.5', 'mxbai-embed-xsmall', 'type5-large'])('says nothing of %s', (model) => {
    expect(modelFamily(model)).toBeUndefined()
  })
})
