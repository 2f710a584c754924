/** Requests and answers of the embedding models on Bedrock, 2026-11: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html */
import type { EmbeddingCall } from '../wire/exchange.ts'
import { recordOf, textsOf, unknownField } from '../wire/read-fields.ts'

type Fields = Readonly<Record<string, unknown>>

export type BedrockWireModel =
  | 'amazon.titan-embed-text-v1'
  | 'amazon.titan-embed-text-v2:0'
  | 'amazon.titan-embed-image-v1'
  | 'cohere.embed-english-v3'
  | 'cohere.embed-multilingual-v3'
  | 'cohere.embed-v4:0'
  | 'amazon.nova-2-multimodal-embeddings-v1:0'
  | 'twelvelabs.marengo-embed-2-7-v1:0'
  | 'twelvelabs.marengo-embed-3-0-v1:0'

/** A body as a model reads it, or the message of its refusal. */
export type BedrockBody = Omit<EmbeddingCall, 'model'> | string

export interface BedrockModelForm {
  readonly inputTypes: 'symmetric' | 'distinct'
  readonly takesOneInput: boolean
  /** True where the model is offered through inference profiles only. */
  readonly isProfileOnly?: boolean
  read(body: Fields): BedrockBody
  answer(vectors: readonly unknown[], tokens: number | undefined): unknown
}

const malformed = (words: string): string => `Malformed input request: ${words}, please reformat your input and try again.`
const tooMany = (most: number, count: number): string =>
  `400 Bad Request: Too many input tokens. Max input tokens: ${most}, request input token count: ${count} `

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const isBase64 = (value: unknown): value is string => typeof value === 'string' && BASE64.test(value)
/** Converts media to text, so that a test sees what arrived and its vector depends on it. */
const mediaText = (kind: string, base64: string): string => `${kind}:${base64}`

function fieldProblem(body: Fields, known: readonly string[], path = '#'): string | undefined {
  const name = unknownField(body, known)
  return name === undefined ? undefined : malformed(`${path}: extraneous key [${name}] is not permitted`)
}

/** One of the model's lengths; the first where none is requested. */
function lengthOf(value: unknown, lengths: readonly number[]): number | undefined {
  return value === undefined ? lengths[0] : lengths.find((length) => length === value)
}

const oneText = (text: unknown, maxTokens: number, dimensions: number | undefined): BedrockBody => {
  if (typeof text !== 'string' || text === '') return malformed('#/inputText: expected minLength: 1, actual: 0')
  if (dimensions === undefined) return malformed('#/dimensions: is not a valid enum value')
  const words = text.split(/\s+/).length
  return words > maxTokens ? tooMany(maxTokens, words) : { texts: [text], dimensions }
}

const titanAnswer: BedrockModelForm['answer'] = ([embedding], tokens) => ({
  ...(embedding === undefined ? {} : { embedding }),
  ...(tokens === undefined ? {} : { inputTextTokenCount: tokens }),
})

const titanText = (lengths: readonly number[], fields: readonly string[]): BedrockModelForm => ({
  inputTypes: 'symmetric',
  takesOneInput: true,
  read: (body) =>
    fieldProblem(body, ['inputText', ...fields]) ?? oneText(body['inputText'], 8192, lengthOf(body['dimensions'], lengths)),
  answer: titanAnswer,
})

const titanImage: BedrockModelForm = {
  inputTypes: 'symmetric',
  takesOneInput: true,
  read: (body) => {
    const config = recordOf(body['embeddingConfig']) ?? {}
    const problem =
      fieldProblem(body, ['inputText', 'inputImage', 'embeddingConfig']) ??
      fieldProblem(config, ['outputEmbeddingLength'], '#/embeddingConfig')
    const dimensions = lengthOf(config['outputEmbeddingLength'], [1024, 384, 256])
    if (problem !== undefined) return problem
    if (dimensions === undefined) return malformed('#/embeddingConfig/outputEmbeddingLength: is not a valid enum value')
    const { inputImage: image, inputText: text } = body
    if (image === undefined) return oneText(text, 256, dimensions)
    return isBase64(image) && text === undefined ? { texts: [mediaText('image', image)], dimensions } : malformed('#/inputImage')
  },
  answer: (vectors, tokens) => ({ ...Object(titanAnswer(vectors, tokens)), message: null }),
}

const COHERE_TYPES = { search_query: 'query', search_document: 'document' } as const
const MAX_TEXTS = 96
const MAX_CHARACTERS_V3 = 2048

function cohereType(body: Fields): 'query' | 'document' | undefined {
  const type = body['input_type']
  return type === 'search_query' || type === 'search_document' ? COHERE_TYPES[type] : undefined
}

function cohereTexts(body: Fields, dimensions: number | undefined, truncations: readonly unknown[]): BedrockBody {
  const inputType = cohereType(body)
  if (inputType === undefined) return malformed('#: required key [input_type] not found')
  if (dimensions === undefined) return malformed('#/output_dimension: is not a valid enum value')
  if (!truncations.includes(body['truncate'] ?? 'NONE')) return malformed('#/truncate: is not a valid enum value')
  const texts = textsOf(body['texts'])
  if (texts === undefined || texts.length === 0) return malformed('#: required key [texts] not found')
  if (texts.length > MAX_TEXTS) return malformed(`#/texts: expected maximum item count: ${MAX_TEXTS}, found: ${texts.length}`)
  return { texts, dimensions, inputType }
}

const cohereV3: BedrockModelForm = {
  inputTypes: 'distinct',
  takesOneInput: false,
  read: (body) => {
    const problem = fieldProblem(body, ['texts', 'input_type', 'truncate', 'embedding_types'])
    if (problem !== undefined) return problem
    const long = textsOf(body['texts'])?.findIndex((text) => [...text].length > MAX_CHARACTERS_V3) ?? -1
    if (long >= 0) return malformed(`#/texts/${long}: expected maxLength: ${MAX_CHARACTERS_V3}, actual: more`)
    return cohereTexts(body, 1024, ['NONE', 'START', 'END'])
  },
  answer: (embeddings) => ({ embeddings, id: '4f0d1d5e', response_type: 'embeddings_floats', texts: [] }),
}

/** `{content: [{type: 'text', text}]}` or `{content: [{type: 'image_url', image_url: {url: data URI}}]}`. */
function cohereInput(input: unknown): string | undefined {
  const content = recordOf(input)?.['content']
  const part = Array.isArray(content) && content.length === 1 ? recordOf(content[0]) : undefined
  if (part?.['type'] === 'text' && typeof part['text'] === 'string') return part['text']
  const url = recordOf(part?.['image_url'])?.['url']
  const base64 = typeof url === 'string' ? /^data:image\/[a-z]+;base64,(.+)$/.exec(url)?.[1] : undefined
  return part?.['type'] === 'image_url' && isBase64(base64) ? mediaText('image', base64) : undefined
}

const cohereV4: BedrockModelForm = {
  inputTypes: 'distinct',
  takesOneInput: false,
  read: (body) => {
    const known = ['texts', 'inputs', 'input_type', 'truncate', 'embedding_types', 'output_dimension', 'max_tokens']
    const problem = fieldProblem(body, known)
    if (problem !== undefined) return problem
    const { texts, inputs } = body
    const read = Array.isArray(inputs) && texts === undefined ? inputs.map(cohereInput) : texts
    const dimensions = lengthOf(body['output_dimension'], [1536, 1024, 512, 256])
    return cohereTexts({ ...body, texts: read }, dimensions, ['NONE', 'LEFT', 'RIGHT'])
  },
  answer: (float) => ({ id: '4f0d1d5e', embeddings: { float }, response_type: 'embeddings_by_type' }),
}

const NOVA_QUERIES = ['GENERIC_RETRIEVAL', 'TEXT_RETRIEVAL', 'IMAGE_RETRIEVAL', 'DOCUMENT_RETRIEVAL', 'AUDIO_RETRIEVAL']
const NOVA_FORMATS: Readonly<Record<string, readonly string[]>> = {
  image: ['png', 'jpeg', 'gif', 'webp'],
  audio: ['mp3', 'wav', 'ogg'],
}

function novaInput(params: Fields): string | undefined {
  const text = recordOf(params['text'])
  const media = Object.keys(NOVA_FORMATS).find((kind) => params[kind] !== undefined)
  if (text !== undefined && media === undefined) {
    const isText = typeof text['value'] === 'string' && ['START', 'END', 'NONE'].includes(String(text['truncationMode']))
    return isText && fieldProblem(text, ['value', 'truncationMode']) === undefined ? String(text['value']) : undefined
  }
  if (media === undefined || text !== undefined) return undefined
  const { format, source } = recordOf(params[media]) ?? {}
  const bytes = recordOf(source)?.['bytes']
  return NOVA_FORMATS[media]?.includes(String(format)) && isBase64(bytes) ? mediaText(media, bytes) : undefined
}

const nova: BedrockModelForm = {
  inputTypes: 'distinct',
  takesOneInput: true,
  read: (body) => {
    const params = recordOf(body['singleEmbeddingParams']) ?? {}
    const known = ['embeddingPurpose', 'embeddingDimension', 'text', 'image', 'audio']
    const problem =
      fieldProblem(body, ['schemaVersion', 'taskType', 'singleEmbeddingParams']) ??
      fieldProblem(params, known, '#/singleEmbeddingParams')
    if (problem !== undefined) return problem
    const { schemaVersion = 'nova-multimodal-embed-v1', taskType } = body
    if (schemaVersion !== 'nova-multimodal-embed-v1' || taskType !== 'SINGLE_EMBEDDING') return malformed('#/taskType')
    const purpose = String(params['embeddingPurpose'])
    const inputType = purpose === 'GENERIC_INDEX' ? 'document' : NOVA_QUERIES.includes(purpose) ? 'query' : undefined
    const dimensions = lengthOf(params['embeddingDimension'], [3072, 1024, 384, 256])
    const input = novaInput(params)
    if (inputType === undefined || dimensions === undefined || input === undefined) return malformed('#/singleEmbeddingParams')
    return { texts: [input], dimensions, inputType }
  },
  answer: (vectors) => ({ embeddings: vectors.map((embedding) => ({ embeddingType: 'TEXT', embedding })) }),
}

const marengoAnswer: BedrockModelForm['answer'] = (vectors) => ({ data: vectors.map((embedding) => ({ embedding })) })

const marengo27: BedrockModelForm = {
  inputTypes: 'symmetric',
  takesOneInput: true,
  isProfileOnly: true,
  read: (body) => {
    const { inputType, inputText, textTruncate = 'end', mediaSource } = body
    const isText = inputType === 'text'
    const problem = fieldProblem(body, isText ? ['inputType', 'inputText', 'textTruncate'] : ['inputType', 'mediaSource'])
    if (problem !== undefined) return problem
    if (isText) return ['none', 'end'].includes(String(textTruncate)) ? oneText(inputText, 77, 1024) : malformed('#/textTruncate')
    return marengoImage(inputType, mediaSource, 1024)
  },
  answer: marengoAnswer,
}

function marengoImage(inputType: unknown, mediaSource: unknown, dimensions: number): BedrockBody {
  const base64 = recordOf(mediaSource)?.['base64String']
  return inputType === 'image' && isBase64(base64)
    ? { texts: [mediaText('image', base64)], dimensions }
    : malformed('#/mediaSource: required key [base64String] not found')
}

const marengo30: BedrockModelForm = {
  inputTypes: 'symmetric',
  takesOneInput: true,
  read: (body) => {
    const problem = fieldProblem(body, ['inputType', 'text', 'image'])
    if (problem !== undefined) return problem
    if (body['inputType'] === 'text') return oneText(recordOf(body['text'])?.['inputText'], 500, 512)
    return marengoImage(body['inputType'], recordOf(body['image'])?.['mediaSource'], 512)
  },
  answer: marengoAnswer,
}

export const BEDROCK_MODELS: Readonly<Record<BedrockWireModel, BedrockModelForm>> = {
  'amazon.titan-embed-text-v1': titanText([1536], []),
  'amazon.titan-embed-text-v2:0': titanText([1024, 512, 256], ['dimensions', 'normalize', 'embeddingTypes']),
  'amazon.titan-embed-image-v1': titanImage,
  'cohere.embed-english-v3': cohereV3,
  'cohere.embed-multilingual-v3': cohereV3,
  'cohere.embed-v4:0': cohereV4,
  'amazon.nova-2-multimodal-embeddings-v1:0': nova,
  'twelvelabs.marengo-embed-2-7-v1:0': marengo27,
  'twelvelabs.marengo-embed-3-0-v1:0': marengo30,
}
