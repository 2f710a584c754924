import { isAgentInstruction, quoteHash, WorkspaceError } from '@mnemark/spec'
import * as v from 'valibot'
import { harmlessName } from '../reply/data-envelope.ts'
import type { MemoryCall, NoteEdit, ToolHost } from '../host/host.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import { ToolError } from '../host/tool-error.ts'
import { path, request } from '../definition/tool-input.ts'

interface EditInput {
  readonly path: string
  readonly text: string
  readonly replace?: string
  readonly after?: number
  readonly line?: string
}

const LONGEST = 100_000

const input = request<EditInput>({
  path: v.pipe(path, v.description('The exact path of a note that is there.')),
  text: v.pipe(v.string(), v.maxLength(LONGEST), v.description('The new Markdown. Empty with replace: takes that text away.')),
  replace: v.exactOptional(
    v.pipe(v.string(), v.maxLength(LONGEST), v.description('The text to replace, as it stands there, once.')),
  ),
  after: v.exactOptional(
    v.pipe(
      v.number('expected a line number'),
      v.integer('expected a line number'),
      v.minValue(0, 'expected a line number'),
      v.description('Or: insert after this line; 0 for the top.'),
    ),
  ),
  line: v.exactOptional(v.pipe(v.string(), v.maxLength(LONGEST), v.description('With after: that line as you read it.'))),
})

/** Changes one place of a note, provided that it still is as the agent read it. */
export const memoryEdit: MemoryTool<EditInput> = {
  name: 'memory_edit',
  title: 'Change a note of the memory',
  effects: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  input,
  aliases: {},
  describe: () =>
    'Corrects a note: replaces a text that stands in it once, or inserts after a line. Read it before; where it changed since, nothing is written.',
  run: async (host, asked, call) => {
    const change = changeOf(asked)
    await requireEditable(host, asked.path, call)
    const report = await host.edit?.(asked.path, change, call)
    if (report === undefined) throw new TypeError('notes of this memory cannot be edited')
    const notePath = harmlessName(report.path)
    const { status, startLine, endLine } = report
    const data = { path: notePath, status, startLine, endLine }
    if (report.status === 'not-found') throw missing(asked.path)
    const place = `${notePath}#L${report.startLine}-L${report.endLine}`
    const words = report.status === 'edited' ? `Changed: ${place}. The version before is kept.` : `${place} says so already.`
    const overtaken = report.conflict ? ['Another program saved the note at the same moment; that is kept in its history.'] : []
    const warnings = [...overtaken, ...(report.warning === undefined ? [] : [harmlessName(report.warning)])]
    if (warnings.length === 0) return { text: words, data }
    return { text: `${words} ${warnings.join(' ')} Tell the user.`, data: { ...data, warning: warnings.join(' ') } }
  },
}

function changeOf({ replace, after, line, text }: EditInput): NoteEdit {
  if (replace !== undefined && after === undefined) return { replace: { old: replace, new: text } }
  if (after === undefined || replace !== undefined) throw badInput('give either replace or after')
  if (text.trim() === '') throw badInput('text is missing')
  if (after === 0) return { insert: { afterLine: 0, text } }
  if (line === undefined || line.trim() === '') {
    throw badInput('line is missing: the text of the line to insert after; choose one that is not blank')
  }
  return { insert: { afterLine: after, text }, quote: { hash: quoteHash(line), line: after } }
}

function badInput(problem: string): ToolError {
  return new ToolError('bad-input', `memory_edit: ${problem}.`, { next: 'Correct the input and call again.' })
}

/** No similar paths here: only the exact note that was named is written. */
async function requireEditable(host: ToolHost, asked: string, call: MemoryCall): Promise<void> {
  const { path: found, status } = await host.read({ path: asked, lines: 1 }, call)
  if (status === 'not-found') throw missing(asked)
  if (isAgentInstruction(found)) {
    throw new WorkspaceError('refused', `${found} instructs the agent, and is its owner's to write.`)
  }
}

function missing(asked: string): ToolError {
  return new ToolError('bad-input', `memory_edit: there is no note ${asked}.`, {
    next: 'Use the exact path, as memory_search shows it; memory_append begins a new note.',
  })
}
