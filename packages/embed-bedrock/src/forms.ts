/** The request and reply format of each model family. */
import type { EmbeddingInput, InputType } from '@mnemark/spec'
import { failureError, type Fields, isFields, type RawEmbedding, type RawEmbeddingReply } from '@mnemark/provider-kit'
import type { BedrockModelFamily } from './models.ts'
import type { NovaQueryPurpose } from './options.ts'

export type Truncation = 'none' | 'start' | 'end'

export interface FormRequest {
  readonly inputs: readonly EmbeddingInput[]
  readonly inputType: InputType
  readonly dimensions: number | undefined
  readonly truncate: Truncation
  readonly queryPurpose: NovaQueryPurpose
}

export interface ModelForm {
  /** The ends at which the service can truncate an input. */
  readonly truncations: readonly Truncation[]
  body(request: FormRequest): Fields
  read(reply: Fields): RawEmbeddingReply
}

const base64 = ({ bytes }: { readonly bytes: Uint8Array }): string => Buffer.from(bytes).toString('base64')

const textOf = (input: EmbeddingInput | undefined): string => (input?.type === 'text' ? input.text : '')

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const missing = (name: string, { message }: Fields): Error =>
  // Titan may report in a success that there is no vector.
  failureError({
    code: 'bad-response',
    summary: `the answer has no list named ${name}`,
    ...(isText(message) ? { body: { message } } : {}),
  })

const listOf = (reply: Fields, name: string): readonly unknown[] => {
  const list = reply[name]
  if (!Array.isArray(list)) throw missing(name, reply)
  return list
}

const entryOf = (entry: unknown): RawEmbedding => ({ values: isFields(entry) ? entry['embedding'] : undefined })

const readTitan: ModelForm['read'] = (reply) => ({
  embeddings: [{ values: listOf(reply, 'embedding') }],
  inputTokens: reply['inputTextTokenCount'],
})

const TITAN_TEXT: ModelForm = {
  truncations: ['none'],
  body: ({ inputs: [input], dimensions }) => ({ inputText: textOf(input), ...(dimensions === undefined ? {} : { dimensions }) }),
  read: readTitan,
}

const TITAN_IMAGE: ModelForm = {
  truncations: ['none'],
  body: ({ inputs: [input], dimensions }) => ({
    ...(input?.type === 'media' ? { inputImage: base64(input) } : { inputText: textOf(input) }),
    ...(dimensions === undefined ? {} : { embeddingConfig: { outputEmbeddingLength: dimensions } }),
  }),
  read: readTitan,
}

const COHERE_TYPES: Readonly<Record<InputType, string>> = { query: 'search_query', document: 'search_document' }
const COHERE_V3_CUTS: Readonly<Record<Truncation, string>> = { none: 'NONE', start: 'START', end: 'END' }
const COHERE_V4_CUTS: Readonly<Record<Truncation, string>> = { none: 'NONE', start: 'LEFT', end: 'RIGHT' }

/** A plain list, or lists by type if types were requested. */
const readCohere: ModelForm['read'] = (reply) => {
  const { embeddings } = reply
  const lists = isFields(embeddings) ? listOf(embeddings, 'float') : listOf(reply, 'embeddings')
  return { embeddings: lists.map((values) => ({ values })) }
}

const COHERE_V3: ModelForm = {
  truncations: ['none', 'start', 'end'],
  body: ({ inputs, inputType, truncate }) => ({
    texts: inputs.map(textOf),
    input_type: COHERE_TYPES[inputType],
    // Without it the service silently cuts texts that are too long.
    truncate: COHERE_V3_CUTS[truncate],
  }),
  read: readCohere,
}

const cohereContent = (input: EmbeddingInput): Fields =>
  input.type === 'text'
    ? { content: [{ type: 'text', text: input.text }] }
    : { content: [{ type: 'image_url', image_url: { url: `data:${input.mime};base64,${base64(input)}` } }] }

const COHERE_V4: ModelForm = {
  truncations: ['none', 'start', 'end'],
  body: ({ inputs, inputType, dimensions, truncate }) => ({
    ...(inputs.some(({ type }) => type === 'media') ? { inputs: inputs.map(cohereContent) } : { texts: inputs.map(textOf) }),
    input_type: COHERE_TYPES[inputType],
    embedding_types: ['float'],
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    truncate: COHERE_V4_CUTS[truncate],
  }),
  read: readCohere,
}

/** Nova's formats, by media type. */
const NOVA_FORMATS: Readonly<Record<string, Fields>> = {
  'image/png': { kind: 'image', format: 'png' },
  'image/jpeg': { kind: 'image', format: 'jpeg' },
  'image/gif': { kind: 'image', format: 'gif' },
  'image/webp': { kind: 'image', format: 'webp' },
  'audio/mpeg': { kind: 'audio', format: 'mp3' },
  'audio/wav': { kind: 'audio', format: 'wav' },
  'audio/x-wav': { kind: 'audio', format: 'wav' },
  'audio/ogg': { kind: 'audio', format: 'ogg' },
}

function novaInput(input: EmbeddingInput | undefined, truncate: Truncation): Fields {
  if (input?.type !== 'media') return { text: { truncationMode: truncate.toUpperCase(), value: textOf(input) } }
  const { kind, format } = NOVA_FORMATS[input.mime] ?? {}
  if (!isText(kind))
    throw failureError({
      code: 'invalid-input',
      summary: 'the model does not take this kind of file',
      nextStep: `Use one of ${Object.keys(NOVA_FORMATS).join(', ')}.`,
      inputIndexes: [0],
    })
  return { [kind]: { format, source: { bytes: base64(input) } } }
}

const NOVA: ModelForm = {
  truncations: ['none', 'start', 'end'],
  body: ({ inputs: [input], inputType, dimensions, truncate, queryPurpose }) => ({
    schemaVersion: 'nova-multimodal-embed-v1',
    taskType: 'SINGLE_EMBEDDING',
    singleEmbeddingParams: {
      embeddingPurpose: inputType === 'query' ? queryPurpose : 'GENERIC_INDEX',
      ...(dimensions === undefined ? {} : { embeddingDimension: dimensions }),
      ...novaInput(input, truncate),
    },
  }),
  read: (reply) => ({ embeddings: listOf(reply, 'embeddings').map(entryOf) }),
}

const readMarengo: ModelForm['read'] = (reply) => ({ embeddings: listOf(reply, 'data').map(entryOf) })

const MARENGO_2: ModelForm = {
  truncations: ['none', 'end'],
  body: ({ inputs: [input], truncate }) =>
    input?.type === 'media'
      ? { inputType: 'image', mediaSource: { base64String: base64(input) } }
      : // Left out, the end of what is too long is cut off.
        { inputType: 'text', inputText: textOf(input), textTruncate: truncate },
  read: readMarengo,
}

const MARENGO_3: ModelForm = {
  truncations: ['none'],
  body: ({ inputs: [input] }) =>
    input?.type === 'media'
      ? { inputType: 'image', image: { mediaSource: { base64String: base64(input) } } }
      : { inputType: 'text', text: { inputText: textOf(input) } },
  read: readMarengo,
}

export const FORMS: Readonly<Record<BedrockModelFamily, ModelForm>> = {
  'titan-text': TITAN_TEXT,
  'titan-image': TITAN_IMAGE,
  'cohere-v3': COHERE_V3,
  'cohere-v4': COHERE_V4,
  nova: NOVA,
  'marengo-2': MARENGO_2,
  'marengo-3': MARENGO_3,
}
