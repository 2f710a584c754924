import type { ReadReply, ReadRequest } from '@mnemark/spec'
import * as v from 'valibot'
import { DATA_NOTICE, harmlessName, inEnvelope, neutralise, recalled } from '../reply/data-envelope.ts'
import { limitLines } from '../host/limit-lines.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import { readPlace } from './note-place.ts'
import { readNear } from './read-near.ts'
import { lineNumber, path, request } from '../definition/tool-input.ts'

/** About ten thousand tokens; the rest is read in another call. */
const MAX_CHARACTERS = 40_000

type GetInput = Omit<ReadRequest, 'caller' | 'signal'>

const input = request<GetInput>({
  path: v.pipe(
    path,
    v.description('The path of a note, or a citation such as memory/2026-03-14.md#L12-L20, as memory_search shows it.'),
  ),
  from: v.exactOptional(v.pipe(lineNumber, v.description('The first line, from 1.'))),
  lines: v.exactOptional(v.pipe(lineNumber, v.description('How many lines. Default: up to 120.'))),
  quoteHash: v.exactOptional(
    v.pipe(v.string(), v.maxLength(100), v.description('Of a hit: finds its text where it stands now.')),
  ),
})

const MOVED: Readonly<Record<NonNullable<ReadReply['moved']>, string>> = {
  same: 'The quoted text stands where it was cited.',
  moved: 'The quoted text has moved: cite this place instead.',
  changed: 'The quoted text was changed since: this is what stands there now.',
  gone: 'The quoted text is in no note any more: do not cite it.',
}

/** Reads a note, or lines of it. */
export const memoryGet: MemoryTool<GetInput> = {
  name: 'memory_get',
  title: 'Read a note of the memory',
  effects: { isReadOnly: true, isIdempotent: true },
  input,
  aliases: {
    file: 'path',
    filename: 'path',
    filepath: 'path',
    note: 'path',
    uri: 'path',
    url: 'path',
    id: 'path',
    citation: 'path',
    relpath: 'path',
    start: 'from',
    startline: 'from',
    line: 'from',
    offset: 'from',
    limit: 'lines',
    count: 'lines',
    numlines: 'lines',
    hash: 'quoteHash',
  },
  describe: () =>
    'Reads a note of your memory, or lines of it. Long notes come in parts; the answer says where the next begins. A missing note is no error: today’s log may not be written yet.',
  run: async (host, request, call) => {
    const { path, quoteHash, from, lines } = request
    const place = readPlace(path, { ...(from && { from }), ...(lines && { lines }) })
    const { reply: read, near } = await readNear(host, { ...place, ...(quoteHash !== undefined && { quoteHash }) }, call)
    const reply = limitLines(read, MAX_CHARACTERS)
    return { text: describe(reply, near), data: dataOf(reply, near) }
  },
}

/** Not every client shows a model the text, so the data it may show is marked as well. */
function dataOf(reply: ReadReply, near: readonly string[]): Readonly<Record<string, unknown>> {
  const path = harmlessName(reply.path)
  if (reply.text === '') return { ...reply, path, ...(near.length > 0 && { near: near.map(harmlessName) }) }
  return { ...reply, path, notice: DATA_NOTICE, text: recalled(neutralise(reply.text)) }
}

function describe(reply: ReadReply, near: readonly string[]): string {
  const remarks = [
    ...(reply.moved === undefined ? [] : [MOVED[reply.moved]]),
    ...(reply.note === undefined || reply.moved === 'gone' ? [] : [reply.note]),
    ...(near.length === 0 ? [] : [`Near: ${near.map(harmlessName).join(', ')}.`]),
    ...(reply.nextFrom === undefined ? [] : [`More from line ${reply.nextFrom}.`]),
  ]
  return [bodyOf(reply), ...remarks].join('\n')
}

function bodyOf({ status, path: notePath, text, startLine, endLine }: ReadReply): string {
  const name = harmlessName(notePath)
  if (status === 'not-found') return `There is no note ${name}.`
  if (status === 'empty') return `The note ${name} is empty.`
  if (text === '') return `No text of ${name}.`
  return inEnvelope(`${name}#L${startLine}-L${endLine}\n${neutralise(text.replace(/\r?\n$/u, ''))}`)
}
