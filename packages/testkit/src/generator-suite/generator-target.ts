import assert from 'node:assert/strict'
import type { GenerateReply, GenerateRequest, TextGenerator } from '@mnemark/spec'
import {
  type ChatCall,
  type ChatAnswer,
  type ChatServer,
  type ChatWire,
  startChatServer,
} from '../protocol-servers/chat/chat-wire.ts'
import type { ModelBehaviour } from '../protocol-servers/model-server.ts'
import { within } from '../service-suite/call-checks.ts'
import { type AskOptions, RecordedSession } from '../service-suite/recorded-session.ts'
import {
  type OptionSet,
  type ProviderOption,
  type ProviderSetup,
  SECRET,
  type ServiceCase,
} from '../service-suite/service-target.ts'

/** A generator on a service, and the service. */
export interface TextGeneratorTarget {
  create(setup: ProviderSetup): TextGenerator
  /** The service's side, or a function that makes it: `chatCompletionsWire(…)` for servers of that kind. */
  readonly wire: ChatWire | (() => ChatWire)
  /** Options that the constructor must refuse, such as `{ apiKey: '' }`. */
  readonly misconfigured: readonly OptionSet[]
  /** Every option that is meant to reach the service. */
  readonly options: readonly ProviderOption[]
}

export const SYSTEM = 'You summarise notes in one sentence.'
export const PROMPT = 'Mara moved to Bergen in March; Peter stayed in Oslo.'

type Asked = Omit<Partial<GenerateRequest>, 'signal'> & { readonly signal?: AbortSignal }

export function generate(generator: TextGenerator, asked: Asked = {}): Promise<GenerateReply> {
  return within(generator.generate({ system: SYSTEM, prompt: PROMPT, ...asked }), 'generate did not settle')
}

type ChatBehaviour = ModelBehaviour<ChatCall, ChatAnswer>

export class GeneratorSession extends RecordedSession<TextGenerator, ChatBehaviour, ChatServer> {
  readonly target: TextGeneratorTarget
  override readonly wire: ChatWire
  override readonly badDays: readonly ChatBehaviour[] = [
    { answer: (_, usual) => ({ ...usual, text: '' }) },
    { answer: (_, usual) => ({ ...usual, finishReason: 'other' }) },
  ]

  constructor(target: TextGeneratorTarget, wire: ChatWire, server: ChatServer) {
    super(server)
    this.target = target
    this.wire = wire
  }

  override create(set: OptionSet = {}, baseUrl: string = this.server.baseUrl): TextGenerator {
    return this.target.create({ baseUrl, fetch: this.fetch, apiKey: SECRET, set })
  }

  override ask(generator: TextGenerator, { texts = [PROMPT], signal }: AskOptions = {}): Promise<GenerateReply> {
    return generate(generator, { prompt: texts.join('\n\n'), ...(signal === undefined ? {} : { signal }) })
  }

  override namesOf({ provider, model }: TextGenerator): { readonly provider: string; readonly model: string } {
    return { provider: provider ?? model, model }
  }

  override startAnother(): Promise<ChatServer> {
    return startChatServer(this.wire, { apiKey: SECRET })
  }

  /** Runs `action` while these members replace those of every answer. */
  answering<Value>(answer: Partial<ChatAnswer>, action: () => Promise<Value>): Promise<Value> {
    return this.behaving({ answer: (_, usual) => ({ ...usual, ...answer }) }, action)
  }

  lastCall(): ChatCall {
    return this.server.calls.at(-1) ?? assert.fail('the service accepted a request')
  }
}

export type GeneratorCase = ServiceCase<GeneratorSession>

export async function openGeneratorSession(target: TextGeneratorTarget, wire: ChatWire): Promise<GeneratorSession> {
  return new GeneratorSession(target, wire, await startChatServer(wire, { apiKey: SECRET }))
}
