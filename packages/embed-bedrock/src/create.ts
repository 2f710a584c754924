import type { EmbeddingProvider } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  failureError,
  freezeOptions,
  isPrivateHost,
  normaliseEndpoint,
  parseBaseUrl,
  type RawEmbeddingReply,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import { type InvokeReply, lazyInvoke } from './client.ts'
import { accessOf } from './credentials.ts'
import { withinCharacters } from './cut-characters.ts'
import { FORMS, type FormRequest, type ModelForm, type Truncation } from './forms.ts'
import { type ResolvedModel, resolveModel } from './model-id.ts'
import { BEDROCK_LIMITS } from './models.ts'
import type { BedrockEmbeddingOptions } from './options.ts'
import { regionOf, regionOfHost } from './region.ts'

const ID = 'bedrock'
/** A model, and so its vectors, are the same in every region. */
const ENDPOINT = 'https://bedrock-runtime.amazonaws.com'

/**
 * A provider on the embedding models of Amazon Bedrock, through the AWS SDK. The first call loads the SDK and determines
 * credentials and region. Throws a `config` error at once for a model of unknown kind, contradictory regions, more than one way
 * to authorise, and dimensions or truncation that a model does not have.
 */
export function createBedrock(given: BedrockEmbeddingOptions = {}): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const model = resolveModel(ID, options.model ?? 'amazon.titan-embed-text-v2:0', options.baseModel)
  const url = options.baseUrl === undefined ? undefined : parseBaseUrl(ID, requireText(ID, 'baseUrl', options.baseUrl))
  const settings = requestSettings(model, options)
  const headers = checkHeaders(ID, options.headers)
  const secrets: string[] = [...secretsOf(undefined, headers)]
  const learn = secretsKeeper(secrets)
  const invoke = lazyInvoke({
    access: accessOf(ID, options),
    region: regionOf(ID, { region: options.region, model: model.region, baseUrl: regionOfHost(url?.hostname ?? '') }),
    baseUrl: url === undefined ? undefined : normaliseEndpoint(url),
    model: model.name,
    headers,
    fetch: options.fetch,
    learn,
  })
  const form = FORMS[model.known.family]
  return defineEmbeddingProvider({
    space: {
      provider: ID,
      endpoint: endpointOf(url),
      model: model.name,
      requestedDimensions: settings.dimensions ?? null,
      variant: settings.truncate === 'none' ? {} : { truncate: settings.truncate },
    },
    limits: { ...limitsOf(model, settings.truncate), ...options.limits },
    modalities: model.known.modalities,
    traits: { isLocal: url !== undefined && isPrivateHost(url.hostname), ...priceOf(model, url), ...options.traits },
    dimensions: model.known.dimensions,
    secrets,
    timeoutMs: options.timeoutMs,
    embed: async ({ inputs, inputType, signal }) => {
      const body = form.body({ ...settings, inputs: fitting(inputs, model, settings.truncate), inputType })
      return readReply(form, await invoke({ modelId: model.id, body, signal }))
    },
  })
}

/** How many temporary keys are kept for redaction: they change every hour, and a process may run for months. */
const KEPT_SECRETS = 12

/** Adds newly known values to `secrets` and drops the oldest added ones. */
function secretsKeeper(secrets: string[]): (found: readonly string[]) => void {
  const own = secrets.length
  return (found) => {
    secrets.push(...found.filter((secret) => !secrets.includes(secret)))
    secrets.splice(own, secrets.length - own - KEPT_SECRETS)
  }
}

type RequestSettings = Pick<FormRequest, 'dimensions' | 'truncate' | 'queryPurpose'>

function requestSettings({ name, known }: ResolvedModel, options: BedrockEmbeddingOptions): RequestSettings {
  const { dimensions, truncate = 'none', queryPurpose } = options
  if (dimensions !== undefined && !known.lengths.includes(dimensions))
    throw configError(
      ID,
      `${name} makes no vectors of the wanted length`,
      known.lengths.length === 0
        ? `Leave dimensions out: its vectors have ${known.dimensions}.`
        : `Use one of ${known.lengths.join(', ')}.`,
    )
  const { truncations } = FORMS[known.family]
  if (!truncations.includes(truncate))
    throw configError(ID, `${name} cannot cut as truncate says`, `Use one of ${truncations.join(', ')}.`)
  if (queryPurpose !== undefined && known.family !== 'nova')
    throw configError(ID, `queryPurpose is for Nova, not for ${name}`, 'Leave it out.')
  if (queryPurpose !== undefined && !/^[A-Z]+_RETRIEVAL$/.test(queryPurpose))
    throw configError(ID, 'queryPurpose is not one of a query', 'Use TEXT_RETRIEVAL or GENERIC_RETRIEVAL.')
  return { dimensions, truncate, queryPurpose: queryPurpose ?? 'TEXT_RETRIEVAL' }
}

/** All endpoints of the service, private ones too, count as one. */
const endpointOf = (url: URL | undefined): string =>
  url === undefined || regionOfHost(url.hostname) !== undefined ? ENDPOINT : normaliseEndpoint(url)

/** If the service may cut, a text has no limit. */
const limitsOf = ({ known: { maxInputs, maxInputTokens } }: ResolvedModel, truncate: Truncation) => ({
  maxInputs,
  ...(truncate === 'none' ? { maxInputTokens } : {}),
  ...BEDROCK_LIMITS,
})

/** The table's price is AWS's own; a proxy may charge anything. */
const priceOf = ({ known }: ResolvedModel, url: URL | undefined): Partial<EmbeddingProvider['traits']> =>
  known.usdPerMillionTokens === undefined || endpointOf(url) !== ENDPOINT
    ? {}
    : { usdPerMillionTokens: known.usdPerMillionTokens }

function fitting(
  inputs: FormRequest['inputs'],
  { known: { maxCharacters } }: ResolvedModel,
  truncate: Truncation,
): FormRequest['inputs'] {
  if (maxCharacters === undefined) return inputs
  const texts = withinCharacters(
    inputs.map((input) => (input.type === 'text' ? input.text : '')),
    maxCharacters,
    truncate,
  )
  return inputs.map((input, index) => (input.type === 'text' ? { type: 'text', text: texts[index] ?? '' } : input))
}

function readReply(form: ModelForm, { text, inputTokens }: InvokeReply): RawEmbeddingReply {
  const reply = form.read(fieldsOf(text))
  return { ...reply, inputTokens: reply.inputTokens ?? inputTokens }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const reply: unknown = JSON.parse(text)
    return Object(reply)
  } catch {
    throw failureError({ code: 'bad-response', summary: 'the answer is not JSON' })
  }
}
