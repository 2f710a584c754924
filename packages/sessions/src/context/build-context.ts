import type { CallOptions } from '@mnemark/spec'
import { contextSize, type ContextSize, weigh, type Weight } from '../tokens/context-size.ts'
import type { CountTokens } from '../tokens/estimate-message.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { SessionMessage } from '../transcript/entry.ts'
import type { TranscriptTree } from '../transcript/tree.ts'
import { answerCalls, type RequestMessage } from './answer-calls.ts'
import { contextMessages, livePart } from './load-context.ts'

export interface BuildContextOptions extends CallOptions {
  /** The window of the model, in tokens; the size is never above it. */
  readonly window?: number
  /** The model's own count. Default: an estimate without a network. */
  readonly countTokens?: CountTokens
}

/** The next request of a conversation, for `toAISDK`, `toOpenAI` and `toAnthropic`. */
export interface SessionContext {
  /** The summary first, where there is one, then the messages since. Each call in it is answered exactly once. */
  readonly messages: readonly RequestMessage[]
  /** The summary and the ids of the entries it stands for; null before the first compaction. */
  readonly summary: { readonly id: string; readonly text: string; readonly covers: readonly string[] } | null
  /** Ids of the messages that stand here as they are. */
  readonly ids: readonly string[]
  readonly size: ContextSize
}

export async function buildContext(tree: TranscriptTree, options: BuildContextOptions = {}): Promise<SessionContext> {
  const { signal, countTokens } = options
  await tree.extend({ signal })
  const { compaction, places } = livePart(tree)
  const summary =
    compaction === null ? null : { id: compaction.id, text: compaction.summary, covers: compaction.details?.covers ?? [] }
  const opening: readonly SessionMessage[] = summary === null ? [] : [summaryMessage(summary.text)]
  const messages: SessionMessage[] = []
  const ids: string[] = []
  const weights: Weight[] = []
  const since = compaction === null ? -1 : tree.place(compaction.id)!
  for await (const { id, message } of contextMessages(tree, places, { signal })) {
    messages.push(message)
    ids.push(id)
    weights.push(weightSince(message, { isSince: tree.place(id)! > since, countTokens }))
  }
  const summaryTokens = opening.reduce((sum, message) => sum + estimateMessage(message, countTokens), 0)
  const size = contextSize(weights, { ...(options.window === undefined ? {} : { window: options.window }), summaryTokens })
  return { messages: answerCalls([...opening, ...messages]), summary, ids, size }
}

/** A request before the compaction held what the summary stands for now: its figure says nothing of the next one. */
export function weightSince(
  message: SessionMessage,
  { isSince, countTokens }: { readonly isSince: boolean; readonly countTokens: CountTokens | undefined },
): Weight {
  const weight = weigh(message, countTokens)
  return isSince ? weight : { ...weight, measured: null }
}

function summaryMessage(text: string): SessionMessage {
  return {
    role: 'user',
    origin: 'system',
    content: `Summary of this conversation up to here, in place of its earlier messages:\n\n${text}`,
  }
}
