import type { GenerateReply, GenerateRequest, TextGenerator } from '@mnemark/spec'
import { providerError, type Service } from '../calls/provider-errors.ts'

const REASONS: ReadonlySet<unknown> = new Set(['stop', 'length', 'refused', 'filtered'])

/** The generator as messages name it. */
export function serviceOf({ provider, model }: Pick<TextGenerator, 'provider' | 'model'>): Service {
  return { provider: provider ?? model, model }
}

export function nameOf(generator: Pick<TextGenerator, 'provider' | 'model'>): string {
  const { provider, model } = serviceOf(generator)
  return `${provider} (${model})`
}

/** Throws ProviderError `config` for a value that is no generator; callers without types may pass anything. */
export function requireGenerator(generator: TextGenerator): void {
  const { model, traits, generate }: Partial<TextGenerator> = Object(generator)
  const problem =
    typeof model !== 'string' || model === ''
      ? 'model must be a text'
      : typeof traits?.isLocal !== 'boolean'
        ? 'traits.isLocal must be true or false'
        : typeof generate !== 'function'
          ? 'generate must be a function'
          : undefined
  if (problem === undefined) return
  const service = { provider: 'a generator', model: typeof model === 'string' ? model : 'unknown' }
  throw providerError(service, 'config', `${problem}. Make generators with defineTextGenerator of @mnemark/provider-kit.`)
}

/** Makes one request. Rejects with ProviderError `bad-response` if the answer is not a text with a reason why it ended. */
export async function checkedReply(generator: TextGenerator, request: GenerateRequest): Promise<GenerateReply> {
  const reply = await generator.generate(request)
  const { text, finishReason }: Partial<GenerateReply> = Object(reply)
  if (typeof text === 'string' && REASONS.has(finishReason) && (text !== '' || finishReason !== 'stop')) return reply
  const words = 'the answer is no text with a reason why it ended. Check the model and its adapter.'
  throw providerError(serviceOf(generator), 'bad-response', words)
}
