import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayInZone } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { runBeside } from '../harness/run-beside.ts'

const OSLO = '## Retain\n- W @Mara: lives in Oslo\n'
const BERGEN = '## Retain\n- W @Mara: moved to Bergen\n'

function sandbox(): Sandbox {
  return new Sandbox({ 'memory/2026-03-01.md': BERGEN })
}

const folderOf = (box: Sandbox): string => join(box.workspace, 'bank/journal')

/** The text of the one file there is. */
function journalOf(box: Sandbox): string {
  const [name = '', ...others] = readdirSync(folderOf(box))
  expect(others).toEqual([])
  return readFileSync(join(folderOf(box), name), 'utf8')
}

const linesOf = (box: Sandbox): readonly { readonly op: string; readonly facts: readonly string[] }[] =>
  journalOf(box)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ op, fact, facts = [fact] }) => ({ op, facts }))

const contents = (box: Sandbox, ...argv: readonly string[]): readonly string[] =>
  (
    box.json(['recall', 'where does Mara live', ...argv]).document as unknown as { facts: readonly { content: string }[] }
  ).facts.map(({ content }) => content)

test('index records what was there, then what came; --known-on tells them apart, --as-of does not', () => {
  const box = sandbox()
  expect(box.json(['index']).code).toBe(0)
  expect(linesOf(box)).toMatchObject([{ op: 'start' }])
  // An old note that comes late: true since 2024, known since today.
  box.write('memory/2024-05-01.md', OSLO)
  box.json(['index'])
  expect(linesOf(box).map(({ op, facts }) => [op, facts.length])).toEqual([
    ['start', 1],
    ['seen', 1],
  ])
  expect(journalOf(box)).not.toMatch(/Oslo|Bergen|Mara/u)
  expect(contents(box, '--as-of', '2025-12-01')).toEqual(['lives in Oslo'])
  expect(contents(box, '--as-of', '2025-12-01', '--known-on', '2026-03-05')).toEqual([])
  expect(contents(box, '--known-on', '2026-03-05')).toEqual(['moved to Bergen'])
  expect(contents(box, '--known-on', dayInZone(Date.now(), 'UTC'))).toContain('lives in Oslo')
  expect(box.json(['index']).code).toBe(0)
  expect(linesOf(box)).toHaveLength(2)
})

test('nothing is written without facts, by a search, by a dry run, or beside a link out of the workspace', () => {
  const plain = new Sandbox({ 'memory/2026-03-01.md': 'Rain.\n' })
  plain.json(['index'])
  expect(existsSync(join(plain.workspace, 'bank'))).toBe(false)
  const box = sandbox()
  box.json(['index', '--dry-run'])
  box.json(['search', 'Bergen'])
  expect(existsSync(join(box.workspace, 'bank'))).toBe(false)
  const away = join(box.root, 'away')
  mkdirSync(away)
  mkdirSync(join(box.workspace, 'bank'))
  symlinkSync(away, folderOf(box))
  const { code, document } = box.json(['index'])
  expect([code, document['degraded']]).toMatchObject([0, [{ code: 'source-failed' }]])
  expect(readdirSync(away)).toEqual([])
})

test('without a record every fact counts as always known, and the reply says so', () => {
  const box = sandbox()
  const { document } = box.json(['recall', 'where does Mara live', '--known-on', '2020-01-01'])
  expect(document['facts']).toHaveLength(1)
  expect(JSON.stringify(document['degraded'])).toContain('Nothing records when facts became known')
})

test('a torn line spoils no other one, is named by doctor, and the journal is no note', () => {
  const box = sandbox()
  box.json(['index'])
  const [name = ''] = readdirSync(folderOf(box))
  writeFileSync(join(folderOf(box), name), `${journalOf(box)}{"v":1,"n":2,"at":"2026-`)
  box.write('memory/2024-05-01.md', OSLO)
  expect(box.json(['index']).document['documents']).toMatchObject({ total: 2 })
  expect(
    journalOf(box)
      .split('\n')
      .filter((line) => line.includes('"op":"seen"')),
  ).toHaveLength(1)
  const checks = box.json(['doctor']).document['checks'] as unknown as readonly {
    readonly name: string
    readonly message: string
  }[]
  expect(checks.map(({ message }) => message).join()).toContain(`bank/journal/${name}:2`)
  expect(contents(box, '--known-on', '2026-03-05')).toEqual(['moved to Bergen'])
})

test('two processes at once record each fact', async () => {
  const box = sandbox()
  await Promise.all([runBeside(box, ['index']), runBeside(box, ['index'])])
  expect(new Set(linesOf(box).flatMap(({ facts }) => facts)).size).toBe(1)
})
