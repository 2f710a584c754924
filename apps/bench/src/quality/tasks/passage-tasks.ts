import * as valibot from 'valibot'
import type { Task } from './task.ts'
import { neutralPath, readJson } from './workspace-tasks.ts'

const passagesSchema = valibot.object({
  name: valibot.string(),
  lang: valibot.string(),
  docs: valibot.array(valibot.object({ id: valibot.string(), text: valibot.string() })),
  queries: valibot.array(valibot.object({ id: valibot.string(), text: valibot.string(), gold: valibot.array(valibot.string()) })),
})

/** No passage is longer, so each stays whole. */
const WHOLE_PASSAGE_TOKENS = 1_000_000

/** Each passage is a note of its own and one chunk. `questionsFrom`: another file about passages of the same ids. */
export function readPassages(file: string, { questionsFrom = file }: { readonly questionsFrom?: string } = {}): Task {
  const { name, lang, docs } = readJson(file, passagesSchema)
  const { queries } = readJson(questionsFrom, passagesSchema)
  const paths = new Map(docs.map(({ id }, index) => [id, neutralPath(index)]))
  return {
    name: `${name} ${lang}`,
    notes: docs.map(({ text }, index) => ({ path: neutralPath(index), text })),
    questions: queries.map(({ id, text, gold }) => ({
      id,
      text,
      type: 'all',
      gold: gold.map((document) => ({ path: paths.get(document) ?? document })),
    })),
    settings: { chunkTokens: WHOLE_PASSAGE_TOKENS, chunkOverlap: 0 },
  }
}
