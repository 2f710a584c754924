import { type GenerateRequest, ProviderError, type TextGenerator } from '@mnemark/spec'
import { fieldsOf } from '@mnemark/provider-kit'

/** The part of the AI SDK's calls that a generator can answer, or has to refuse. */
export interface AISDKGivenCall {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
  readonly maxOutputTokens?: number
  readonly responseFormat?: { readonly type: string; readonly schema?: object }
  readonly tools?: readonly unknown[]
  readonly abortSignal?: AbortSignal
}

/** Settings that a request to a generator does not have; some generators take them as options. */
const LEFT_OUT = [
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
  'reasoning',
] as const

export interface ReadCall {
  readonly request: GenerateRequest
  /** Names of settings that were given and are left out. */
  readonly ignored: readonly string[]
}

/** Throws an `invalid-input` error for parts that a generator does not support: turns of a conversation, files, tools. */
export function readCall(call: AISDKGivenCall, generator: TextGenerator): ReadCall {
  const refuse = (what: string): never => {
    const provider = generator.provider ?? generator.model
    throw new ProviderError('invalid-input', `${provider} (${generator.model}): ${what}.`, { provider })
  }
  if ((call.tools ?? []).length > 0) refuse('tools are not supported')
  const systems = call.prompt.filter(({ role }) => role === 'system').map(({ content }) => String(content))
  const turns = call.prompt.filter(({ role }) => role !== 'system')
  if (turns.some(({ role }) => role !== 'user')) refuse('only system and user messages are supported, no turns of a conversation')
  const parts = turns.flatMap(({ content }) => (Array.isArray(content) ? content.map(fieldsOf) : []))
  const texts = parts.map(({ type, text }) => (type === 'text' ? String(text) : refuse('only text is supported, no files')))
  const schema = schemaOf(call)
  return {
    request: {
      system: systems.join('\n\n'),
      prompt: texts.join('\n\n'),
      ...(schema === undefined ? {} : { schema }),
      ...(call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens }),
      ...(call.abortSignal === undefined ? {} : { signal: call.abortSignal }),
    },
    ignored: LEFT_OUT.filter((name) => isGiven(Reflect.get(call, name))),
  }
}

const isGiven = (setting: unknown): boolean => setting !== undefined && setting !== null && setting !== 'provider-default'

/** Without a schema, JSON means an object, as in the JSON mode of services. */
function schemaOf({ responseFormat }: AISDKGivenCall): GenerateRequest['schema'] {
  if (responseFormat?.type !== 'json') return undefined
  // A JSON Schema is an object with named members.
  return (responseFormat.schema ?? { type: 'object' }) as GenerateRequest['schema']
}
