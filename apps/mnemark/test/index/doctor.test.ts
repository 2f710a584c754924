import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

test('doubtful dates, names that differ only in case, and names too long to copy are named with their fix', () => {
  const days = ['2026-01-05', '2026-01-09', '2026-01-12', '2026-02-02', '2026-02-10']
  const files = Object.fromEntries(days.map((day) => [`memory/${day}.md`, `notes of the day ${day}\n`]))
  const box = new Sandbox({
    ...files,
    'memory/2025-01-11.md': 'new year resolutions\n',
    'memory/2025-03-03.md': '# 2026-03-03\n',
  })
  box.write('memory/Router.md', 'alpha\n')
  box.write('memory/router.md', 'beta\n')
  box.write(`memory/${'한'.repeat(40)}.md`, 'gamma\n')
  const { code, stdout } = box.run(['doctor'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/memory\/2025-01-11\.md: probably the wrong year, .*2026-01-11\n.*Rename it to memory\/2026-01-11\.md/)
  expect(stdout).toMatch(/memory\/2025-03-03\.md: the first heading says 2026-03-03; the name stands/)
  expect(stdout).toMatch(/memory\/Router\.md and memory\/router\.md/)
  expect(stdout).toMatch(/names over 255 bytes when copied.*한/)
})

test('P41: notes whose date may be either of two days are named with both and with the setting that decides', () => {
  const files = {
    'MEMORY.md': 'facts\n',
    'memory/03-04-2026.md': 'alpha\n',
    'memory/plan.md': '---\ndate: 05/06/2026\n---\nbeta\n',
    'memory/log.md': '# ٠٧/٠٨/٢٠٢٦\n\ngamma\n',
    // Dated otherwise, or beyond doubt.
    'memory/sure.md': '---\ndate: 2026-01-02\n---\n# 03/04/2026\n',
    'memory/03.04.2026.md': 'delta\n',
    'memory/proven/25-12-2026.md': 'x\n',
    'memory/proven/03-04-2026.md': 'x\n',
  }
  const { stdout } = new Sandbox(files).run(['doctor'])
  const open = [
    'memory/03-04-2026.md (2026-04-03 or 2026-03-04)',
    'memory/log.md (2026-08-07 or 2026-07-08)',
    'memory/plan.md (2026-06-05 or 2026-05-06)',
  ]
  expect(stdout).toContain(`without a day, because the date may be either of two: ${open.join(', ')}\n`)
  expect(stdout).toContain('Set agents.defaults.dateOrder to "dmy"')
  const decided = new Sandbox({ ...files, 'mnemark.json5': "{ agents: { defaults: { dateOrder: 'dmy' } } }" })
  expect(decided.run(['doctor']).stdout).not.toContain('either of two')
})

test('notes that hold passwords or keys are named with their number, and nothing of these is shown', () => {
  const box = new Sandbox({
    'plain.md': 'the password is on the sticker\n',
    'router.md': '# Router\n\npassword: tr0ub4dor&3\n\n| user | كلمة المرور |\n| --- | --- |\n| ann | شمس12345 |\n',
    'bot.md': 'token 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0\n',
  })
  const { code, stdout, stderr } = box.run(['doctor'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/warning {2}secrets: what looks like passwords or keys in 2 notes: router\.md \(2\), bot\.md \(1\)\n/)
  expect(stdout + stderr).not.toMatch(/tr0ub4dor|شمس12345|AAHdq/)
  expect(new Sandbox({ 'a.md': 'alpha\n' }).run(['doctor']).stdout).not.toContain('secrets')
})

test('keys are present or missing, and never shown', () => {
  const box = new Sandbox({
    'a.md': 'alpha\n',
    'mnemark.json5': '{ agents: { defaults: { memorySearch: { provider: "voyage" } } } }',
  })
  const run = box.run(['doctor'], { env: { OPENAI_API_KEY: 'sk-secret-value-0123456789' } })
  expect(run.stdout).toMatch(/warning {2}keys: present for openai \(OPENAI_API_KEY\); none for voyage/)
  expect(run.stdout + run.stderr).not.toContain('secret-value')
})

test('a file that only store.path calls an index is never touched', () => {
  const box = new Sandbox({ 'a.md': 'alpha\n', 'diary.md': '# Diary\n\nprecious\n' })
  box.configure('{ agents: { defaults: { memorySearch: { store: { path: "diary.md" } } } } }')
  expect(box.json(['search', 'alpha'])).toMatchObject({ code: 4, document: { error: { code: 'not-an-index' } } })
  expect(box.run(['doctor', '--fix']).code).toBe(4)
  expect(readFileSync(join(box.workspace, 'diary.md'), 'utf8')).toBe('# Diary\n\nprecious\n')
})

test('an index of a newer version is left alone and says what to do', () => {
  const box = new Sandbox({ 'a.md': 'alpha\n' })
  box.run(['index'])
  const file = join(box.workspace, '.mnemark/main.sqlite')
  const bytes = readFileSync(file)
  // The schema version of SQLite's header.
  bytes.writeUInt32BE(99, 60)
  writeFileSync(file, bytes)
  expect(box.json(['search', 'alpha'])).toMatchObject({
    code: 4,
    document: { error: { code: 'schema-too-new', next: expect.stringContaining('Update') } },
  })
  expect(box.run(['doctor', '--fix'])).toMatchObject({ code: 1, stdout: expect.stringContaining('format 99') })
  expect(readFileSync(file).readUInt32BE(60)).toBe(99)
})

// By name, since they belong to the system and not to a package.
const [MOUNT, UNMOUNT] = ['mount', 'umount']

function mountSmallDisk(folder: string): boolean {
  return process.geteuid?.() === 0 && spawnSync(MOUNT, ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', folder]).status === 0
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-mount-'))
  const isMounted = mountSmallDisk(folder)
  if (isMounted) spawnSync(UNMOUNT, [folder])
  rmSync(folder, { recursive: true, force: true })
  return isMounted
}

test.runIf(canMount())('a full disk is said, and what was indexed before still answers', () => {
  const box = new Sandbox({ 'a.md': 'alpha\n' })
  const state = join(box.root, 'small')
  mkdirSync(state)
  expect(mountSmallDisk(state)).toBe(true)
  onTestFinished(() => {
    spawnSync(UNMOUNT, [state])
  })
  expect(box.run(['index', '--state', state]).code).toBe(0)
  for (let number = 0; number < 60; number++) box.write(`big-${number}.md`, `${'lorem ipsum dolor '.repeat(900)} ${number}\n`)
  expect(box.json(['index', '--state', state])).toMatchObject({ code: 3, document: { error: { code: 'full' } } })
  const { code, document } = box.json(['search', 'alpha', '--state', state])
  expect([code, document.hits?.['0']?.path, document.stale]).toEqual([0, 'a.md', true])
  expect(JSON.stringify(document.degraded)).toContain('disk is full')
})

test('two pages with one name, and a stub that leads nowhere, are named; without them nothing is said', () => {
  const box = new Sandbox({
    'bank/entities/Mara.md': '---\naliases: [مارا]\n---\n# Mara\n',
    'bank/entities/Maren.md': '---\naliases: [مارا]\n---\n# Maren\n',
    'bank/entities/Nils.md': '---\nredirect: Nobody\n---\n',
  })
  box.run(['index'])
  const entities = (): unknown =>
    (box.json(['doctor']).document['checks'] as unknown as { readonly name: string }[]).filter(({ name }) => name === 'entities')
  expect(entities()).toEqual([
    {
      name: 'entities',
      status: 'warning',
      message: 'bank/entities/Maren.md and bank/entities/Mara.md have one name, and the latter counts',
      next: expect.stringContaining('redirect: NAME'),
    },
    {
      name: 'entities',
      status: 'warning',
      message: 'bank/entities/Nils.md leads to a name that has no page',
      next: expect.any(String),
    },
  ])
  box.write('bank/entities/Maren.md', '---\nredirect: Mara\n---\n# Maren\n')
  box.write('bank/entities/Nils.md', '# Nils\n')
  box.run(['index'])
  expect(entities()).toEqual([])
})
