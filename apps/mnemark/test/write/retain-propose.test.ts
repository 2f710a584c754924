import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatCompletionsWire, startChatServer } from '@mnemark/testkit'
import { readDayArgument } from '@mnemark/core/dates'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { jsonBeside } from '../harness/run-beside.ts'

interface Proposal {
  readonly kind: string
  readonly entities: readonly string[]
  readonly content: string
  readonly source: string
  readonly why: string
  readonly status?: string
  readonly path?: string
}

const CLOCK = { nowMs: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
const dayAgo = (days: number): string => readDayArgument(`${days}d`, 'first', CLOCK) ?? ''
const YESTERDAY = dayAgo(1)
const PATH = `memory/${YESTERDAY}.md`
const LOG = `# ${YESTERDAY}

- Mara prefers mail to calls.
- Nils never drinks coffee
- Maybe Nils likes tea
- sudo apt remove x && make
- مارا تسكن في بيرغن
- The door code is kept in sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCDEFGH

## Decision
`

function sandbox(): Sandbox {
  return new Sandbox({
    'bank/entities/Mara.md': '---\naliases: [مارا]\n---\n\n# Mara\n',
    [PATH]: LOG,
    [`memory/${dayAgo(40)}.md`]: '- Tom joined the choir of the town\n',
  })
}

const proposalsOf = (document: object): readonly Proposal[] => (document as { readonly proposals: readonly Proposal[] }).proposals

test('offers what the logs of the last days say, writes nothing, and with --write each once', () => {
  const box = sandbox()
  const offered = box.json(['retain', '--propose'])
  expect(offered.code).toBe(0)
  expect(
    proposalsOf(offered.document).map(({ kind, entities, content, source }) => [kind, ...entities, content, source]),
  ).toEqual([
    ['opinion', 'Mara', 'prefers mail to calls', `${PATH}#L3-L3`],
    ['opinion', 'Nils', 'never drinks coffee', `${PATH}#L4-L4`],
    ['world', 'مارا', 'تسكن في بيرغن', `${PATH}#L7-L7`],
  ])
  expect(box.run(['retain', '--propose']).stdout).toContain(
    `+ opinion     Mara: prefers mail to calls  (preference, ${PATH}#L3-L3)`,
  )
  expect(existsSync(join(box.workspace, `memory/${dayAgo(0)}.md`))).toBe(false)

  const written = proposalsOf(box.json(['retain', '--propose', '--write']).document)
  expect(written.map(({ status, path }) => [status, path])).toEqual(
    Array.from({ length: 3 }, () => ['written', `memory/${dayAgo(0)}.md`]),
  )
  const today = readFileSync(join(box.workspace, `memory/${dayAgo(0)}.md`), 'utf8')
  expect(today).toContain(`- O @Mara: prefers mail to calls (on: ${YESTERDAY}) (see ${PATH}#L3-L3)\n`)
  expect(readFileSync(join(box.workspace, PATH), 'utf8')).toBe(LOG)

  const again = box.json(['retain', '--propose', '--write'])
  expect([again.code, proposalsOf(again.document)]).toEqual([1, []])
  expect(readFileSync(join(box.workspace, `memory/${dayAgo(0)}.md`), 'utf8')).toBe(today)
  expect(proposalsOf(box.json(['retain', '--propose', '--since', '2m']).document).map(({ content }) => content)).toEqual([
    'joined the choir of the town',
  ])
})

test.each([
  [['retain', '--propose', 'W @Mara: x']],
  [['retain', '--propose', '--kind', 'world']],
  [['retain', '--propose', '--since', 'soon']],
  [['retain', '--write', 'W @Mara: x']],
  [['retain']],
])('%j is refused', (argv) => {
  expect(sandbox().json(argv).code).toBe(2)
})

test('a chat model offers more, as a model; a bad answer is named and changes nothing', async () => {
  await using server = await startChatServer(chatCompletionsWire())
  const box = sandbox()
  box.configure(
    JSON.stringify({ models: { generate: { provider: 'openai-compatible', model: 'chat-1', baseUrl: server.baseUrl } } }),
  )
  const fact = { line: 'l2', kind: 'opinion', entities: ['Nils'], statement: 'no coffee, never', quote: 'never drinks coffee' }
  server.behave({ answer: (_, usual) => ({ ...usual, text: JSON.stringify({ facts: [fact] }) }) })
  const { document } = await jsonBeside(box, ['retain', '--propose', '--write'])
  expect(proposalsOf(document).map(({ why }) => why)).toEqual(['preference', 'preference', 'state', 'model'])
  expect(server.requests.map(({ text }) => text).join()).not.toContain('sk-proj-abcdefgh')
  expect(server.requests.map(({ text }) => text).join()).toContain('The door code is kept in')
  const path = join(box.workspace, `memory/${dayAgo(0)}.md`)
  const today = readFileSync(path, 'utf8')
  expect(today).toContain(`- O @Nils: no coffee, never (on: ${YESTERDAY}) (see ${PATH}#L4-L4) (by: model)\n`)
  server.behave({ answer: (_, usual) => ({ ...usual, text: JSON.stringify({ facts: [{ ...fact, line: 'l999' }] }) }) })
  const bad = await jsonBeside(box, ['retain', '--propose', '--write'])
  expect(bad.document['degraded']).toMatchObject([{ code: 'source-failed', message: expect.stringContaining('was not shown') }])
  expect(readFileSync(path, 'utf8')).toBe(today)
})
