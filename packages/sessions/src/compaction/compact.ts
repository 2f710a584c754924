import { type CallOptions, ProviderError } from '@mnemark/spec'
import { weightSince } from '../context/build-context.ts'
import { contextMessages, livePart } from '../context/load-context.ts'
import { labelledText, type Redact } from '../context/labelled-text.ts'
import { contextSize, type Weight } from '../tokens/context-size.ts'
import { estimateMessage } from '../tokens/estimate-message.ts'
import type { Limits } from '../tokens/limits.ts'
import type { CompactionEntry, CompactionTrigger, SessionMessage } from '../transcript/entry.ts'
import type { OpenTranscript } from '../transcript/open-transcript.ts'
import type { TranscriptTree } from '../transcript/tree.ts'
import { refusalOf, type SummaryRefusal } from './accept-summary.ts'
import { type Cuttable, findCut, turnStart } from './find-cut.ts'
import { summarise, type SummaryWriter, UnfinishedSummary } from './summarise.ts'

export interface CompactMessagesOptions extends CallOptions {
  readonly trigger: CompactionTrigger
  readonly generator: SummaryWriter
  readonly limits: Limits
  /** Things the summary is to pay heed to, as behind `/compact`. */
  readonly focus?: string | undefined
  readonly redact?: Redact | undefined
  /** Done once it is known that there is something to summarise, before a model is asked for it. */
  readonly before?: () => Promise<void>
}

/**
 * `nothing`: all of it is recent, or it is too short. `refused`: the summary was not good enough. `failed`: the model gave none. `overtaken`: the
 * conversation was compacted or rewound meanwhile. In all four the transcript is as it was.
 */
export interface CompactionReport {
  readonly status: 'compacted' | 'nothing' | 'refused' | 'failed' | 'overtaken'
  readonly why: string
  /** Id of the summary's entry. */
  readonly id: string | null
  readonly summary: string | null
  /** How many entries it stands for. */
  readonly covered: number
  readonly tokensBefore: number
}

interface Placed extends Cuttable, Weight {
  readonly place: number
}

interface Plan {
  readonly previous: CompactionEntry | null
  readonly messages: readonly Placed[]
  /** The first message that stays; 0 = nothing to summarise. */
  readonly cut: number
  readonly tokens: number
}

const MIN_OUTPUT_TOKENS = 512
const REFUSALS: Readonly<Record<SummaryRefusal, string>> = {
  template: 'the summary says nothing beyond its headings',
  unrelated: 'the summary shares no words with the messages',
  unchanged: 'the summary is the one before',
}

/** Puts a summary in the place of the older messages. Nothing is removed from the transcript: a new entry says what the summary stands for. */
export async function compactMessages(transcript: OpenTranscript, options: CompactMessagesOptions): Promise<CompactionReport> {
  const tree = await transcript.tree(options)
  const plan = await planCompaction(tree, options)
  const report = (status: CompactionReport['status'], why: string): CompactionReport => ({
    status,
    why,
    id: null,
    summary: null,
    covered: 0,
    tokensBefore: plan.tokens,
  })
  if (plan.cut === 0) return report('nothing', whyNothing(plan, options))
  await options.before?.()
  let parts: readonly Part[]
  try {
    parts = await writeParts(tree, plan, options)
  } catch (error) {
    if (!ProviderError.isInstance(error) && !(error instanceof UnfinishedSummary)) throw error
    if (ProviderError.isInstance(error) && error.code === 'cancelled') throw error
    return report('failed', error.message)
  }
  for (const { text, previous, from, to } of parts) {
    const refusal = await refusalOf(text, { previous, covered: textsOf(tree, plan.messages.slice(from, to), options) })
    if (refusal !== null) return report('refused', REFUSALS[refusal])
  }
  const summary = joined(parts, plan)
  const id = await append(transcript, { tree, plan, summary, options })
  if (id === null) return report('overtaken', 'the conversation was compacted or rewound meanwhile')
  return { ...report('compacted', ''), id, summary, covered: plan.cut }
}

async function planCompaction(tree: TranscriptTree, options: CompactMessagesOptions): Promise<Plan> {
  const { compaction: previous, places } = livePart(tree)
  const since = previous === null ? -1 : tree.place(previous.id)!
  const messages: Placed[] = []
  for await (const { id, message } of contextMessages(tree, places, options)) {
    const place = tree.place(id)!
    const weight = weightSince(message, {
      isSince: place > since,
      countTokens: options.generator.countTokens?.bind(options.generator),
    })
    messages.push({ place, ...weight, ...callsOf(message) })
  }
  const { window, keepRecent, minMessages } = options.limits
  const summaryTokens = previous === null ? 0 : estimateMessage({ role: 'user', content: previous.summary })
  const { tokens, correction } = contextSize(messages, { window, summaryTokens })
  const isTooShort = options.trigger !== 'overflow' && messages.length < minMessages
  const all = messages.reduce((sum, message) => sum + message.tokens, 0)
  // After an overflow the estimate was wrong: half of what is there must go, however small it looks.
  const keep = options.trigger === 'overflow' ? Math.min(keepRecent / correction, all / 2) : keepRecent / correction
  return { previous, messages, tokens, cut: isTooShort ? 0 : findCut(messages, keep) }
}

function callsOf({ role, content, toolCallId }: SessionMessage): Omit<Cuttable, 'tokens'> {
  const blocks = typeof content === 'string' ? [] : content
  const calls = role === 'assistant' ? blocks.flatMap((block) => (block.type === 'toolCall' ? [block.id] : [])) : []
  return { role, calls, answers: role === 'toolResult' ? toolCallId : undefined }
}

function whyNothing({ messages }: Plan, { limits }: CompactMessagesOptions): string {
  return messages.length < limits.minMessages
    ? `there are ${messages.length} messages, and compaction begins at ${limits.minMessages}`
    : 'all messages are recent, or belong to one turn that cannot be parted'
}

/** A summary of some of the messages, from one place in the plan to another. */
interface Part {
  readonly text: string
  readonly previous: string | null
  readonly from: number
  readonly to: number
  readonly isTurnBeginning: boolean
}

/** The history and the beginning of a turn that is cut are summarised apart, each with its own room. */
async function writeParts(tree: TranscriptTree, plan: Plan, options: CompactMessagesOptions): Promise<readonly Part[]> {
  const { messages, cut } = plan
  const start = messages[cut]!.role === 'user' ? cut : Math.max(0, turnStart(messages, cut - 1))
  const parts = [
    { from: 0, to: start, previous: plan.previous?.summary ?? null, isTurnBeginning: false, share: 0.8 },
    { from: start, to: cut, previous: null, isTurnBeginning: true, share: 0.5 },
  ]
  const written: Part[] = []
  for (const { share, ...part } of parts) {
    if (part.from === part.to) continue
    const maxOutputTokens = Math.max(MIN_OUTPUT_TOKENS, Math.floor(options.limits.reserve * share))
    const places = messages.slice(part.from, part.to).map(({ place }) => place)
    const { window } = options.limits
    const text = await summarise(contextMessages(tree, places, options), { ...options, ...part, window, maxOutputTokens })
    written.push({ ...part, text })
  }
  return written
}

/** A summary that no part took up stays as it is. */
function joined(parts: readonly Part[], { previous }: Plan): string {
  const history = parts.find(({ isTurnBeginning }) => !isTurnBeginning)?.text ?? previous?.summary
  const turn = parts.find(({ isTurnBeginning }) => isTurnBeginning)?.text
  if (history === undefined || turn === undefined) return turn ?? history ?? ''
  return `${history}\n\n## The turn that goes on\n\n${turn}`
}

async function* textsOf(
  tree: TranscriptTree,
  messages: readonly Placed[],
  { redact, signal }: CompactMessagesOptions,
): AsyncGenerator<string> {
  for await (const { message } of contextMessages(
    tree,
    messages.map(({ place }) => place),
    { signal },
  )) {
    yield await labelledText(message, { redact, maxCharacters: Number.POSITIVE_INFINITY })
  }
}

interface Decided {
  readonly tree: TranscriptTree
  readonly plan: Plan
  readonly summary: string
  readonly options: CompactMessagesOptions
}

/** How often messages may come in between before it is given up. */
const MAX_TRIES = 10

/** Null where the conversation no longer holds what was summarised. */
async function append(transcript: OpenTranscript, { tree, plan, summary, options }: Decided): Promise<string | null> {
  const { previous, messages, cut } = plan
  const kept = messages[cut]!.place
  const covers = messages.slice(0, cut).map(({ place }) => tree.nodes[place]!.id)
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    await tree.extend(options)
    const path = tree.path()
    if (!path.includes(kept) || livePart(tree).compaction?.id !== previous?.id) return null
    const leaf = tree.nodes[path.at(-1)!]!.id
    const [written] = await transcript.write(
      [
        {
          type: 'compaction',
          summary,
          firstKeptEntryId: tree.nodes[kept]!.id,
          tokensBefore: plan.tokens,
          details: { covers, previous: previous?.id ?? null, trigger: options.trigger },
        },
      ],
      { signal: options.signal, check: (tail) => tail.leaf === leaf },
    )
    if (written !== undefined) return written.id
  }
  return null
}
