import * as v from 'valibot'
import { harmlessName } from '../reply/data-envelope.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import { path, request } from '../definition/tool-input.ts'

interface AppendInput {
  readonly text: string
  readonly to: string
}

const input = request<AppendInput>({
  text: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(100_000),
    v.description('Markdown: facts that stand by themselves, with names and dates; never passwords or keys.'),
  ),
  to: v.optional(
    v.pipe(
      path,
      v.description(
        '"daily" (default): the log of today, for running notes. "memory": MEMORY.md, for decisions, preferences and lasting facts. Or the path of a note, such as memory/network.md.',
      ),
    ),
    'daily',
  ),
})

/** Writes at the end of a note; nothing is ever overwritten. */
export const memoryAppend: MemoryTool<AppendInput> = {
  name: 'memory_append',
  title: 'Write to the memory',
  effects: { isReadOnly: false, isIdempotent: true },
  input,
  aliases: {},
  describe: () =>
    'Writes a text at the end of a note. When the user asks you to remember something, write it at once. The same text is not written twice.',
  run: async (host, { text, to }, call) => {
    const report = await host.append(text, targetOf(to), call)
    const path = harmlessName(report.path)
    const place = `${path}#L${report.startLine}-L${report.endLine}`
    const words = report.status === 'appended' ? `Written to ${place}.` : `This stands already in ${place}; nothing was written.`
    if (report.warning === undefined) return { text: words, data: { ...report, path } }
    // The warning names the note.
    const warning = harmlessName(report.warning)
    return { text: `${words} ${warning} Tell the user.`, data: { ...report, path, warning } }
  },
}

/** `daily` and `memory` in any case; a path is taken unchanged, or refused. */
function targetOf(to: string): string {
  const bare = to
    .trim()
    .replace(/^mnemark:\/\/notes\//iu, '')
    .replace(/^\.\//u, '')
  const word = bare.toLowerCase()
  if (word === 'memory') return 'memory'
  return word === 'daily' || word === 'today' ? 'daily' : bare
}
