import type { EmbeddingProvider } from '@mnemark/spec'
import { type BedrockReply, bedrockService } from '@mnemark/bedrock-access'
import { configError, defineEmbeddingProvider, failureError, freezeOptions, type RawEmbeddingReply } from '@mnemark/provider-kit'
import { withinCharacters } from './cut-characters.ts'
import { FORMS, type FormRequest, type ModelForm, type Truncation } from './forms.ts'
import { type ResolvedModel, resolveModel } from './model-id.ts'
import { BEDROCK_LIMITS } from './models.ts'
import type { BedrockEmbeddingOptions } from './options.ts'

const ID = 'bedrock'

/**
 * A provider on the embedding models of Amazon Bedrock, through the AWS SDK. The first call loads the SDK and determines
 * credentials and region. Throws a `config` error at once for a model of unknown kind, contradictory regions, more than one way
 * to authorise, and dimensions or truncation that a model does not have.
 */
export function createBedrock(given: BedrockEmbeddingOptions = {}): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const model = resolveModel(ID, options.model ?? 'amazon.titan-embed-text-v2:0', options.baseModel)
  const settings = requestSettings(model, options)
  const service = bedrockService(ID, options, { name: model.name, region: model.region })
  const form = FORMS[model.known.family]
  return defineEmbeddingProvider({
    space: {
      provider: ID,
      endpoint: service.endpoint,
      model: model.name,
      requestedDimensions: settings.dimensions ?? null,
      variant: settings.truncate === 'none' ? {} : { truncate: settings.truncate },
    },
    limits: { ...limitsOf(model, settings.truncate), ...options.limits },
    modalities: model.known.modalities,
    traits: { isLocal: service.isLocal, ...(service.isAws ? priceOf(model) : {}), ...options.traits },
    dimensions: model.known.dimensions,
    secrets: service.secrets,
    timeoutMs: options.timeoutMs,
    embed: async ({ inputs, inputType, signal }) => {
      const body = form.body({ ...settings, inputs: fitting(inputs, model, settings.truncate), inputType })
      return readReply(form, await service.invoke({ modelId: model.id, body, signal }))
    },
  })
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

/** Where the service may cut, a text has no limit of its own. */
const limitsOf = ({ known: { maxInputs, maxInputTokens } }: ResolvedModel, truncate: Truncation) => ({
  maxInputs,
  ...(truncate === 'none' ? { maxInputTokens } : {}),
  ...BEDROCK_LIMITS,
})

const priceOf = ({ known: { usdPerMillionTokens } }: ResolvedModel): Partial<EmbeddingProvider['traits']> =>
  usdPerMillionTokens === undefined ? {} : { usdPerMillionTokens }

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

function readReply(form: ModelForm, { text, inputTokens }: BedrockReply): RawEmbeddingReply {
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
