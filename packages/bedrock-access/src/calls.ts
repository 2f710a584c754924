import { fieldsOf } from '@mnemark/provider-kit'
import type { BedrockRuntimeClient, ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime'

export interface InvokeRequest {
  readonly modelId: string
  readonly body: unknown
  readonly signal: AbortSignal
}

export interface ConverseRequest {
  readonly input: ConverseCommandInput
  readonly signal: AbortSignal
}

/** A successful reply; its text is unchecked. */
export interface BedrockReply {
  readonly text: string
  /** Input tokens as a header of the reply counts them; chat models report them in the text. */
  readonly inputTokens: number | undefined
}

/** Runs before the SDK reads the reply. */
const STEP = { step: 'deserialize', priority: 'low', name: 'takeReply' } as const

export async function invoke(client: BedrockRuntimeClient, { modelId, body, signal }: InvokeRequest): Promise<BedrockReply> {
  const { InvokeModelCommand } = await import('@aws-sdk/client-bedrock-runtime')
  const contentType = 'application/json'
  const command = new InvokeModelCommand({ modelId, contentType, accept: contentType, body: JSON.stringify(body) })
  let taken: BedrockReply | undefined
  command.middlewareStack.add(
    (next) => async (call) => {
      const reply = await next(call)
      taken = takeReply(reply.response)
      return reply
    },
    STEP,
  )
  await client.send(command, { abortSignal: signal })
  return taken ?? NOTHING
}

export async function converse(client: BedrockRuntimeClient, { input, signal }: ConverseRequest): Promise<BedrockReply> {
  const { ConverseCommand } = await import('@aws-sdk/client-bedrock-runtime')
  const command = new ConverseCommand(input)
  let taken: BedrockReply | undefined
  command.middlewareStack.add(
    (next) => async (call) => {
      const reply = await next(call)
      taken = takeReply(reply.response)
      return reply
    },
    STEP,
  )
  await client.send(command, { abortSignal: signal })
  return taken ?? NOTHING
}

const NOTHING: BedrockReply = { text: '', inputTokens: undefined }

/**
 * Reads the reply and leaves an empty success to the SDK, which drops the headers, and whose parser would keep the whole reply in a
 * hidden member of its error.
 */
function takeReply(response: unknown): BedrockReply {
  const { body, headers } = fieldsOf(response)
  const count = fieldsOf(headers)['x-amzn-bedrock-input-token-count']
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : ''
  Reflect.set(Object(response), 'body', Buffer.from('{}'))
  return { text, inputTokens: typeof count === 'string' && /^\d+$/.test(count) ? Number(count) : undefined }
}
