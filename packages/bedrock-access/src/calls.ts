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

/** A success as it came: nothing of it has been looked at. */
export interface BedrockReply {
  readonly text: string
  /** What a header of the reply counts; chat models say it in the text. */
  readonly inputTokens: number | undefined
}

/** Before the SDK reads the reply. */
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
 * Takes the reply away from the SDK, which gets to see an empty success: it drops the headers, and an error of its parser would carry the
 * whole reply in a hidden member.
 */
function takeReply(response: unknown): BedrockReply {
  const { body, headers } = fieldsOf(response)
  const count = fieldsOf(headers)['x-amzn-bedrock-input-token-count']
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : ''
  Reflect.set(Object(response), 'body', Buffer.from('{}'))
  return { text, inputTokens: typeof count === 'string' && /^\d+$/.test(count) ? Number(count) : undefined }
}
