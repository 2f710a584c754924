import { maskText, maskTitles, secretsAround, warnOfSecrets } from '@mnemark/masking'
import type { CallOptions, MemoryBackend } from '@mnemark/spec'
import { checkHits } from './check-hits.ts'
import type { AppendReport, CitationMode, EditReport, NoteEdit, ToolHost } from './host.ts'
import { limitLines } from './limit-lines.ts'
import { linesOf } from './read-text.ts'
import type { ReadCall } from './read-text.ts'
import { ToolError } from './tool-error.ts'
import { placesIn, withoutPlaces } from './without-places.ts'

/** The part of a workspace that the tools write through; `Workspace` of `@mnemark/workspace` fits unchanged. */
export interface NotesWriter {
  append(text: string, options: { readonly to: string } & CallOptions): Promise<AppendReport>
  /** Without it there is no `memory_edit`. */
  edit?(path: string, options: NoteEdit & CallOptions): Promise<EditReport>
}

export interface MemoryHostOptions {
  readonly memory: MemoryBackend
  /** Where notes are written. Without it the memory is read-only. */
  readonly workspace?: NotesWriter
  /** The agent whose memory this is. Default: `main`. */
  readonly agentId?: string
  /** Default: false if there is a workspace. */
  readonly isReadOnly?: boolean
  /** Hides text that looks like passwords and keys in all answers. Default: true. */
  readonly mask?: boolean
  /** Default: `auto`. */
  readonly citations?: CitationMode
}

/** Longer answers are cut; the answer states the line to continue at. */
const MAX_READ_CHARACTERS = 100_000

/**
 * Wraps any backend as a host for tools: hits get the hash by which their text is found again, answers are bounded, secrets
 * hidden.
 */
export function memoryHost(options: MemoryHostOptions): ToolHost {
  const { memory, workspace, agentId = 'main', mask = true, citations = 'auto' } = options
  const isReadOnly = workspace === undefined || options.isReadOnly === true
  const edit = workspace?.edit?.bind(workspace)
  return {
    isReadOnly,
    citations,
    search: async (query, { caller: named, signal }) => {
      const caller = { ...named, agentId }
      return checkHits(await memory.search({ ...query, caller, signal }), memory, { caller, signal, isMasking: mask })
    },
    read: async (request, { caller: named, signal }) => {
      const caller = { ...named, agentId }
      const reply = limitLines(await memory.read({ ...request, caller, signal }), MAX_READ_CHARACTERS)
      if (!mask) return reply
      return { ...reply, text: await maskText(reply.text, await secretsAround(reply, linesOf(memory, { caller, signal }))) }
    },
    append: async (text, to, { signal }) => {
      signal?.throwIfAborted()
      if (workspace === undefined || isReadOnly) throw readOnly()
      return warnOfSecrets(await workspace.append(text, signal === undefined ? { to } : { to, signal }), text)
    },
    ...(edit !== undefined && {
      edit: async (path, change, { signal }) => {
        signal?.throwIfAborted()
        if (isReadOnly) throw readOnly()
        return warnOfSecrets(await edit(path, signal === undefined ? change : { ...change, signal }), addedBy(change))
      },
    }),
    list: async (query, { caller: named, signal }) => {
      const reply = await memory.list({ ...query, caller: { ...named, agentId }, signal })
      return mask ? maskTitles(reply) : reply
    },
    // The location of the notes is unknown here, so anything that looks like a path counts as one.
    redact: (words, { chatType }) => (chatType === 'group' || chatType === 'channel' ? withoutPlaces(words, PLACES) : words),
    paths: async ({ caller: named, signal }) => pathsOf(memory, { caller: { ...named, agentId }, signal }),
  }
}

const PLACES = placesIn()
const PAGE = 1_000

async function pathsOf(memory: MemoryBackend, call: ReadCall): Promise<readonly string[]> {
  const paths: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await memory.list({ ...call, order: 'path', limit: PAGE, ...(after !== undefined && { after }) })
    paths.push(...page.notes.map(({ path }) => path))
    if (page.next === undefined) return paths
    after = page.next
  }
}

/** The text that an edit adds. */
export function addedBy(change: NoteEdit): string {
  return 'replace' in change ? change.replace.new : change.insert.text
}

function readOnly(): ToolError {
  return new ToolError('read-only', 'this memory is served read-only', {
    next: 'Search and read; nothing can be written here.',
  })
}
