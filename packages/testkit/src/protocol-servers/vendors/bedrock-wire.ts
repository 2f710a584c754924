import { BEDROCK_MODELS, type BedrockModelForm, type BedrockWireModel } from './bedrock-bodies.ts'
import type { EmbeddingWire } from '../embedding-wire.ts'
import {
  countWireTokens,
  type EmbeddingCall,
  type ServiceErrorCode,
  type WireFailure,
  type WireReply,
  type WireRequest,
} from '../wire/exchange.ts'
import { GATEWAY_FAILURES, rateLimits } from '../wire/openai-style.ts'
import { recordOf } from '../wire/read-fields.ts'
import { signerOf } from './sigv4.ts'

/** The access key id for the only valid secret key. */
export const BEDROCK_ACCESS_KEY_ID = 'AKIAMNEMARKEXAMPLE00'
const REQUEST_ID = '0c8f4bd2-4b33-4a2c-9a54-7d1f6ad2e1b7'

export function refused(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-requestid': REQUEST_ID, 'x-amzn-errortype': type, ...headers },
    body: { message },
  }
}
const invalid = (message: string): WireReply => refused(400, 'ValidationException:http://internal.amazon.com/coral/', message)
const failure = (title: string, ...reply: Parameters<typeof refused>): WireFailure => ({ title, reply: refused(...reply) })

const TOKEN_INVALID = 'The security token included in the request is invalid.'
const TOO_MANY_TOKENS = '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9875 '
const onDemand = (model: string): string =>
  `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [
    failure('unknown credentials', 403, 'UnrecognizedClientException', TOKEN_INVALID),
    failure('temporary credentials that have expired', 403, 'ExpiredTokenException', 'The security token is expired'),
    failure('a signature that does not match', 403, 'InvalidSignatureException', 'Signature expired: is now earlier than'),
    failure('a model that this account may not use', 403, 'AccessDeniedException', "You don't have access to the model."),
    {
      title: 'the same, with its type in the body only',
      reply: { status: 403, body: { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'not authorized' } },
    },
    failure('expired credentials, said by another door', 400, 'ExpiredToken', 'The provided token has expired.'),
  ],
  'not-found': [
    failure('an unknown resource', 404, 'ResourceNotFoundException', 'Could not resolve the foundation model.'),
    failure('an unknown model', 400, 'ValidationException', 'The provided model identifier is invalid.'),
    failure(
      'a model that is there through a profile only',
      400,
      'ValidationException',
      onDemand('twelvelabs.marengo-embed-2-7-v1:0'),
    ),
  ],
  quota: [failure('an account over its quota', 400, 'ServiceQuotaExceededException', 'You have exceeded the quota.')],
  'rate-limit': rateLimits((headers) => refused(429, 'ThrottlingException', 'Too many requests, please wait.', headers)),
  'invalid-input': [failure('a refused request', 400, 'ValidationException', 'Malformed input request: #: is not a value.')],
  'input-too-long': [
    failure('an input beyond the model', 400, 'ValidationException', TOO_MANY_TOKENS),
    failure('the same at Cohere', 400, 'ValidationException', 'Input is too long for requested model.'),
    failure('a body that is too large', 413, 'RequestEntityTooLargeException', 'Request Entity Too Large'),
  ],
  unavailable: [
    failure('a model that is not ready', 429, 'ModelNotReadyException', 'The model is not ready for inference.'),
    failure('a model that took too long', 408, 'ModelTimeoutException', 'The request took too long to process.'),
    failure('a model that failed', 424, 'ModelErrorException', 'The request failed due to an error in the model.'),
    failure('its own fault', 500, 'InternalServerException', 'An internal server error occurred.'),
    failure('a full service', 503, 'ServiceUnavailableException', 'The service is not currently available.'),
    ...GATEWAY_FAILURES,
  ],
}

/** The named position is that of a second input, which a model of one input lacks. */
const LONG_TEXT: WireFailure = {
  ...failure(
    'a text beyond the characters of Cohere 3, named (B55)',
    400,
    'ValidationException',
    'Malformed input request: #/texts/1: expected maxLength: 2048, actual: 2459, please reformat your input and try again.',
  ),
  inputIndexes: [1],
}

/**
 * Amazon Bedrock's `POST /model/{id}/invoke`, 2026-11, for one of its embedding models; the others answer too. Requests
 * are signed with the valid key as secret access key (Signature Version 4, any region), or send it as a bearer token.
 */
export function bedrockWire(model: BedrockWireModel = 'amazon.titan-embed-text-v2:0'): EmbeddingWire {
  const { inputTypes, takesOneInput } = BEDROCK_MODELS[model]
  return {
    name: `Amazon Bedrock, ${model}`,
    basePath: '',
    inputTypes,
    takesOneInput,
    hasIndexes: false,
    reportsUsage: true,
    lenient: [
      'the token count of models other than Titan, which is taken to be in the header for each',
      'the words of TwelveLabs and Nova about what is too long, which are not known',
    ],
    read,
    answer: (call, vectors, { hasUsage }) => {
      const tokens = hasUsage ? countWireTokens(call.texts) : undefined
      const count = tokens === undefined ? {} : { 'x-amzn-bedrock-input-token-count': String(tokens) }
      const headers = { 'content-type': 'application/json', 'x-amzn-requestid': REQUEST_ID, ...count }
      return { status: 200, headers, body: formOf(call.model)?.form.answer(vectors, tokens) }
    },
    refusal: invalid,
    failures: takesOneInput ? failures : { ...failures, 'input-too-long': [...failures['input-too-long'], LONG_TEXT] },
  }
}

const PROFILE = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\./
const ARN = /^arn:aws[\w-]*:bedrock:[a-z0-9-]*:\d*:[a-z-]+\/(.+)$/

/** The model behind an id, the id of an inference profile, or an ARN; account profiles are Titan here. */
function formOf(id: string): { readonly name: string; readonly form: BedrockModelForm; readonly isProfile: boolean } | undefined {
  const resource = ARN.exec(id)?.[1] ?? id
  const isOwnProfile = /:(?:application-inference-profile|provisioned-model)\//.test(id)
  const name = isOwnProfile ? 'amazon.titan-embed-text-v2:0' : resource.replace(PROFILE, '')
  const form = Object.entries(BEDROCK_MODELS).find(([known]) => known === name)?.[1]
  return form === undefined ? undefined : { name, form, isProfile: isOwnProfile || name !== resource }
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  const id = /^\/model\/([^/]+)\/invoke$/.exec(request.path)?.[1]
  if (id === undefined) return refused(404, 'UnknownOperationException', '')
  if (request.method !== 'POST') return refused(405, 'UnknownOperationException', '')
  const denial = denialOf(request, apiKey)
  if (denial !== undefined) return denial
  const model = formOf(decodeURIComponent(id))
  if (model === undefined) return invalid('The provided model identifier is invalid.')
  if (model.form.isProfileOnly === true && !model.isProfile) return invalid(onDemand(model.name))
  const body = recordOf(request.body)
  if (body === undefined || request.headers['content-type'] !== 'application/json')
    return invalid('Malformed input request, please reformat your input and try again.')
  const understood = model.form.read(body)
  if (typeof understood === 'string') return invalid(understood)
  return understood.texts.every((text) => text.isWellFormed())
    ? { ...understood, model: decodeURIComponent(id) }
    : refused(400, 'SerializationException', 'The body is not UTF-8.')
}

/** The refusal of a request that is not signed with the valid key; undefined where it is. */
export function denialOf(request: WireRequest, apiKey: string): WireReply | undefined {
  const { authorization = '' } = request.headers
  if (authorization === '') return refused(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token')
  if (authorization.startsWith('Bearer '))
    return authorization === `Bearer ${apiKey}`
      ? undefined
      : refused(403, 'AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.')
  const signer = signerOf(request, { secretAccessKey: apiKey, service: 'bedrock' })
  if (signer === undefined)
    return refused(403, 'InvalidSignatureException', 'The request signature we calculated does not match the one you provided.')
  return signer.accessKeyId === BEDROCK_ACCESS_KEY_ID ? undefined : refused(403, 'UnrecognizedClientException', TOKEN_INVALID)
}
