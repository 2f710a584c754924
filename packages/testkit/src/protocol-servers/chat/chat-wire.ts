import type { FinishReason } from '@mnemark/spec'
import { ModelServer, type ModelServerOptions } from '../model-server.ts'
import { countWireTokens } from '../wire/exchange.ts'
import type { ModelWire } from '../wire/model-wire.ts'

/** An accepted request as a chat service reads it. */
export interface ChatCall {
  readonly model: string
  /** Empty where there is none. */
  readonly system: string
  readonly prompt: string
  /** The JSON Schema the answer is held to; absent where none was given. */
  readonly schema?: unknown
  /** Whether JSON of any form was asked for. */
  readonly isJson?: boolean
  readonly maxOutputTokens?: number
}

export interface ChatAnswer {
  /** null where the service sends no text at all. */
  readonly text: string | null
  /** `other` = a word that no adapter knows. */
  readonly finishReason: FinishReason | 'other'
  /** Absent = the answer says nothing about tokens. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

/** A chat service. */
export interface ChatWire extends ModelWire<ChatCall, ChatAnswer> {
  /** The ways in which the service says that an answer ended. */
  readonly finishReasons: readonly FinishReason[]
  /** Whether it holds answers to a schema; if not, an adapter must refuse one, or hold the answer to it by other means and say so. */
  readonly hasSchema: boolean
}

export type ChatServer = ModelServer<ChatCall, ChatAnswer>

/** JSON that fits the schema of the suite, for calls that ask for JSON. */
export const SAMPLE_JSON = '{"names":["Mara","Peter"],"count":2}'

/** Words that tell which prompt they answer. */
function usualAnswer({ system, prompt, schema, isJson }: ChatCall): ChatAnswer {
  const text = schema !== undefined || isJson === true ? SAMPLE_JSON : `Noted: ${prompt}`
  const usage = { inputTokens: countWireTokens([system, prompt]), outputTokens: countWireTokens([text]) }
  return { text, finishReason: 'stop', usage }
}

/** Starts the service on a free port of 127.0.0.1. */
export function startChatServer(wire: ChatWire, options: ModelServerOptions = {}): Promise<ChatServer> {
  return new ModelServer(wire, usualAnswer, options).listen()
}
