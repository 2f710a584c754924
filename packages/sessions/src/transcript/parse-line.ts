import type { Block, CompactionEntry, Counters, Entry, SessionHeader, SessionMessage } from './entry.ts'

type Fields = Readonly<Record<string, unknown>>

/** A line that is a JSON object; null for anything else, such as a torn one. */
export function parseLine(bytes: Buffer): Fields | null {
  if (bytes.length < 2 || bytes[0] !== 0x7b) return null
  try {
    return asFields(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/**
 * An entry of the tree: a line with an id that is no header. Other programs, and people, write such files too: fields that are not of their
 * kind are left out, and a message without content stays in the tree as an entry that says nothing.
 */
export function asEntry(line: Fields | null): Entry | null {
  const { type, id, parentId = null } = line ?? {}
  if (typeof type !== 'string' || typeof id !== 'string' || type === 'session') return null
  const counters = asCounters(line?.['counters'])
  const common = { ...line, id, parentId, counters }
  switch (type) {
    case 'message': {
      const message = asMessage(line?.['message'])
      return (message === null ? { ...common, type: 'unknown' } : { ...common, message }) as Entry
    }
    case 'compaction':
      return { ...common, details: asDetails(line?.['details']) } as Entry
    default:
      // Readers look at the types they know, and keep the others in the tree.
      return common as unknown as Entry
  }
}

function asMessage(value: unknown): SessionMessage | null {
  const message = asFields(value)
  if (message === null || typeof message['role'] !== 'string') return null
  const { content } = message
  if (typeof content !== 'string' && !Array.isArray(content)) return null
  const usage = asFields(message['usage']) ?? undefined
  return {
    ...message,
    content: typeof content === 'string' ? content : content.flatMap(asBlock),
    usage,
  } as unknown as SessionMessage
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  thinking: ['thinking'],
  toolCall: ['id', 'name'],
}

function asBlock(value: unknown): readonly Block[] {
  const block = asFields(value)
  const texts = TEXTS[String(block?.['type'])]
  return texts?.every((name) => typeof block?.[name] === 'string') === true ? [block as unknown as Block] : []
}

const TRIGGERS = ['threshold', 'overflow', 'manual'] as const
const CHAT_TYPES = ['direct', 'group', 'channel', 'thread'] as const

function asDetails(value: unknown): CompactionEntry['details'] {
  const details = asFields(value)
  const covers = details?.['covers']
  if (details === null || !Array.isArray(covers) || !covers.every((id) => typeof id === 'string')) return undefined
  const previous = typeof details['previous'] === 'string' ? details['previous'] : null
  const trigger = TRIGGERS.find((one) => one === details['trigger']) ?? 'threshold'
  return { covers, previous, trigger }
}

function asCounters(value: unknown): Counters | undefined {
  const counters = asFields(value)
  if (counters === null) return undefined
  const { totals, messages, compactions } = counters
  const numbers = [messages, compactions, ...(Array.isArray(totals) && totals.length === 4 ? totals : [null])]
  return numbers.every((count) => typeof count === 'number' && Number.isFinite(count))
    ? (counters as unknown as Counters)
    : undefined
}

export function asHeader(line: Fields | null): SessionHeader | null {
  if (line === null || line['type'] !== 'session' || typeof line['id'] !== 'string') return null
  const chatType = CHAT_TYPES.find((one) => one === line['chatType'])
  const texts = ['key', 'agent', 'channel', 'previous', 'spawnedBy'].filter((name) => typeof line[name] === 'string')
  return {
    type: 'session',
    version: typeof line['version'] === 'number' ? line['version'] : 1,
    id: line['id'],
    timestamp: typeof line['timestamp'] === 'string' ? line['timestamp'] : '',
    ...(chatType === undefined ? {} : { chatType }),
    ...Object.fromEntries(texts.map((name) => [name, line[name]])),
  }
}
