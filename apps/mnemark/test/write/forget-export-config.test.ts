import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const SECRET = 'XYLOPHONE-SAFE-4711'

function notesWithSecret(): Sandbox {
  return new Sandbox({
    'MEMORY.md': '# Memory\n\nThe office is on the third floor.\n',
    'memory/secret.md': `# Vault\n\nThe code is ${SECRET}.\n`,
    'memory/copy.md': '# Other\n\nsee memory/secret.md for the code\n',
  })
}

function indexBytes(box: Sandbox): string {
  const folder = join(box.workspace, '.mnemark')
  return readdirSync(folder)
    .filter((name) => name.startsWith('main.sqlite') && !name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')
}

describe('forget', () => {
  test('B79: a forgotten note leaves the index to the last byte, stays out of it, and comes back only when asked', () => {
    const box = notesWithSecret()
    expect(box.json(['search', SECRET]).document.hits?.['0']?.path).toBe('memory/secret.md')
    expect(indexBytes(box)).toContain(SECRET)
    expect(box.json(['forget', 'memory/secret.md#L1-L3'])).toMatchObject({
      code: 0,
      document: {
        path: 'memory/secret.md',
        removed: { documents: 1, chunks: 1, vectors: 0 },
        file: 'kept',
        traces: { sameText: [], mentions: ['memory/copy.md'], files: [] },
      },
    })
    expect(indexBytes(box).toLowerCase()).not.toContain('xylophone')
    expect(box.json(['search', SECRET, '--path', 'memory/secret.md'])).toMatchObject({ code: 1, document: { hits: [] } })
    expect(box.json(['index', '--force']).document.documents).toMatchObject({
      total: 2,
      skipped: [{ path: 'memory/secret.md', reason: 'forgotten' }],
    })
    expect(box.json(['status']).document.dirty).toBe(false)
    expect(box.run(['get', 'memory/secret.md']).stdout, 'the file is its owner').toContain(SECRET)
    expect(box.json(['forget', '--undo', 'memory/secret.md'])).toMatchObject({ code: 0, document: { wasForgotten: true } })
    expect(box.json(['search', SECRET]).document.hits?.['0']?.path).toBe('memory/secret.md')
    expect(box.run(['forget', '--undo', 'memory/secret.md']).code).toBe(1)
  })

  test('with --delete the file is kept in the trash, and the report names what it cannot reach', () => {
    const box = notesWithSecret()
    box.write('memory/twin.md', `# Vault\n\nThe code is ${SECRET}.\n`)
    expect(box.run(['index', '--agent', 'scout']).code).toBe(0)
    const { code, document } = box.json(['forget', 'memory/secret.md', '--delete'])
    expect(code).toBe(0)
    expect(document).toMatchObject({ file: 'moved', traces: { sameText: ['memory/twin.md'], mentions: ['memory/copy.md'] } })
    expect(document.traces?.files?.['0']).toBe(join(box.workspace, '.mnemark', 'scout.sqlite'))
    expect(existsSync(join(box.workspace, 'memory/secret.md'))).toBe(false)
    expect(readFileSync(String(document.movedTo), 'utf8')).toContain(SECRET)
    expect(box.json(['search', SECRET]).document.hits?.['0']?.path).toBe('memory/twin.md')
    box.write('memory/secret.md', 'a new note of that name\n')
    expect(box.json(['search', 'new note of that name']).document.hits?.['0']?.path).toBe('memory/secret.md')
  })

  test('an unknown path is no success, and a file outside the workspace is not moved', () => {
    const box = notesWithSecret()
    expect(box.json(['forget', 'memory/absent.md'])).toMatchObject({ code: 1, document: { file: 'absent' } })
    box.write('../shared/team.md', 'shared omega\n')
    box.configure('{ agents: { defaults: { memorySearch: { extraPaths: ["../shared"] } } } }')
    expect(box.json(['forget', 'extra/shared/team.md', '--delete']).document.error).toBeDefined()
    expect(existsSync(join(box.root, 'shared/team.md'))).toBe(true)
    expect(box.run(['forget', 'extra/shared/team.md']).code).toBe(0)
    expect(box.json(['search', 'omega'])).toMatchObject({ code: 1, document: { hits: [] } })
  })
})

describe('export', () => {
  test('writes every document and chunk in a fixed order, the same from any index of the same notes', () => {
    const box = new Sandbox({
      'b.md': '# B\n\nbeta\n',
      'a.md': '---\ntags: [x]\n---\nalpha\n',
      'é/c.md': 'gamma\n',
      'empty.md': '',
    })
    const { code, stdout } = box.run(['export'])
    expect(code).toBe(0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'document a.md',
      'chunk a.md',
      'document b.md',
      'chunk b.md',
      'document empty.md',
      'chunk empty.md',
      'document é/c.md',
      'chunk é/c.md',
    ])
    expect(lines[3]).toMatchObject({ startLine: 1, endLine: 3, text: expect.stringContaining('beta'), headingTrail: ['B'] })
    expect(lines[1].attributes).toMatchObject({ tags: ['x'] })
    box.run(['index', '--force'])
    expect(box.run(['export', '--state', join(box.root, 'other')]).stdout).toBe(stdout)
    expect(box.json(['export', '--out', 'out.jsonl'])).toMatchObject({ code: 0, document: { documents: 4, chunks: 4 } })
    expect(readFileSync(join(box.workspace, 'out.jsonl'), 'utf8')).toBe(stdout)
    expect(readdirSync(box.workspace).filter((name) => name.includes('part'))).toEqual([])
    expect(box.run(['export', '--out', 'no/such/folder.jsonl']).code).toBe(3)
  })
})

describe('config', () => {
  const written = {
    env: { vars: { DATABASE: 'unmarked' } },
    agents: {
      defaults: { memorySearch: { provider: 'acme', query: { maxResults: 9 }, remote: { headers: { 'x-key': 'plain' } } } },
    },
    models: { providers: { acme: { apiKey: 'sk-abcdefghij0123456789', baseUrl: 'https://me:pass@host.example/v1?sig=signed' } } },
  }

  test('show gives the settings in force and never a secret', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n', 'mnemark.json5': JSON.stringify(written) })
    const { code, document } = box.json(['config', 'show'])
    expect(code).toBe(0)
    expect(document).toMatchObject({
      file: join(box.workspace, 'mnemark.json5'),
      settings: { provider: { requested: 'acme' }, memory: { maxResults: 9 } },
      written: { models: { providers: { acme: { apiKey: '(hidden)', baseUrl: 'https://(hidden)@host.example/v1?(hidden)' } } } },
    })
    const words = box.run(['config', 'show']).stdout
    for (const secret of ['sk-abc', 'plain', 'me:pass', 'signed', 'unmarked']) expect(words).not.toContain(secret)
    box.configure('{ agents: { defaults: { memorySearch: { chunking: { tokens: 250 }, limits: { dailyTokens: 9 } } } } }')
    expect(box.json(['config', 'show']).document.settings?.memory).toMatchObject({ chunkTokens: 250, dailyTokens: 9 })
  })

  test('P106: show hides whatever is not known to be harmless, and shows what is', () => {
    const planted = {
      webhook: 'https://hooks.example/planted-one',
      pin: 471_100_02,
      memorySearch: { connectionString: 'planted-two' },
      agents: {
        defaults: {
          memorySearch: {
            provider: 'acme',
            model: 'text-embedding-3-small',
            remote: {
              headers: { 'X-Plain': 'planted-three' },
              auth: 'planted-four',
              baseUrl: 'https://api.acme.example/v1/planted-five',
            },
            inputType: { query: { 'x-key': 'planted-six' }, document: {} },
            query: { maxResults: 7 },
          },
        },
      },
      models: {
        providers: {
          acme: { api: 'openai', pwd: 'planted-seven', password: { value: 'planted-eight' }, apiKey: 'planted-nine' },
        },
      },
      channels: { telegram: { botToken: 'planted-ten' } },
      serve: { token: 'planted-eleven-planted', allowedOrigins: ['https://notes.example/planted-twelve?planted'] },
    }
    const box = new Sandbox({ 'a.md': 'alpha\n' })
    box.configure(JSON.stringify(planted))
    const { stdout } = box.run(['config', 'show'])
    expect(stdout).not.toContain('planted')
    expect(stdout).not.toContain('47110002')
    for (const shown of [
      'text-embedding-3-small',
      'https://api.acme.example/v1/',
      '"api": "openai"',
      '"maxResults": 7',
      'webhook',
      'X-Plain',
    ]) {
      expect(stdout).toContain(shown)
    }
  })

  test('check names every problem with exit code 1, and what has no effect without one', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n' })
    expect(box.json(['config', 'check'])).toMatchObject({ code: 0, document: { file: null, errors: [], warnings: [] } })
    const file = join(box.root, 'other.json5')
    const check = (text: string) => {
      writeFileSync(file, text)
      return box.json(['config', 'check', '--config', file])
    }
    expect(check('{ reflect: { every: 1 } }')).toMatchObject({ code: 0, document: { notHonoured: ['reflect'] } })
    const wrong = check('{ agents: { defaults: { memorySearch: { query: { maxResults: 0, minScore: 7 } } } } }')
    expect(wrong.code).toBe(1)
    expect(JSON.stringify(wrong.document.errors)).toMatch(/maxResults.*minScore/)
    const misspelt = check('{ agents: { defaults: { memorySearch: { extraPath: [] } } } }')
    expect([misspelt.code, JSON.stringify(misspelt.document.warnings)]).toEqual([1, expect.stringContaining('extraPaths')])
    expect(check('{ agents: { defaults: { workspace: "${MNEMARK_NOT_SET}" } } }').code).toBe(1)
    expect(check('{ not json5').code).toBe(1)
    const provider = (memorySearch: string): string => `{ agents: { defaults: { memorySearch: ${memorySearch} } } }`
    expect(check(provider('{ provider: "voyage" }')).document.warnings?.['0']).toContain('voyage: no key. Set VOYAGE_API_KEY')
    const unset = check(provider('{ provider: "openai", remote: { apiKey: "${MNEMARK_NOT_SET}" } }'))
    expect([unset.code, unset.document.errors?.['0']]).toEqual([
      1,
      expect.stringContaining('remote.apiKey needs the environment'),
    ])
  })

  test('path says which file counts, or where one would be', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n' })
    const none = box.json(['config', 'path'])
    expect(none).toMatchObject({ code: 1, document: { file: null } })
    expect(none.document.candidates?.['0']).toBe(join(box.workspace, 'mnemark.json5'))
    box.configure('{}')
    expect(box.run(['config', 'path']).stdout).toBe(`${join(box.workspace, 'mnemark.json5')}\n`)
    expect(box.run(['config', 'destroy']).code).toBe(2)
  })
})
