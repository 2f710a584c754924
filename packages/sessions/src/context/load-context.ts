import { setImmediate } from 'node:timers/promises'
import type { CallOptions } from '@mnemark/spec'
import type { CompactionEntry, Entry, Role, SessionMessage } from '../transcript/entry.ts'
import type { TranscriptTree } from '../transcript/tree.ts'

/** The live part of a conversation: what the next request is made of. */
export interface LivePart {
  /** The last compaction on the live path; null before the first. */
  readonly compaction: CompactionEntry | null
  /** Places of the entries that no summary stands for, in order. */
  readonly places: readonly number[]
}

/** A message of the context with its id. */
export interface ContextMessage {
  readonly id: string
  readonly message: SessionMessage
}

const ENTRIES_PER_TURN = 500
/** Some programs have more, for notes of their own; a service takes them as the user's. */
const ROLES: readonly string[] = ['user', 'assistant', 'toolResult', 'system'] satisfies readonly Role[]

/** Finds the last compaction whose summary is still there; one that was forgotten does not count, and its messages come back. */
export function livePart(tree: TranscriptTree): LivePart {
  const path = tree.path()
  const compactions = path.filter((place) => tree.nodes[place]!.type === 'compaction').reverse()
  for (const { node, entry } of tree.entries(compactions)) {
    if (entry?.type !== 'compaction' || typeof entry.summary !== 'string') continue
    const at = path.indexOf(tree.place(node.id)!)
    const from = firstKept(tree, path, entry)
    if (from !== null) return { compaction: entry, places: [...path.slice(from, at), ...path.slice(at + 1)] }
  }
  return { compaction: null, places: path }
}

/** Null where the summary stands for nothing on this path. */
function firstKept(
  tree: TranscriptTree,
  path: readonly number[],
  { id, firstKeptEntryId, details }: CompactionEntry,
): number | null {
  const at = path.indexOf(tree.place(id)!)
  const kept = path.indexOf(tree.place(firstKeptEntryId) ?? -1)
  if (kept !== -1 && kept < at) return kept
  // Where the first kept entry is gone, what is not covered is kept.
  if (details?.covers === undefined) return at
  const covered = new Set(details.covers)
  const last = path.findLastIndex((place) => covered.has(tree.nodes[place]!.id))
  return last === -1 ? null : last + 1
}

/** The messages at these places, one after another: the whole of a long conversation is never in memory. */
export async function* contextMessages(
  tree: TranscriptTree,
  places: readonly number[],
  { signal }: CallOptions = {},
): AsyncGenerator<ContextMessage> {
  let count = 0
  for (const { node, entry } of tree.entries(places)) {
    if ((count += 1) % ENTRIES_PER_TURN === 0) await setImmediate()
    signal?.throwIfAborted()
    const message = messageOf(entry)
    if (message !== null) yield { id: node.id, message }
  }
}

/** Some entries of other programs are part of the context though nobody said them. */
function messageOf(entry: Entry | null): SessionMessage | null {
  if (entry === null) return null
  if (entry.type === 'message')
    return ROLES.includes(entry.message.role) ? entry.message : { ...entry.message, role: 'user', origin: 'system' }
  // Unknown types reach this point with the fields their programs gave them.
  const { type, content, summary } = entry as { readonly type: string; readonly content?: unknown; readonly summary?: unknown }
  if (type === 'custom_message' && typeof content === 'string') return { role: 'user', origin: 'system', content }
  if (type === 'branch_summary' && typeof summary === 'string') return { role: 'user', origin: 'system', content: summary }
  return null
}
