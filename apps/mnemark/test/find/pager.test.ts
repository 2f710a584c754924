import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { TypedTerminal, runInTerminal } from '../harness/typed-terminal.ts'

const LONG = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n')

/** A workspace with a long note, and a pager that says that it was asked. */
function longNote(): { readonly box: Sandbox; readonly pager: string } {
  const box = new Sandbox({ 'MEMORY.md': `${LONG}\n`, 'memory/short.md': 'vlan ten\n' })
  const pager = join(box.root, 'my pager')
  writeFileSync(pager, '#!/bin/sh\necho "paged $1 with $LESS"\nexec cat\n', { mode: 0o755 })
  return { box, pager }
}

test('P64: what is longer than the screen goes through PAGER, with its options, and all of it arrives', async () => {
  const { box, pager } = longNote()
  const { code, output } = await runInTerminal(box, ['get', 'MEMORY.md'], { env: { PAGER: `"${pager}" -x` } })
  expect(code).toBe(0)
  expect(output).toMatch(/^paged -x with FRX\r\nline 1\r\n[^]*line 100\r\n/)
  const found = await runInTerminal(box, ['search', 'line', 'vlan', '-k', '9'], { env: { PAGER: `'${pager}'` }, rows: 5 })
  expect(found.output).toMatch(/^[^]*paged {2}with FRX\r\n[^]*MEMORY\.md:\d/)
})

test('no pager for what fits, with --no-pager, --json, a blank PAGER, a dumb terminal, or on a pipe', async () => {
  const { box, pager } = longNote()
  const env = { PAGER: pager.replaceAll(' ', '\\ ') }
  const outputs = [
    await runInTerminal(box, ['get', 'memory/short.md'], { env }),
    await runInTerminal(box, ['get', 'MEMORY.md'], { env, rows: 200 }),
    await runInTerminal(box, ['get', 'MEMORY.md', '--no-pager'], { env }),
    await runInTerminal(box, ['get', 'MEMORY.md', '--json'], { env }),
    await runInTerminal(box, ['get', 'MEMORY.md'], { env: { PAGER: '' } }),
    await runInTerminal(box, ['get', 'MEMORY.md'], { env: { ...env, TERM: 'dumb' } }),
  ]
  for (const { code, output } of outputs) expect([code, output]).toEqual([0, expect.not.stringContaining('paged')])
  expect(box.run(['get', 'MEMORY.md'], { env }).stdout).toBe(`${LONG}\n`)
  const gone = await runInTerminal(box, ['get', 'MEMORY.md'], { env: { PAGER: 'no-such-pager' } })
  expect(gone).toMatchObject({ code: 0, output: expect.stringContaining('line 100') })
  expect(gone.output).toContain('PAGER names "no-such-pager", which cannot be started')
})

test('leaving less early, also by Ctrl+C first, ends well, and what is to be said comes after it', async () => {
  const { box } = longNote()
  const long = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`).join('\n')
  box.write('MEMORY.md', long)
  const terminal = new TypedTerminal(box, ['get', 'MEMORY.md'])
  await terminal.until('line 20')
  terminal.type('\u0003')
  expect(await terminal.press('q')).toBe(0)
  expect(terminal.output).toContain('more with --from 121')
  expect(terminal.output).not.toContain('line 120\r\n')
})
