import { readFileSync } from 'node:fs'
import * as valibot from 'valibot'
import type { Note, Question, Task } from './task.ts'

/** `chunks`: files as they are, cut by the product. `turns`: each `- ` line is a note of its own, dated by its file's name. */
export type UnitKind = 'chunks' | 'turns'

const workspaceSchema = valibot.object({
  id: valibot.string(),
  files: valibot.array(valibot.object({ path: valibot.string(), text: valibot.string() })),
  queries: valibot.array(
    valibot.object({
      id: valibot.string(),
      text: valibot.string(),
      type: valibot.string(),
      adversarial: valibot.optional(valibot.boolean()),
      gold: valibot.array(valibot.object({ path: valibot.string(), line: valibot.number() })),
    }),
  ),
})
type WorkspaceFile = valibot.InferOutput<typeof workspaceSchema>

/** Parses JSON of a known form. Throws Error naming the file. */
export function readJson<Schema extends valibot.GenericSchema>(file: string, schema: Schema): valibot.InferOutput<Schema> {
  const result = valibot.safeParse(schema, JSON.parse(readFileSync(file, 'utf8')))
  if (result.success) return result.output
  throw new Error(`${file} has another form than expected: ${result.issues[0].message}`)
}

function turnsOf(files: WorkspaceFile['files']): { readonly notes: Note[]; readonly pathOfLine: ReadonlyMap<string, string> } {
  const notes: Note[] = []
  const pathOfLine = new Map<string, string>()
  for (const { path, text } of files) {
    const day = /\d{4}-\d{2}-\d{2}/.exec(path)?.[0]
    for (const [index, line] of text.split('\n').entries()) {
      if (!line.startsWith('- ')) continue
      const own = neutralPath(notes.length)
      pathOfLine.set(`${path}:${index + 1}`, own)
      notes.push({ path: own, text: line, ...(day !== undefined && { attributes: { from: day, to: day } }) })
    }
  }
  return { notes, pathOfLine }
}

/** A name that no question asks for, so that names of files neither help nor hurt. */
export function neutralPath(index: number): string {
  return `q${index.toString(36).padStart(5, '0')}z.md`
}

/** Questions about the wrong speaker (`adversarial`) are left out, as in the published scores. */
export function readWorkspace(file: string, kind: UnitKind): Task {
  const { id, files, queries } = readJson(file, workspaceSchema)
  const turns = kind === 'turns' ? turnsOf(files) : undefined
  const questions = queries
    .filter(({ adversarial }) => adversarial !== true)
    .map(
      ({ id: questionId, text, type, gold }): Question => ({
        id: questionId,
        text,
        type,
        gold: gold.map(({ path, line }) => {
          const turn = turns?.pathOfLine.get(`${path}:${line}`)
          return turn === undefined ? { path, line } : { path: turn }
        }),
      }),
    )
  return { name: id, notes: turns?.notes ?? files, questions, settings: {} }
}
