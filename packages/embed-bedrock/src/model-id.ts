import { configError, requireText } from '@mnemark/provider-kit'
import { BEDROCK_EMBEDDING_MODELS, type BedrockEmbeddingModel } from './models.ts'

export interface ResolvedModel {
  /** The id as it is sent in the request. */
  readonly id: string
  /**
   * The underlying model, which decides whether vectors may be compared: equal for a model, its inference profiles and its ARNs.
   */
  readonly name: string
  readonly known: BedrockEmbeddingModel
  /** The region in an ARN. */
  readonly region: string | undefined
}

const ARN = /^arn:aws[\w-]*:bedrock:([a-z0-9-]*):\d*:([a-z-]+)\/(\S+)$/
/** The prefix of a model in the id of an inference profile: `us.`, `eu.`, `us-gov.`, `global.`, and future ones. */
const PROFILE = /^[a-z-]+\.(?=[a-z0-9-]+\.[a-z])/
/** Copies of a model under an account's own name; other resources may have been trained further. */
const OWN_PROFILE = 'application-inference-profile'
/** Without one of these, the id in an ARN is the account's own. */
const NAMED = new Set(['foundation-model', 'inference-profile'])

/**
 * Resolves the id to call and the model whose rules apply. Throws `config` if neither the id nor `baseModel` names a known model.
 */
export function resolveModel(provider: string, given: string, baseModel: string | undefined): ResolvedModel {
  const id = requireText(provider, 'model', given)
  const [, region = '', kind = '', resource = id] = ARN.exec(id) ?? []
  if (id.startsWith('arn:') && kind === '')
    throw configError(provider, 'the ARN is not that of a Bedrock model', 'Copy it from the Bedrock console.')
  const named = kind === '' || NAMED.has(kind) ? knownName(resource.replace(PROFILE, '')) : undefined
  const base = baseModel === undefined ? undefined : requireBase(provider, baseModel)
  const key = named ?? base
  if (key === undefined) throw unknownModel(provider, id)
  if (base !== undefined && base !== key)
    throw configError(provider, `baseModel is ${base}, but model is ${key}`, 'Leave baseModel out.')
  const name = named ?? (kind === OWN_PROFILE ? key : id)
  return { id, name, known: BEDROCK_EMBEDDING_MODELS[key], region: region === '' ? undefined : region }
}

type KnownName = keyof typeof BEDROCK_EMBEDDING_MODELS
// The keys of the table are its ids.
const NAMES = Object.keys(BEDROCK_EMBEDDING_MODELS) as readonly KnownName[]

/** `amazon.titan-embed-text-v2` and `amazon.titan-embed-text-v2:0:8k` are `amazon.titan-embed-text-v2:0`; `…:1` is not. */
const knownName = (id: string): KnownName | undefined =>
  NAMES.find((name) => id === name || `${id}:0` === name || id.startsWith(`${name}:`))

function requireBase(provider: string, baseModel: string): KnownName {
  const name = knownName(baseModel.trim().replace(PROFILE, ''))
  if (name === undefined) throw configError(provider, 'baseModel is not a known model', `Use one of ${NAMES.join(', ')}.`)
  return name
}

const unknownModel = (provider: string, id: string): Error =>
  configError(
    provider,
    `${id} does not say which embedding model it is`,
    `Use one of ${NAMES.join(', ')}, or say in baseModel which of them it is or behaves like.`,
  )
