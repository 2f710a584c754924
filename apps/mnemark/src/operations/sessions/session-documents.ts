import { maskText } from '@mnemark/masking'
import type { SessionRecord, Sessions, StoredMessage } from '@mnemark/sessions'
import type { HistoryMessage } from '@mnemark/tools'

/** A transcript as HTTP and tools show it; times are ISO. */
export interface SessionDocument {
  readonly id: string
  readonly key: string | null
  readonly state: SessionRecord['state']
  readonly agent: string
  readonly chatType: SessionRecord['chatType']
  readonly channel: string | null
  readonly previous: string | null
  readonly spawnedBy: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** The last message of a person; null before the first. */
  readonly lastInteractionAt: string | null
  readonly messages: number
  /** Tokens of the last measured request; null = unknown. */
  readonly context: number | null
  readonly totals: { readonly input: number; readonly output: number; readonly cacheRead: number; readonly cacheWrite: number }
  readonly compactions: number
  readonly bytes: number
}

/** Hides secrets; the same text where nothing is hidden. */
export type Mask = (text: string, known?: readonly string[]) => Promise<string>

export const noMask: Mask = async (text) => text
export const mask: Mask = maskText

export async function sessionDocument(record: SessionRecord, hide: Mask): Promise<SessionDocument> {
  const { id, key, state, agent, chatType, channel, previous, spawnedBy, createdAt, updatedAt, lastInteractionAt, bytes } = record
  const { messages, context, compactions, totals } = record.counters
  const [input, output, cacheRead, cacheWrite] = totals
  return {
    id,
    key: key === null ? null : await hide(key),
    state,
    agent,
    chatType,
    channel: channel === null ? null : await hide(channel),
    previous,
    spawnedBy: spawnedBy === null ? null : await hide(spawnedBy),
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
    lastInteractionAt: lastInteractionAt === null ? null : isoOf(lastInteractionAt),
    messages,
    context,
    totals: { input, output, cacheRead, cacheWrite },
    compactions,
    bytes,
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** A message as HTTP and tools show it. */
export interface MessageDocument extends HistoryMessage {
  readonly id: string
  readonly sessionId: string
  /** From 1, in the transcript. */
  readonly line: number
  /** Left out for what a person or a model said. */
  readonly origin?: string
  readonly toolCallId?: string
  readonly isError?: boolean
  /** Names of the tools that this answer called. */
  readonly calls?: readonly string[]
  readonly images?: number
  /** On a branch that the conversation left. */
  readonly isAbandoned?: boolean
}

/** The whole text is masked before it is cut, so that no part of a secret is left. */
export async function messageDocument(
  sessionId: string,
  stored: StoredMessage,
  { text, mostCharacters, hide }: { readonly text: string; readonly mostCharacters: number; readonly hide: Mask },
): Promise<MessageDocument> {
  const { id, line, timeMs, isLive, message } = stored
  const { role, content, origin, speaker, toolName, toolCallId, isError } = message
  const blocks = typeof content === 'string' ? [] : content
  const calls = await Promise.all(blocks.flatMap((block) => (block.type === 'toolCall' ? [hide(block.name)] : [])))
  const images = blocks.filter(({ type }) => type === 'image').length
  return {
    role,
    text: text.length > mostCharacters ? text.slice(0, mostCharacters).toWellFormed() : text,
    id,
    sessionId,
    line,
    citation: citationOf(sessionId, line),
    ...(timeMs !== null && { timestamp: isoOf(timeMs) }),
    ...(origin !== undefined && origin !== 'person' && { origin }),
    ...(speaker !== undefined && { speaker: await hide(speaker) }),
    ...(toolName !== undefined && { toolName: await hide(toolName) }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(isError === true && { isError }),
    ...(calls.length > 0 && { calls }),
    ...(images > 0 && { images }),
    ...(text.length > mostCharacters && { isCut: true }),
    ...(!isLive && { isAbandoned: true }),
  }
}

export function citationOf(sessionId: string, line: number): string {
  return `session:${sessionId}.jsonl#L${line}`
}

const CITATION = /^session:(?<id>[^#]{1,500})\.jsonl(?:#L(?<first>\d{1,9})(?:-L?(?<last>\d{1,9}))?)?$/u

/** A place in a transcript; `line` is null for all of it. */
export interface CitedLines {
  readonly id: string
  readonly line: number | null
  readonly count: number
}

/** The transcript and lines that a citation names; null for what is no citation of a transcript. */
export function readCitation(text: string): CitedLines | null {
  const groups = CITATION.exec(text)?.groups
  if (groups === undefined) return null
  const first = Number(groups['first'] ?? 0)
  const last = Number(groups['last'] ?? first)
  return { id: groups['id'] ?? '', line: first === 0 ? null : first, count: Math.max(1, last - first + 1) }
}

/** Lines of a transcript with secrets hidden: in each text as it was said, since escapes could part one, and in the line as a whole. */
export async function maskedLines(lines: ReturnType<Sessions['lines']>, hide: Mask): Promise<readonly string[]> {
  return await Promise.all(lines.map(async (line) => await hide(await maskedJson(line, hide))))
}

async function maskedJson(line: string, hide: Mask): Promise<string> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return line
  }
  const masked = await maskedValue(value, hide)
  return masked === value ? line : JSON.stringify(masked)
}

/** The same value where nothing was hidden. */
async function maskedValue(value: unknown, hide: Mask): Promise<unknown> {
  if (typeof value === 'string') return await hide(value)
  if (Array.isArray(value)) {
    const members = await Promise.all(value.map((member) => maskedValue(member, hide)))
    return members.every((member, index) => member === value[index]) ? value : members
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const masked = await Promise.all(
    entries.map(async ([name, member]) => [await hide(name), await maskedValue(member, hide)] as const),
  )
  const isSame = masked.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1])
  return isSame ? value : Object.fromEntries(masked)
}
