import type { BodyFields, InputTypeMapping, OpenAICompatibleOptions } from './options.ts'

/** Known options for a server, to be spread before your own. */
export type OpenAICompatibleServer = Pick<
  OpenAICompatibleOptions,
  'id' | 'baseUrl' | 'inputType' | 'dimensionsField' | 'encodingFormat' | 'body' | 'limits'
>

export type OpenAICompatibleServerName =
  | 'vllm'
  | 'lmStudio'
  | 'tei'
  | 'nim'
  | 'openRouter'
  | 'deepInfra'
  | 'voyage'
  | 'gemini'
  | 'jina'

const fields = (
  name: string,
  query: string,
  document: string,
): { readonly query: BodyFields; readonly document: BodyFields } => ({
  query: { [name]: query },
  document: { [name]: document },
})

/** These servers pass text on unchanged: a prefix that a model needs goes into `{ prefix }`. */
const SYMMETRIC: InputTypeMapping = 'symmetric'

/**
 * Servers by name, as of 2026-11, from their documentation and the source of vLLM and TEI; addresses of local ones are their defaults.
 * The packages of Gemini, Voyage and LM Studio say more than this format can.
 */
export const OPENAI_COMPATIBLE_SERVERS: Readonly<Record<OpenAICompatibleServerName, OpenAICompatibleServer>> = {
  /** Takes `dimensions` for Matryoshka models only, and refuses it for others. */
  vllm: { id: 'vllm', baseUrl: 'http://localhost:8000/v1', inputType: SYMMETRIC },
  /** Needs no key. Sends numbers whatever was requested. */
  lmStudio: { id: 'lmstudio', baseUrl: 'http://localhost:1234/v1', inputType: SYMMETRIC },
  /** Serves one model under any name; 32 is its default of `max_client_batch_size`, 16,384 of `max_batch_tokens`. */
  tei: {
    id: 'tei',
    baseUrl: 'http://localhost:3000/v1',
    inputType: SYMMETRIC,
    limits: { maxInputs: 32, maxRequestTokens: 16_384 },
  },
  /** Asymmetric models refuse requests without `input_type`. `truncate: NONE` gets an error in place of a silent cut. */
  nim: {
    id: 'nim',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    inputType: fields('input_type', 'query', 'passage'),
    body: { truncate: 'NONE' },
    limits: { maxInputs: 256, maxRequestBytes: 2_000_000 },
  },
  /** The values of `input_type` are those of the model behind it; most accept these. */
  openRouter: {
    id: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    inputType: fields('input_type', 'search_query', 'search_document'),
  },
  deepInfra: {
    id: 'deepinfra',
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    inputType: SYMMETRIC,
    limits: { maxInputs: 1024 },
  },
  /** `encoding_format` is base64 or absent; without `truncation: false` long text is cut silently. */
  voyage: {
    id: 'voyage',
    baseUrl: 'https://api.voyageai.com/v1',
    inputType: fields('input_type', 'query', 'document'),
    dimensionsField: 'output_dimension',
    encodingFormat: null,
    body: { truncation: false },
    limits: { maxInputs: 1000, maxRequestTokens: 120_000 },
  },
  gemini: {
    id: 'gemini-openai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    inputType: SYMMETRIC,
    limits: { maxInputs: 100, maxInputTokens: 2048 },
  },
  /** Has a field of its own for the encoding. Never `late_chunking`: it joins all inputs of a request into one context. */
  jina: {
    id: 'jina',
    baseUrl: 'https://api.jina.ai/v1',
    inputType: fields('task', 'retrieval.query', 'retrieval.passage'),
    encodingFormat: null,
    body: { embedding_type: 'float', normalized: true },
    limits: { maxInputTokens: 8192 },
  },
}
