import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect, wordsOf } from '../harness/mcp-clients.ts'

const MANY = 2_001

function large(more: Readonly<Record<string, string>> = {}): Sandbox {
  const notes = Array.from({ length: MANY }, (_, index) => [`area ${index % 20}/note ${index}.md`, `lamp ${index}`] as const)
  return new Sandbox({ ...Object.fromEntries(notes), ...more })
}

const indexOf = (box: Sandbox): string => join(box.workspace, '.mnemark/main.sqlite')

describe('P47: a first index', () => {
  test('names the folder and what is in it, once', () => {
    const box = new Sandbox({ 'a.md': 'the lamp', 'b.md': 'the door' })
    expect(box.run(['search', 'lamp']).stderr).toContain(`first index of ${box.workspace}: 2 notes, 0.0 MB`)
    expect(box.run(['search', 'lamp']).stderr).not.toContain('first index')
  })

  test('of a large folder is made without a terminal, and said to be large', () => {
    const box = large()
    const { code, stderr } = box.run(['search', 'lamp'])
    expect(code).toBe(0)
    expect(stderr).toContain(`${MANY} notes`)
    expect(stderr).toContain('large folder')
    expect(box.run(['search', 'door']).stderr).not.toContain('large folder')
  })

  test.each([
    ['search', ['search', 'lamp']],
    ['index', ['index']],
    ['watch', ['watch']],
    ['export', ['export']],
  ])('of the home folder takes --yes: %s', (_, argv) => {
    const box = new Sandbox({ 'a.md': 'the lamp' })
    const home = { HOME: box.workspace }
    const refused = box.json(argv, { env: home })
    expect(refused).toMatchObject({
      code: 2,
      document: { error: { code: 'home-folder', next: expect.stringContaining('--yes') } },
    })
    expect(existsSync(indexOf(box))).toBe(false)
    const above = box.json(argv, { env: { HOME: join(box.workspace, 'me') } })
    expect(above.document).toMatchObject({ error: { code: 'home-folder' } })
  })

  test('of the home folder is made with --yes, through a link too, and later searches ask nothing', () => {
    const box = new Sandbox({ 'a.md': 'the lamp' })
    symlinkSync(box.workspace, join(box.root, 'link'))
    const env = { HOME: box.workspace }
    expect(box.run(['search', 'lamp', '--workspace', join(box.root, 'link')], { env }).code).toBe(2)
    expect(box.run(['index', '--yes', '--workspace', join(box.root, 'link')], { env }).code).toBe(0)
    expect(box.run(['search', 'lamp'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(box.run(['search', 'lamp', '--workspace', '/', '--state', join(box.root, 'state')]).code).toBe(2)
  })

  test('is not made by an MCP server in a large folder or at home, which says what would', async () => {
    const box = large()
    const client = await connect('stdio', box)
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'lamp' } })
    expect(found).toMatchObject({
      _meta: { 'mnemark/data': { mode: 'unavailable', hits: [], degraded: [{ code: 'consent-needed' }] } },
    })
    expect(wordsOf(found)).toContain('sync.indexLargeFolder: true')
    expect(existsSync(indexOf(box))).toBe(false)
    const read = await client.callTool({ name: 'memory_get', arguments: { path: 'area 0/note 0.md' } })
    expect(wordsOf(read)).toContain('> lamp 0')
  })

  test('is made by an MCP server where the setting says so, or where an index is there', async () => {
    const config = '{ agents: { defaults: { memorySearch: { provider: "none", sync: { indexLargeFolder: true } } } } }'
    const client = await connect('stdio', large({ 'mnemark.json5': config }))
    expect(await client.callTool({ name: 'memory_search', arguments: { query: 'lamp' } })).toMatchObject({
      _meta: { 'mnemark/data': { mode: 'keywords', hits: expect.arrayContaining([expect.anything()]) } },
    })
  })
})

describe('P46: what a layout leaves out', () => {
  const box = (): Sandbox =>
    new Sandbox({
      'MEMORY.md': 'the lamp',
      'AGENTS.md': 'rules',
      'Home.md': 'the door',
      'Projects/a.md': 'a door',
      'Projects/b.md': 'another door',
    })

  test('is counted by the first search, index and status, with the setting that includes it', () => {
    const notes = box()
    const said = /3 other notes of this folder are not searched \(Home\.md, Projects\/\).*extraPaths: \["\."\]/
    expect(notes.run(['search', 'lamp']).stderr).toMatch(said)
    expect(notes.run(['search', 'lamp']).stderr).not.toMatch(said)
    expect(notes.run(['index']).stderr).toMatch(said)
    expect(notes.run(['status']).stdout).toMatch(said)
    expect(notes.json(['status']).document.workspace).toMatchObject({
      outsideLayout: { notes: 3, places: ['Home.md', 'Projects/'], setting: expect.stringContaining('extraPaths') },
    })
    expect(notes.json(['index']).document.degraded).toMatchObject([{ code: 'files-skipped' }])
  })

  test('is in the first answer of every surface', async () => {
    expect(box().json(['search', 'lamp']).document.degraded).toMatchObject([{ code: 'files-skipped' }])
    const notes = box()
    const client = await connect('stdio', notes)
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'lamp' } })
    expect(found).toMatchObject({ _meta: { 'mnemark/data': { degraded: [{ code: 'files-skipped' }] } } })
  })

  test('is included by that setting', () => {
    const notes = box()
    notes.write('mnemark.json5', '{ agents: { defaults: { memorySearch: { extraPaths: ["."] } } } }')
    const found = notes.json(['search', 'door', '-k', '10'])
    expect(found.document.degraded).toEqual([])
    expect(found.document.hits).toHaveLength(3)
    const [first] = found.document.hits as unknown as readonly { readonly path: string }[]
    expect(notes.run(['get', String(first?.path)]).stdout).toContain('door')
  })

  test('a vault with a memory/ among its folders is searched whole', () => {
    const vault = new Sandbox({ 'memory/2026-03-01.md': 'the lamp', 'Projects/a.md': 'a door', 'Home.md': 'the door' })
    expect(vault.json(['index']).document.documents).toMatchObject({ total: 3 })
    expect(vault.json(['search', 'door']).document.hits).toHaveLength(2)
  })
})

describe('P45: notes in other encodings', () => {
  const latin = Buffer.from('# Haus\nDie Müllers wohnen in der Straße.\n', 'latin1')

  test('are found by their letters, cited as they are, and named', () => {
    const box = new Sandbox({ 'a.md': latin, 'b.md': Buffer.from('one \x81\x8d two', 'latin1') })
    const indexed = box.run(['index'])
    expect(indexed.stderr).toContain('a.md is not UTF-8; it was read as windows-1252')
    expect(indexed.stdout).toMatch(/b\.md \(.*encoding that is not recognised/)
    expect(box.json(['search', 'Müllers']).document.hits).toMatchObject([{ path: 'a.md' }])
    expect(box.run(['get', 'a.md#L2']).stdout).toBe('Die Müllers wohnen in der Straße.\n')
    expect(box.run(['doctor']).stdout).toMatch(/encodings: .*a\.md is not UTF-8/)
    expect(box.json(['append', 'neu', '--to', 'a.md'])).toMatchObject({ code: 2, document: { error: { code: 'refused' } } })
    expect(box.json(['edit', 'a.md', '--replace', 'Haus', '--with', 'Hof'])).toMatchObject({ code: 2 })
  })
})

describe('P48: a folder that is not there', () => {
  const boxWithVault = (): Sandbox => {
    const box = new Sandbox({
      'MEMORY.md': 'the lamp',
      'memory/a.md': 'the door',
      'mnemark.json5': '{ agents: { defaults: { memorySearch: { extraPaths: ["../vault"] } } } }',
    })
    mkdirSync(join(box.root, 'vault'))
    box.write('../vault/n.md', 'the window')
    expect(box.json(['index']).document.documents).toMatchObject({ total: 3 })
    return box
  }

  test.each([
    ['a missing extra path', (box: Sandbox) => rmSync(join(box.root, 'vault'), { recursive: true }), 'window'],
    [
      'an extra path that became a file',
      (box: Sandbox) => [rmSync(join(box.root, 'vault'), { recursive: true }), box.write('../vault', 'x')],
      'window',
    ],
    [
      'memory/ that became a file',
      (box: Sandbox) => [rmSync(join(box.workspace, 'memory'), { recursive: true }), box.write('memory', 'x')],
      'door',
    ],
    [
      'memory/ that became a link to nothing',
      (box: Sandbox) => [
        rmSync(join(box.workspace, 'memory'), { recursive: true }),
        symlinkSync(join(box.root, 'gone'), join(box.workspace, 'memory')),
      ],
      'door',
    ],
  ])('%s keeps its rows, and is named by every command', (_, breakIt, word) => {
    const box = boxWithVault()
    breakIt(box)
    const found = box.json(['search', word])
    expect(found).toMatchObject({ code: 0, document: { degraded: [{ code: 'source-failed' }] } })
    expect(found.document.hits).toHaveLength(1)
    expect(box.json(['status'])).toMatchObject({ document: { dirty: true, documents: 3, degraded: [{ code: 'source-failed' }] } })
    expect(box.run(['status']).stdout).toMatch(/state +not known/)
    expect(box.json(['index'])).toMatchObject({
      code: 3,
      document: { degraded: [{ code: 'source-failed' }], documents: { removed: 0 } },
    })
    expect(box.json(['search', word]).document.hits).toHaveLength(1)
  })

  test('an empty folder where the workspace was is not taken for an emptied one, until --force says so', () => {
    const box = new Sandbox({ 'MEMORY.md': 'the lamp' })
    const state = ['--state', join(box.root, 'state')]
    box.run(['index', ...state])
    // Made while the old one is there, so that it cannot get its inode.
    mkdirSync(join(box.root, 'other'))
    rmSync(box.workspace, { recursive: true })
    renameSync(join(box.root, 'other'), box.workspace)
    expect(box.json(['search', 'lamp', ...state])).toMatchObject({
      code: 0,
      document: { hits: [{ path: 'MEMORY.md' }], degraded: [{ code: 'source-failed' }] },
    })
    expect(box.json(['index', ...state])).toMatchObject({ code: 3, document: { documents: { removed: 0 } } })
    expect(box.json(['index', '--force', ...state])).toMatchObject({ code: 0, document: { documents: { removed: 1 } } })
  })
})
