/** The prefix that tells a model the purpose of a text. The text follows directly. */
export interface PromptPrefix {
  readonly query: string
  readonly document: string
}

/** A family of models whose servers and runtimes add no prefix themselves. */
export interface ModelFamily {
  readonly prefix: PromptPrefix
  /** The most tokens the family takes; where its members differ, the smallest limit. */
  readonly contextTokens: number
}

const NONE: PromptPrefix = { query: '', document: '' }
const PASSAGES: PromptPrefix = { query: 'Represent this sentence for searching relevant passages: ', document: '' }
const TASK = 'Instruct: Given a web search query, retrieve relevant passages that answer the query'

/**
 * 2026-11, from the model cards (nomic-ai, intfloat, Qwen, BAAI, mixedbread-ai, Snowflake, google, sentence-transformers on Hugging
 * Face). The first match counts. Names as in file names and model stores: any case, `-`, `_` or `.` between the parts.
 */
const FAMILIES: readonly (readonly [name: RegExp, family: ModelFamily])[] = [
  [/nomic-embed-text-v2/, { prefix: { query: 'search_query: ', document: 'search_document: ' }, contextTokens: 512 }],
  [/nomic-embed-text/, { prefix: { query: 'search_query: ', document: 'search_document: ' }, contextTokens: 8192 }],
  [/qwen3-embedding/, { prefix: { query: `${TASK}\nQuery:`, document: '' }, contextTokens: 32_768 }],
  [/e5-mistral/, { prefix: { query: `${TASK}\nQuery: `, document: '' }, contextTokens: 4096 }],
  [/e5-.*instruct/, { prefix: { query: `${TASK}\nQuery: `, document: '' }, contextTokens: 512 }],
  [/(?:^|[^a-z0-9])e5-/, { prefix: { query: 'query: ', document: 'passage: ' }, contextTokens: 512 }],
  [/bge-m3/, { prefix: NONE, contextTokens: 8192 }],
  [/bge-(?:small|base|large)(?!-zh)/, { prefix: PASSAGES, contextTokens: 512 }],
  [/mxbai-embed-large/, { prefix: PASSAGES, contextTokens: 512 }],
  [/snowflake-arctic-embed(?:2|-[ml]-v2)/, { prefix: { query: 'query: ', document: '' }, contextTokens: 8192 }],
  [/snowflake-arctic-embed/, { prefix: PASSAGES, contextTokens: 512 }],
  [
    /embedding-?gemma/,
    {
      prefix: { query: 'task: search result | query: ', document: 'title: none | text: ' },
      contextTokens: 2048,
    },
  ],
  [/all-minilm/, { prefix: NONE, contextTokens: 256 }],
]

/** The family a model belongs to by its name, tag, path or file name; undefined for models not known here. */
export function modelFamily(model: string): ModelFamily | undefined {
  const name = model.toLowerCase().replace(/[_.\s]+/g, '-')
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1]
}
