import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const NOTES = { 'MEMORY.md': '# Memory\n\n- Tea at five.\n', 'memory/a.md': '# A\n\nalpha\n', 'memory/b.md': '# B\n\nbeta\n' }
const EDIT = ['edit', 'MEMORY.md', '--replace', 'Tea at five', '--with', 'Tea at six']

const files = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** With a kept version, a note in the trash and a forgotten one. */
function used(): Sandbox {
  const box = new Sandbox(NOTES)
  box.run(EDIT)
  box.run(['forget', 'memory/a.md'])
  box.run(['forget', 'memory/b.md', '--delete'])
  return box
}

test('originals lie in the state of the user, for its owner alone: .mnemark can be deleted at any time', () => {
  const box = used()
  const state = box.state()
  expect(
    files(join(box.workspace, '.mnemark'))
      .map((file) => file.replace(/.*\.mnemark./, ''))
      .sort(),
  ).toEqual(['.gitignore', 'id', 'main.sqlite'])
  rmSync(join(box.workspace, '.mnemark'), { recursive: true })
  expect(box.json(['search', 'alpha']).document['hits']).toEqual([])
  expect(box.json(['forget', 'memory/a.md', '--undo'])).toMatchObject({ document: { wasForgotten: true } })
  expect(box.json(['search', 'alpha']).document['hits']).toHaveLength(1)
  expect(files(join(state, 'history')).map((file) => readFileSync(file, 'utf8'))).toEqual(['# Memory\n\n- Tea at five.\n'])
  expect(files(join(state, 'trash')).map((file) => readFileSync(file, 'utf8'))).toEqual(['# B\n\nbeta\n'])
  for (const file of files(state)) expect([file, statSync(file).mode & 0o077]).toEqual([file, file.endsWith('b.md') ? 0o044 : 0])
  expect(statSync(state).mode & 0o777).toBe(0o700)
})

test('what an earlier version kept in the workspace is moved, whatever is there already', () => {
  const box = new Sandbox({
    ...NOTES,
    '.mnemark/history/MEMORY.md/2026-01-01T00-00-00.000Z.md': 'old\n',
    '.mnemark/trash/2026-01-02/memory/c.md': 'gamma\n',
    '.mnemark/main.sqlite.forgotten.json': '["memory/a.md"]',
  })
  expect(box.run(['status']).code).toBe(0)
  expect(box.json(['search', 'alpha']).document['hits']).toEqual([])
  const state = box.state()
  expect(
    files(state)
      .map((file) => file.slice(state.length + 1))
      .sort(),
  ).toEqual([
    'history/MEMORY.md/2026-01-01T00-00-00.000Z.md',
    'main.forgotten.json',
    'trash/2026-01-02/memory/c.md',
    'workspace.json',
  ])
  box.write('.mnemark/main.sqlite.forgotten.json', '["memory/b.md"]')
  box.write('.mnemark/trash/2026-01-02/memory/c.md', 'other gamma\n')
  expect(box.json(['search', 'beta']).document['hits']).toEqual([])
  expect(JSON.parse(readFileSync(join(state, 'main.forgotten.json'), 'utf8'))).toEqual(['memory/a.md', 'memory/b.md'])
  expect(files(join(state, 'trash'))).toHaveLength(2)
})

test('a link in place of .mnemark, or in it, moves nothing of what it leads to', () => {
  const box = new Sandbox({ 'a.md': 'alpha\n' })
  const outside = join(box.root, 'outside')
  mkdirSync(join(outside, 'history'), { recursive: true })
  writeFileSync(join(outside, 'history', 'precious'), 'x')
  mkdirSync(join(box.workspace, '.mnemark'))
  symlinkSync(join(outside, 'history'), join(box.workspace, '.mnemark', 'trash'))
  box.run(['index'])
  rmSync(join(box.workspace, '.mnemark'), { recursive: true })
  symlinkSync(outside, join(box.workspace, '.mnemark'))
  box.run(['index'])
  expect(existsSync(join(outside, 'history', 'precious'))).toBe(true)
})

test('a copy of a workspace, and a folder with the mark of another, read nothing of its state', () => {
  const box = used()
  const copy = join(box.root, 'copy')
  cpSync(box.workspace, copy, { recursive: true })
  const find = (): unknown => box.json(['search', 'alpha', '--workspace', copy], { cwd: box.root }).document['hits']
  expect(find()).toHaveLength(1)
  rmSync(box.workspace, { recursive: true })
  expect(find()).toHaveLength(1)
})

test('after a move the state is taken over when somebody says so', () => {
  const box = used()
  const place = join(box.root, 'elsewhere')
  expect(box.run(['adopt', box.workspace, '--workspace', box.workspace])).toMatchObject({ code: 2 })
  renameSync(box.workspace, place)
  mkdirSync(join(box.root, 'cwd'))
  const options = { cwd: join(box.root, 'cwd') }
  expect(box.run(['adopt', '/nowhere', '--workspace', place], options)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(box.workspace),
  })
  expect(box.json(['adopt', box.workspace, '--workspace', place], options)).toMatchObject({ code: 0 })
  expect(box.json(['search', 'alpha', '--workspace', place], options).document['hits']).toEqual([])
})

test('forgetting reaches kept versions and the trash', () => {
  const box = new Sandbox(NOTES)
  box.run(['edit', 'memory/a.md', '--replace', 'alpha', '--with', 'omega'])
  box.run(['forget', 'memory/a.md', '--delete'])
  box.write('memory/a.md', '# A\n\nagain\n')
  expect(box.json(['forget', 'memory/a.md'])).toMatchObject({ document: { removed: { copies: 1 } } })
  expect(files(box.state()).filter((file) => file.includes('a.md'))).toEqual([])
})

test('a backup is put back beside what is there, and a note forgotten since stays forgotten', () => {
  const box = used()
  const file = join(box.root, 'state.tar.gz')
  expect(box.json(['backup', file])).toMatchObject({ code: 0, document: { versions: 1, trash: 1, forgotten: 1 } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(box.run(['backup', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('not overwritten') })
  const state = box.state()
  const before = files(state)
  expect(box.json(['restore', file])).toMatchObject({ code: 0 })
  expect(files(state)).toEqual(before)
  box.run(['forget', 'MEMORY.md'])
  rmSync(join(state, 'trash'), { recursive: true })
  expect(box.run(['restore', file]).code).toBe(0)
  expect(files(join(state, 'trash'))).toHaveLength(1)
  expect(files(state).filter((name) => name.includes('MEMORY.md'))).toEqual([])

  const other = new Sandbox(NOTES)
  expect(other.run(['restore', file]).code).toBe(0)
  expect(other.json(['search', 'alpha']).document['hits']).toEqual([])
})

test.each([
  ['an absent file', () => undefined, /no such file/],
  ['rubbish', () => Buffer.from('not an archive'), /no archive/],
  ['an archive cut short', (archive: Buffer) => archive.subarray(0, archive.length / 2), /cannot be restored/],
  ['a changed byte', (archive: Buffer) => changed(archive), /checksum|no archive/],
])('%s is refused and changes nothing', (_name, make, reason) => {
  const box = used()
  const file = join(box.root, 'state.tar.gz')
  box.run(['backup', file])
  const archive = readFileSync(file)
  const bytes = make(archive)
  rmSync(file)
  if (bytes !== undefined) writeFileSync(file, bytes)
  const before = files(box.state())
  expect(box.run(['restore', file])).toMatchObject({ code: 4, stderr: expect.stringMatching(reason) })
  expect(files(box.state())).toEqual(before)
})

function changed(archive: Buffer): Buffer {
  const tar = gunzipSync(archive)
  const at = tar.indexOf('Tea at five')
  tar.write('Tea at nine', at)
  return gzipSync(tar)
}

test('state of a newer version is left alone, and the version it needs is named', () => {
  const box = used()
  const file = join(box.state(), 'workspace.json')
  const record = readFileSync(file, 'utf8')
    .replace('"format": 1', '"format": 2')
    .replace(/"writtenBy": "[^"]*"/, '"writtenBy": "9.1.0"')
  writeFileSync(file, record)
  expect(box.run(EDIT)).toMatchObject({ code: 4, stderr: expect.stringMatching(/Mnemark 9\.1\.0.*\n.*9\.1\.0 or newer/) })
  expect(box.run(['search', 'tea']).code).toBe(4)
  expect(readFileSync(file, 'utf8')).toBe(record)
})
