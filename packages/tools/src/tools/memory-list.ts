import type { ChunkFilter, ListedNote, ListReply } from '@mnemark/spec'
import { visibleName } from '@mnemark/spec'
import * as v from 'valibot'
import { DATA_NOTICE, harmlessName, inEnvelope, neutralise, recalled } from '../reply/data-envelope.ts'
import type { MemoryTool, ToolAnswer } from '../definition/memory-tool.ts'
import { remarksOf } from '../reply/remarks.ts'
import { count, day, request, texts } from '../definition/tool-input.ts'

interface ListInput extends Pick<ChunkFilter, 'paths' | 'since' | 'until' | 'tags'> {
  readonly limit?: number
  readonly after?: string
}

const MOST = 200
const LISTED = 50
const RECENT = 10

const listInput = request<ListInput>({
  paths: v.exactOptional(v.pipe(texts, v.description('Folders or globs.'))),
  tags: v.exactOptional(v.pipe(texts, v.description('With one of these tags.'))),
  since: v.exactOptional(v.pipe(day, v.description('As in memory_search.'))),
  until: v.exactOptional(v.pipe(day, v.description('As in memory_search.'))),
  limit: v.exactOptional(v.pipe(count(MOST), v.description(`1 to ${MOST}. Default ${LISTED}.`))),
  after: v.exactOptional(v.pipe(v.string(), v.maxLength(10_000), v.description('Next page: what the page before says.'))),
})

const recentInput = request<Pick<ListInput, 'limit' | 'paths'>>({
  limit: v.exactOptional(v.pipe(count(MOST), v.description(`1 to ${MOST}. Default ${RECENT}.`))),
  paths: v.exactOptional(v.pipe(texts, v.description('Folders or globs.'))),
})

const ALIASES = {
  path: 'paths',
  folder: 'paths',
  folders: 'paths',
  tag: 'tags',
  cursor: 'after',
  maxresults: 'limit',
  n: 'limit',
}

/** Lists notes by path. */
export const memoryList: MemoryTool<ListInput> = {
  name: 'memory_list',
  title: 'List notes',
  effects: { isReadOnly: true, isIdempotent: true },
  input: listInput,
  aliases: ALIASES,
  describe: () => 'Lists notes by path, without a question: of a folder, with a tag, of some days. Says how many there are.',
  run: async (host, { limit = LISTED, after, ...filter }, call) => {
    const page = after === undefined ? { limit } : { limit, after }
    return answerOf(await listOf(host.list?.({ filter, order: 'path', ...page }, call)))
  },
}

/** Lists the latest notes, by the days they are about. */
export const memoryRecent: MemoryTool<Pick<ListInput, 'limit' | 'paths'>> = {
  name: 'memory_recent',
  title: 'Newest notes',
  effects: { isReadOnly: true, isIdempotent: true },
  input: recentInput,
  aliases: ALIASES,
  describe: () => 'Lists the newest notes by their day: a way into what happened last.',
  run: async (host, { limit = RECENT, ...filter }, call) =>
    answerOf(await listOf(host.list?.({ filter, order: 'newest', limit }, call))),
}

/** The tool exists only if its host lists notes. */
async function listOf(reply: Promise<ListReply> | undefined): Promise<ListReply> {
  if (reply === undefined) throw new TypeError('this memory cannot be listed')
  return reply
}

function answerOf(reply: ListReply): ToolAnswer {
  const { quoting, own } = remarksOf(reply.degraded)
  const { notes, total, newest, next } = reply
  const counted = total === 1 ? '1 note' : `${total} notes`
  const summary = `${counted}${newest === undefined ? '' : `, newest day ${newest}`}.`
  const more = next === undefined ? [] : [`More with after: ${next}`]
  const quoted = [...notes.map(lineOf), ...quoting]
  const marked = quoted.length === 0 ? [] : [inEnvelope(quoted.join('\n'))]
  const lines = notes.length === 0 ? ['No notes.', ...marked] : [...marked, summary, ...more]
  return { text: [...lines, ...own].join('\n'), data: dataOf(reply) }
}

function lineOf(note: ListedNote): string {
  const tags = note.tags.map((tag) => `#${visibleName(tag)}`).join(' ')
  const parts = [note.day ?? 'undated', note.title, tags].filter((part) => part !== undefined && part !== '')
  return neutralise(`${visibleName(note.path)} (${parts.join(', ')})`.replace(/\s+/gu, ' '))
}

function dataOf({ notes, total, newest, next, stale, degraded }: ListReply): ToolAnswer['data'] {
  return {
    ...(notes.length > 0 && { notice: DATA_NOTICE }),
    notes: notes.map(({ path, title, day: noteDay, tags }) => ({
      path: harmlessName(path),
      ...(noteDay !== undefined && { day: noteDay }),
      tags: tags.map(harmlessName),
      ...(title !== undefined && { text: recalled(neutralise(title)) }),
    })),
    total,
    ...(newest !== undefined && { newest }),
    ...(next !== undefined && { next }),
    stale,
    degraded: degraded.map(({ code, message }) => ({ code, message: neutralise(message) })),
  }
}
