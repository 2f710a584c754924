import { type CallOptions, ProviderError, type TextGenerator, WorkspaceError } from '@mnemark/spec'
import { estimateTokens } from '@mnemark/core/text'
import { contextMessages, livePart } from '../context/load-context.ts'
import { labelledText, type Redact } from '../context/labelled-text.ts'
import { sessionDay } from '../lifecycle/session-day.ts'
import type { FlushEntry, FlushState } from '../transcript/entry.ts'
import type { OpenTranscript } from '../transcript/open-transcript.ts'
import { DEFAULT_FLUSH_SYSTEM_PROMPT, flushPrompt, type FlushPrompts } from './flush-prompts.ts'
import { addLines, flushText } from './flush-text.ts'

/** The notes that a flush writes to; a `Workspace` of `@mnemark/workspace` is one. */
export interface FlushNotes {
  /** Path of the log of the user's day. */
  dailyLog(nowMs: number): Promise<string>
  /** Makes the text of a note anew, under its lock; null = no change. */
  change(
    path: string,
    make: (text: string) => string | null,
    options: { readonly creates: true; readonly keepsVersion: false; readonly signal?: AbortSignal },
  ): Promise<unknown>
}

export interface FlushOptions extends CallOptions, FlushPrompts {
  readonly generator: Pick<TextGenerator, 'generate' | 'contextWindow'>
  /** Null: the workspace is read-only or there is none, and the flush is recorded as skipped. */
  readonly notes: FlushNotes | null
  /** Window of the generator, where it does not say it itself. */
  readonly window: number
  readonly timeZone?: string | undefined
  readonly nowMs: number
  readonly redact?: Redact | undefined
}

export interface FlushReport {
  /** `done`: this cycle has had its flush. */
  readonly status: Exclude<FlushState, 'ahead'> | 'done'
  readonly path: string | null
  readonly text: string | null
  /** Why it was skipped or missed. */
  readonly why: string
}

const MAX_OUTPUT_TOKENS = 2_000
const SHARE_FOR_MESSAGES = 0.6
const TRIES = 2

/** The model answered, but not so that it can be used. */
class UnusableFlush extends Error {}

/**
 * Saves what must outlast a compaction to the day's note, once for each cycle. The model reads a copy of the conversation; neither the prompt
 * nor its answer becomes a message. What it answers is written to the transcript before the note, so that a crash in between ends with the
 * text in the note once.
 */
export async function flushToNotes(transcript: OpenTranscript, options: FlushOptions): Promise<FlushReport> {
  await finishPendingFlush(transcript, options)
  const { compactions: cycle, flush } = transcript.counters
  if (flush?.cycle === cycle) return { status: 'done', path: null, text: null, why: 'this cycle has had its flush' }
  const { notes } = options
  if (notes === null) return await record(transcript, cycle, { status: 'skipped', why: 'the notes are read-only' }, options)
  let asked: { readonly path: string; readonly text: string }
  try {
    asked = await twice(() => ask(transcript, notes, options))
  } catch (error) {
    return await record(transcript, cycle, { status: 'missed', why: reasonOf(error) }, options)
  }
  if (asked.text === '') return await record(transcript, cycle, { status: 'silent', why: '' }, options)
  const check = isDue(cycle)
  const [ahead] = await transcript.write([{ type: 'flush', cycle, state: 'ahead', ...asked }], { signal: options.signal, check })
  if (ahead === undefined) return { status: 'done', path: null, text: null, why: 'another process flushed meanwhile' }
  return await writeNote(transcript, { cycle, ...asked }, { ...options, notes })
}

/** Writes the text of a flush that a crash ended between transcript and note. */
export async function finishPendingFlush(
  transcript: OpenTranscript,
  options: Pick<FlushOptions, 'notes' | 'signal' | 'nowMs' | 'timeZone'>,
): Promise<FlushReport | null> {
  const { flush } = transcript.counters
  const { notes } = options
  if (flush?.state !== 'ahead' || notes === null) return null
  const tree = await transcript.tree(options)
  const places = tree.nodes.flatMap(({ type }, place) => (type === 'flush' ? [place] : [])).reverse()
  for (const { entry } of tree.entries(places)) {
    if (entry?.type !== 'flush' || entry.state !== 'ahead' || entry.path === undefined || entry.text === undefined) continue
    return await writeNote(transcript, { cycle: entry.cycle, path: entry.path, text: entry.text }, { ...options, notes })
  }
  return await record(transcript, flush.cycle, { status: 'missed', why: 'its text was forgotten' }, options)
}

function isDue(cycle: number): NonNullable<NonNullable<Parameters<OpenTranscript['write']>[1]>['check']> {
  return ({ counters }) => counters.compactions === cycle && counters.flush?.cycle !== cycle
}

async function ask(
  transcript: OpenTranscript,
  notes: FlushNotes,
  options: FlushOptions,
): Promise<{ path: string; text: string }> {
  const { generator, nowMs, timeZone, signal, systemPrompt = DEFAULT_FLUSH_SYSTEM_PROMPT } = options
  const path = await notes.dailyLog(nowMs)
  const prompt = flushPrompt(options, { day: sessionDay(nowMs, { timeZone }), path, time: timeOf(nowMs, timeZone) })
  const conversation = await conversationText(transcript, options)
  if (conversation === '') return { path, text: '' }
  const reply = await generator.generate({
    system: systemPrompt,
    prompt: `<conversation>\n${conversation}\n</conversation>\n\n${prompt}`,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  })
  if (reply.finishReason !== 'stop') throw new UnusableFlush(`the answer ended by "${reply.finishReason}"`)
  const text = flushText(reply.text)
  if (text === null) throw new UnusableFlush('the answer was empty')
  return { path, text }
}

/** The newest part of the context that fits. */
async function conversationText(
  transcript: OpenTranscript,
  { generator, window, redact, signal }: FlushOptions,
): Promise<string> {
  const budget = Math.floor((generator.contextWindow ?? window) * SHARE_FOR_MESSAGES)
  const tree = await transcript.tree({ signal })
  const texts: { readonly text: string; readonly tokens: number }[] = []
  let tokens = 0
  for await (const { message } of contextMessages(tree, livePart(tree).places, { signal })) {
    const text = await labelledText(message, { redact, maxCharacters: budget })
    if (text === '') continue
    texts.push({ text, tokens: estimateTokens(text) })
    tokens += texts.at(-1)!.tokens
    while (tokens > budget && texts.length > 1) tokens -= texts.shift()!.tokens
  }
  return texts.map(({ text }) => text).join('\n\n')
}

async function writeNote(
  transcript: OpenTranscript,
  { cycle, path, text }: { readonly cycle: number; readonly path: string; readonly text: string },
  options: Pick<FlushOptions, 'signal' | 'nowMs' | 'timeZone'> & { readonly notes: FlushNotes },
): Promise<FlushReport> {
  const heading = /(\d{4}-\d{2}-\d{2})\.md$/u.exec(path)?.[1] ?? sessionDay(options.nowMs, options)
  try {
    await twice(() => options.notes.change(path, (note) => addLines(note, text, heading), { creates: true, keepsVersion: false }))
  } catch (error) {
    return await record(transcript, cycle, { status: 'missed', why: reasonOf(error), path, text }, options)
  }
  return await record(transcript, cycle, { status: 'written', why: '', path, text }, options)
}

async function record(
  transcript: OpenTranscript,
  cycle: number,
  {
    status,
    why,
    path = null,
    text = null,
  }: { status: Exclude<FlushState, 'ahead'>; why: string; path?: string | null; text?: string | null },
  { signal }: CallOptions,
): Promise<FlushReport> {
  const entry: Pick<FlushEntry, 'type' | 'cycle' | 'state' | 'reason'> = {
    type: 'flush',
    cycle,
    state: status,
    ...(why === '' ? {} : { reason: why }),
  }
  await transcript.write([entry], { signal })
  return { status, path, text, why }
}

/** A failure is tried once more; a cancelled call is none. */
async function twice<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const isExpected = error instanceof UnusableFlush || WorkspaceError.isInstance(error) || ProviderError.isInstance(error)
      if (tries === TRIES || !isExpected || (ProviderError.isInstance(error) && error.code === 'cancelled')) throw error
    }
  }
}

/** Faults of the model or the notes; anything else is a fault of ours and goes on up. */
function reasonOf(error: unknown): string {
  if (ProviderError.isInstance(error) && error.code !== 'cancelled') return `${error.provider}: ${error.code}`
  if (WorkspaceError.isInstance(error) || error instanceof UnusableFlush) return error.message
  throw error
}

function timeOf(nowMs: number, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'longOffset', timeZone })
  return `${parts.format(nowMs)}${timeZone === undefined ? '' : ` (${timeZone})`}`
}
