import type { CallOptions } from '@mnemark/spec'
import { setImmediate } from 'node:timers/promises'
import type { SessionMessage } from './entry.ts'
import type { TranscriptTree } from './tree.ts'

/** A message as it stands in a transcript. */
export interface StoredMessage {
  readonly id: string
  readonly parentId: string | null
  /** From 1, as in the citation `session:<id>.jsonl#L12`. */
  readonly line: number
  /** In ms since 1970; null where it is unknown. */
  readonly timeMs: number | null
  /** False on branches that the conversation left. */
  readonly isLive: boolean
  readonly message: SessionMessage
}

export interface ReadMessagesOptions extends CallOptions {
  /** Also messages of branches that the conversation left, in the order of the file. Default: the live path alone. */
  readonly branches?: boolean
}

const MESSAGES_PER_TURN = 500

/** The messages of a transcript, one after another, so that one of any size can be read. */
export async function* readMessages(
  tree: TranscriptTree,
  { branches = false, signal }: ReadMessagesOptions = {},
): AsyncGenerator<StoredMessage> {
  await tree.extend({ signal })
  const live = tree.path()
  const isLive = new Set(live)
  const places = branches ? tree.nodes.keys() : live
  let count = 0
  for (const { node, entry } of tree.entries(places)) {
    if ((count += 1) % MESSAGES_PER_TURN === 0) await setImmediate()
    signal?.throwIfAborted()
    if (entry?.type !== 'message') continue
    const parsed = Date.parse(entry.timestamp ?? '')
    const place = tree.place(node.id)
    yield {
      id: node.id,
      parentId: node.parent === -1 ? null : tree.nodes[node.parent]!.id,
      line: node.line,
      timeMs: Number.isFinite(parsed) ? parsed : null,
      isLive: place !== undefined && isLive.has(place),
      message: entry.message,
    }
  }
}
