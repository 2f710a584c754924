import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect, dataOf, wordsOf } from '../harness/mcp-clients.ts'
import { hasQmd, QMD } from '../harness/qmd-program.ts'

const NOTES = {
  'MEMORY.md': '# Memory\n\nThe router has VLAN 10.\n',
  'memory/2026-03-14.md': '# Day\n\nThe printer was moved to the attic.\n',
}

function configured(qmd: object, notes: Readonly<Record<string, string>> = NOTES): Sandbox {
  const config = { memory: { backend: 'qmd', qmd: { command: QMD, limits: { timeoutMs: 30_000 }, ...qmd } } }
  return new Sandbox({ ...notes, 'mnemark.json5': JSON.stringify(config) })
}

const codesOf = (degraded: unknown): readonly string[] =>
  Array.isArray(degraded) ? degraded.map((entry: { readonly code: string }) => entry.code) : []
const pathsOf = (hits: unknown): readonly string[] =>
  Array.isArray(hits) ? hits.map((hit: { readonly path: string }) => hit.path) : []

describe.skipIf(!hasQmd)('the qmd backend, with the real program', { timeout: 600_000 }, () => {
  test('index, search, a changed file, status, doctor', () => {
    const box = configured({})
    expect(box.json(['index'])).toMatchObject({ code: 0, document: { documents: { total: 2, indexed: 2, unchanged: 0 } } })
    const found = box.json(['search', 'router'])
    expect(found).toMatchObject({ code: 0, document: { backend: 'qmd', mode: 'keywords', stale: false, degraded: [] } })
    expect(found.document['hits']).toMatchObject([{ path: 'MEMORY.md', citation: 'MEMORY.md#L3-L3' }])
    box.write('memory/2026-03-15.md', '# Day\n\nA zebra called.\n')
    const behind = box.json(['search', 'zebra'])
    expect(behind).toMatchObject({ code: 1, document: { hits: [], stale: true } })
    expect(box.json(['status']).document).toMatchObject({ backend: 'qmd', dirty: true, documents: 2 })
    expect(box.json(['index'])).toMatchObject({ document: { documents: { total: 3, indexed: 1, unchanged: 2 } } })
    expect(pathsOf(box.json(['search', 'zebra']).document['hits'])).toEqual(['memory/2026-03-15.md'])
    expect(box.json(['status']).document).toMatchObject({
      dirty: false,
      documents: 3,
      search: 'keywords of QMD; the built-in engine steps in',
      qmd: { version: expect.stringMatching(/^\d/), searchMode: 'search', fallback: { failure: null } },
    })
    expect(box.run(['status']).stdout).toMatch(/^answers {4}qmd$/m)
    const { checks } = box.json(['doctor']).document
    expect(checks).toContainEqual({ name: 'qmd', status: 'ok', message: expect.stringMatching(/^qmd \d+\.\d+\.\d+ \(/) })
  })

  test('through MCP as through the command line', async () => {
    const box = configured({})
    box.run(['index'])
    const client = await connect('stdio', box)
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'printer' } })
    expect(wordsOf(found)).toContain('memory/2026-03-14.md')
    expect(dataOf(found)).toMatchObject({ mode: 'keywords', stale: false, degraded: [] })
    const read = await client.callTool({ name: 'memory_get', arguments: { path: 'memory/2026-03-14.md' } })
    expect(wordsOf(read)).toContain('attic')
  })

  test('a collection outside the workspace is found and read as qmd/<collection>/<path>, without the program too', () => {
    const box = configured({ paths: [{ path: '../handbook', name: 'book' }] })
    mkdirSync(join(box.root, 'handbook/rules'), { recursive: true })
    writeFileSync(join(box.root, 'handbook/rules/guests.md'), '# Guests\n\nKoffie is the password.\n')
    box.run(['index'])
    expect(pathsOf(box.json(['search', 'koffie']).document['hits'])).toEqual(['qmd/book/rules/guests.md'])
    box.configure(
      JSON.stringify({
        memory: { backend: 'qmd', qmd: { command: '/gone/qmd', paths: [{ path: '../handbook', name: 'book' }] } },
      }),
    )
    expect(box.json(['get', 'qmd/book/rules/guests.md#L3-L3'])).toMatchObject({
      code: 0,
      document: { path: 'qmd/book/rules/guests.md', status: 'ok', text: 'Koffie is the password.' },
    })
    expect(box.json(['get', 'qmd/book/../../secret.md']).code).toBe(2)
  })

  test('two agents have homes of their own, and qmd env leads to them', () => {
    const box = configured({})
    box.run(['index', '--agent', 'main'])
    const work = box.json(['search', 'router', '--agent', 'work'])
    expect(codesOf(work.document['degraded'])[0]).toBe('backend-fallback')
    box.run(['index', '--agent', 'work'])
    const agents = join(box.state(), 'agents')
    expect(readdirSync(agents).toSorted()).toEqual(['main', 'work'])
    const { stdout } = box.run(['qmd', 'env', '--agent', 'work'])
    const typed = spawnSync('sh', ['-c', `${stdout}\n"$QMD" collection list`], {
      encoding: 'utf8',
      env: { ...box.environment(), QMD },
    })
    expect(typed.stdout).toContain('memory-root')
    expect(stdout).toContain(join(agents, 'work/qmd/xdg-config'))
    expect(existsSync(join(box.workspace, '.mnemark/.gitignore'))).toBe(true)
  })

  test('before a first index, and for what QMD knows nothing about, the built-in engine answers and says why', () => {
    const box = configured({})
    const first = box.json(['search', 'router'])
    expect(first.document).toMatchObject({
      backend: 'builtin',
      degraded: [{ code: 'backend-fallback', message: expect.stringContaining('no index') }],
    })
    expect(pathsOf(first.document['hits'])).toEqual(['MEMORY.md'])
    box.run(['index'])
    const dated = box.json(['search', 'printer', '--since', '2026-03-01'])
    expect(dated.document).toMatchObject({ backend: 'builtin', degraded: [{ message: expect.stringContaining('since') }] })
    expect(pathsOf(dated.document['hits'])).toEqual(['memory/2026-03-14.md'])
    expect(box.json(['search', 'printer']).document).toMatchObject({ backend: 'qmd', degraded: [] })
  })

  test('a forgotten note is no hit', () => {
    const box = configured({})
    box.run(['index'])
    box.run(['forget', 'memory/2026-03-14.md'])
    expect(box.json(['search', 'printer']).document).toMatchObject({ backend: 'qmd', hits: [] })
    box.run(['forget', 'memory/2026-03-14.md', '--undo'])
    expect(pathsOf(box.json(['search', 'printer']).document['hits'])).toEqual(['memory/2026-03-14.md'])
  })
})

describe('the qmd backend without its program', { timeout: 600_000 }, () => {
  const missing = { command: '/gone/qmd' }

  test('the built-in engine answers, the reason first; status and doctor name it', () => {
    const box = configured(missing)
    const { code, document } = box.json(['search', 'router'])
    expect(code).toBe(0)
    expect(document).toMatchObject({ backend: 'builtin', degraded: [{ code: 'backend-fallback' }] })
    expect(box.json(['index'])).toMatchObject({
      code: 0,
      document: {
        documents: { total: 2 },
        degraded: [{ code: 'backend-fallback', message: expect.stringContaining('/gone/qmd') }],
      },
    })
    expect(box.json(['status']).document).toMatchObject({
      backend: 'builtin',
      degraded: [{ code: 'backend-fallback' }],
      qmd: { fallback: { primary: 'qmd', failure: { code: 'missing-program' } } },
    })
    const doctor = box.json(['doctor'])
    expect(doctor.code).toBe(1)
    expect(doctor.document['checks']).toContainEqual({
      name: 'qmd',
      status: 'failed',
      message: 'there is no program at /gone/qmd',
      next: expect.stringContaining('npm install -g @tobilu/qmd'),
    })
  })

  test('with fallback "none" nobody steps in', () => {
    const box = configured({ ...missing, fallback: 'none' })
    expect(box.json(['index'])).toMatchObject({ code: 3, document: { error: { code: 'missing-program' } } })
    expect(box.json(['search', 'router'])).toMatchObject({ code: 3, document: { mode: 'unavailable', hits: [] } })
  })

  test('who may ask is decided before who answers, and a denial is logged with channel and chat type', () => {
    const box = configured({
      ...missing,
      scope: {
        default: 'deny',
        rules: [
          { action: 'deny', match: { keyPrefix: 'agent:main:telegram:' } },
          { action: 'allow', match: { chatType: 'direct' } },
        ],
      },
    })
    const search = (...argv: readonly string[]) => box.json(['search', 'router', ...argv])
    expect(pathsOf(search().document['hits'])).toEqual(['MEMORY.md'])
    expect(search('--session-key', 'agent:main:discord:direct:1').code).toBe(0)
    const denied = search('--session-key', 'agent:main:slack:channel:c1')
    expect(denied).toMatchObject({ code: 3, document: { hits: [], degraded: [{ code: 'scope-denied' }] } })
    expect(box.run(['search', 'router', '--session-key', 'agent:main:telegram:direct:1']).stderr).toContain(
      'denied by scope (channel=telegram, chatType=direct)',
    )
    expect(search('--chat-type', 'group').code).toBe(3)
  })

  test('qmd env needs the backend, and a word it knows', () => {
    const box = new Sandbox(NOTES)
    expect(box.json(['qmd', 'env'])).toMatchObject({ code: 3, document: { error: { code: 'no-qmd' } } })
    expect(configured(missing).json(['qmd', 'show']).code).toBe(2)
  })

  test('a duration that is none is refused by its key', () => {
    const { code, document } = configured({ update: { interval: 'often' } }).json(['status'])
    expect(code).toBe(4)
    expect(JSON.stringify(document)).toMatch(/memory\.qmd\.update\.interval.*a duration such as/)
  })
})
