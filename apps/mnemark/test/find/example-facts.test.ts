import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** A row of the guide: the question, the first answer, and what stands below it where the row names that. */
const ROW = /^\| `([^`]+)` \| `([^`]+)`(?:.* below it (?:the corrected )?`([^`]+)`)?/gmu

interface Answer {
  readonly facts: readonly { readonly content: string; readonly earlier?: readonly { readonly content: string }[] }[]
}

test('the example notes answer as the guide says', () => {
  const box = new Sandbox()
  cpSync(join(ROOT, 'examples/workspace'), box.workspace, { recursive: true, filter: (source) => !source.endsWith('.mnemark') })
  const guide = readFileSync(join(ROOT, 'docs/guides/ask-about.md'), 'utf8')
  const rows = [...guide.matchAll(ROW)].map(([, question = '', ...answer]) => ({ question, answer }))
  expect(rows).toHaveLength(7)
  expect(rows.filter(({ answer }) => answer[1] !== undefined)).toHaveLength(3)
  for (const { question, answer } of rows) {
    const [first] = (box.json(['recall', question]).document as unknown as Answer).facts
    const below = answer[1] === undefined ? undefined : first?.earlier?.[0]?.content
    expect([question, first?.content, below]).toEqual([question, ...answer])
  }
})
