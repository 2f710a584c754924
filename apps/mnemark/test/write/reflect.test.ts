import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatCompletionsWire, startChatServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { jsonBeside } from '../harness/run-beside.ts'

interface Reflected {
  readonly changes: readonly { readonly path: string; readonly diff: string }[]
  readonly opinions: readonly {
    readonly statement: string
    readonly confidence: number
    readonly groups: object
    readonly state: string
  }[]
  readonly proposals: readonly { readonly path: string; readonly diff: string; readonly why: string }[]
  readonly edited: readonly string[]
  readonly adopted: readonly { readonly path: string; readonly facts: readonly string[]; readonly deleted: number }[]
}

const MARA = 'bank/entities/Mara.md'
const MEMORY = '# Memory\n\n- Metric units\n'

function sandbox(): Sandbox {
  return new Sandbox({
    'MEMORY.md': MEMORY,
    'bank/slots.md': '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n',
    'memory/2024-05-01.md': '## Retain\n- W @Mara: lives in Oslo\n- O(c=0.80) @Mara: prefers mail\n',
    'memory/2026-02-01.md': '## Retain\n- W @Mara: moved to Bergen\n- B @Mara: bought a boat\n',
    'memory/2026-02-10.md': '## Retain\n- O @Mara: prefers mail\n',
  })
}

function reflect(box: Sandbox, ...argv: readonly string[]): { readonly code: number | null; readonly document: Reflected } {
  const { code, document } = box.json(['reflect', ...argv])
  return { code, document: document as unknown as Reflected }
}

const read = (box: Sandbox, path: string): string => readFileSync(join(box.workspace, path), 'utf8')

test('shows first, writes with --apply, and has nothing to do after that', () => {
  const box = sandbox()
  const dry = reflect(box)
  expect(dry.document.changes.map(({ path }) => path)).toEqual([MARA, 'bank/opinions.md'])
  expect([existsSync(join(box.workspace, MARA)), existsSync(join(box.workspace, 'bank/journal'))]).toEqual([false, false])
  expect(dry.document.opinions).toMatchObject([{ statement: 'prefers mail', groups: { for: 1, against: 0 }, state: 'open' }])
  // .80 and one independent support: see docs/opinions.md.
  expect(dry.document.opinions[0]?.confidence.toFixed(4)).toBe('0.8571')

  expect(reflect(box, '--apply').document.changes).toEqual(dry.document.changes)
  expect(read(box, 'bank/opinions.md')).toContain('- O(c=0.86) @Mara: prefers mail (stated: 0.80 on 2024-05-01)')
  expect(read(box, MARA)).toContain('- moved to Bergen (since: 2026-02-01)')
  expect(reflect(box, '--apply').document.changes).toEqual([])
  expect(read(box, 'MEMORY.md')).toBe(MEMORY)
  expect(box.run(['reflect']).stderr).toContain('the pages say what is known')
})

test('MEMORY.md is proposed as one diff with reasons, and never written', () => {
  const box = sandbox()
  const { proposals } = reflect(box, '--apply').document
  expect(proposals).toMatchObject([
    { path: 'MEMORY.md', diff: expect.stringContaining('moved to Bergen'), why: expect.stringContaining('2026-02-01') },
  ])
  expect(read(box, 'MEMORY.md')).toBe(MEMORY)
})

test('what a person edits inside a block is left alone and named, and adopted where that is asked for', () => {
  const box = sandbox()
  reflect(box, '--apply')
  const edited = read(box, MARA)
    .replace('bought a boat', 'sold a boat')
    .split('\n')
    .filter((line) => !line.includes('lives in Oslo'))
    .join('\n')
  writeFileSync(join(box.workspace, MARA), edited)
  const seen = reflect(box, '--apply')
  expect([seen.code, seen.document.edited, read(box, MARA)]).toEqual([1, [MARA], edited])

  const adopted = reflect(box, '--adopt', '--apply')
  expect(adopted.document.adopted).toMatchObject([{ path: MARA, facts: ['sold a boat'], deleted: 1 }])
  expect(adopted.document.edited).toEqual([])
  const page = read(box, MARA)
  expect(page).toContain('sold a boat')
  expect(page).not.toContain('lives in Oslo')
  // The log stays as it was, and the deleted bullet away.
  expect(read(box, 'memory/2024-05-01.md')).toContain('lives in Oslo')
  expect(reflect(box, '--apply').document.changes).toEqual([])
  const { facts } = box.json(['recall', 'what did Mara do with the boat']).document as unknown as {
    readonly facts: readonly { readonly content: string; readonly source: string }[]
  }
  expect(facts[0]).toMatchObject({ content: 'sold a boat' })
  // A page says again what facts say: it is no source beside them.
  expect(facts.filter(({ source }) => source.startsWith('bank/entities/'))).toEqual([])
})

test('a number that a person types counts, and its day is noted once', () => {
  const box = sandbox()
  reflect(box, '--apply')
  writeFileSync(join(box.workspace, 'bank/opinions.md'), read(box, 'bank/opinions.md').replace('(c=0.86)', '(c=0.30)'))
  for (const _ of [1, 2, 3])
    expect(reflect(box, '--apply').document.opinions).toMatchObject([{ confidence: 0.3, anchor: { isTyped: true } }])
  const [name = ''] = readdirSync(join(box.workspace, 'bank/journal'))
  const lines = read(box, `bank/journal/${name}`).split('\n')
  expect(lines.filter((line) => line.includes('"op":"anchor"'))).toHaveLength(1)
  // Without the journal the number stands all the same.
  rmSync(join(box.workspace, 'bank/journal'), { recursive: true })
  expect(reflect(box, '--apply').document.opinions).toMatchObject([{ confidence: 0.3 }])
})

test('a chat model judges what no rule decides; its verdicts are kept, and a bad answer changes nothing', async () => {
  await using server = await startChatServer(chatCompletionsWire())
  const box = sandbox()
  box.write('memory/2026-02-12.md', '## Retain\n- W @Mara: asked for mail instead of a call\n')
  expect(box.json(['reflect', '--judge', '--apply']).code).toBe(2)
  box.configure(
    JSON.stringify({ models: { generate: { provider: 'openai-compatible', model: 'chat-1', baseUrl: server.baseUrl } } }),
  )
  const verdict = { pair: 'p1', verdict: 'supports', strength: 1, quote: 'asked for mail' }
  const run = async (verdicts: readonly object[]): Promise<Reflected & { readonly degraded?: unknown }> => {
    server.behave({ answer: (_, usual) => ({ ...usual, text: JSON.stringify({ verdicts }) }) })
    const { document } = await jsonBeside(box, ['reflect', '--judge', '--apply'])
    return document as unknown as Reflected
  }
  const bad = await run([{ ...verdict, pair: 'p9' }])
  expect(bad.degraded).toMatchObject([{ code: 'source-failed', message: expect.stringContaining('not shown') }])
  expect(bad.opinions).toMatchObject([{ groups: { for: 1, against: 0 } }])
  expect((await run([verdict])).opinions).toMatchObject([{ groups: { for: 2, against: 0 } }])
  const asked = server.calls.length
  // Kept in the journal: no model is asked again, by whatever run.
  expect(reflect(box, '--apply').document).toMatchObject({
    changes: [],
    opinions: [{ groups: { for: 2, against: 0 } }],
    undecided: [],
  })
  expect(server.calls).toHaveLength(asked)
})

test('--since plans pages of those alone whom later facts name; --entity asks for a page', () => {
  const box = sandbox()
  box.write('memory/2026-02-11.md', '## Retain\n- W @Nils: plays chess\n')
  const pagesOf = (...argv: readonly string[]): readonly string[] =>
    reflect(box, ...argv).document.changes.flatMap(({ path }) => (path.startsWith('bank/entities/') ? [path] : []))
  expect(pagesOf('--since', '2026-02-11')).toEqual([])
  expect(pagesOf('--since', '2026-02-10')).toEqual([MARA])
  expect(pagesOf('--entity', 'Nils')).toEqual([MARA, 'bank/entities/Nils.md'])
  expect(reflect(box, '--since', 'soon').code).toBe(2)
})

test('text around the block stays byte for byte; a page may ask to be left alone', () => {
  const box = sandbox()
  const own = '---\r\naliases: [مارا]\r\n---\r\n\r\n# Mara\r\n\r\nMet at the choir.\r\n'
  box.write(MARA, own)
  reflect(box, '--apply')
  expect(read(box, MARA).startsWith(own)).toBe(true)
  box.write(MARA, own.replace('aliases', 'managed: false\r\naliases'))
  reflect(box, '--apply')
  expect(read(box, MARA)).toBe(own.replace('aliases', 'managed: false\r\naliases'))
})

test.each([[['--adopt']], [['--apply', '--dry-run']], [['somebody']]])('reflect %j is refused', (argv) => {
  expect(sandbox().json(['reflect', ...argv]).code).toBe(2)
})
