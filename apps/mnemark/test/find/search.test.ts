import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LAUNCHER, Sandbox } from '../harness/launcher.ts'

const config = (memorySearch: string, rest = ''): string => `{ agents: { defaults: { memorySearch: ${memorySearch} } }, ${rest} }`

describe('search', () => {
  test('one command answers from a plain folder in any script, with file and lines, and writes nothing but .mnemark', () => {
    const box = new Sandbox({
      'خطة.md': '# خطة\n\nتم تأجيل الإطلاق إلى يوم الأحد.\n',
      'a/东京.md': '# 会议\n\n东京的会议改到星期五\n',
      'b/cafe.markdown': 'The naïve café opens at nine.\n',
    })
    const arabic = box.json(['search', 'اطلاق'])
    expect(arabic.code).toBe(0)
    expect(arabic.document).toMatchObject({
      mode: 'keywords',
      provider: null,
      requestedProvider: 'auto',
      degraded: [],
      stale: false,
    })
    expect(arabic.document.hits?.['0']).toMatchObject({
      path: 'خطة.md',
      source: 'memory',
      startLine: 1,
      citation: expect.stringMatching(/^خطة\.md#L1-L\d$/),
    })
    expect(arabic.document.ms).toEqual(expect.any(Number))
    expect(box.json(['search', '会议']).document.hits?.['0']?.path).toBe('a/东京.md')
    const words = box.run(['search', 'naive', 'cafe'])
    expect(words).toMatchObject({ code: 0, stderr: '' })
    expect(words.stdout).toMatch(/^b\/cafe\.markdown:1 /)
    expect(words.stdout).not.toContain('\u001b')
    expect(box.run(['search', 'اطلاق']).stdout).toContain('\u2068تم تأجيل الإطلاق إلى يوم الأحد.\u2069')
    expect(readdirSync(box.workspace).sort()).toEqual(['.mnemark', 'a', 'b', 'خطة.md'])
    expect(readFileSync(join(box.workspace, '.mnemark/.gitignore'), 'utf8')).toBe('*\n')
    expect(statSync(join(box.workspace, '.mnemark/main.sqlite')).mode & 0o777).toBe(0o600)
  })

  test('B40: a note just written is found, a deleted one is gone, and status tells when disk and index differ', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n', 'memory/old.md': 'codeword OLD-LANTERN\n' })
    expect(box.run(['search', 'lantern']).code).toBe(0)
    box.write('memory/2026-08-01.md', 'codeword ZEBRA-COMET\n')
    rmSync(join(box.workspace, 'memory/old.md'))
    expect(box.json(['status']).document).toMatchObject({ dirty: true, documents: 2 })
    expect(box.json(['search', 'ZEBRA-COMET']).document.hits?.['0']?.path).toBe('memory/2026-08-01.md')
    expect(box.json(['search', 'lantern'])).toMatchObject({ code: 1, document: { hits: [] } })
    expect(box.json(['status']).document).toMatchObject({ dirty: false, documents: 2 })
  })

  test('B40: a search with too many changes to wait for says so, and the next one finds them', () => {
    const note = (word: string): string => `${word} ${'the quick brown fox jumps over a lazy dog '.repeat(250)}\n`
    const files = Array.from({ length: 800 }, (_, index) => `${index}.md`)
    const box = new Sandbox(Object.fromEntries(files.map((path) => [path, note('early')])))
    expect(box.run(['index']).code).toBe(0)
    for (const path of files) box.write(path, note('quokka'))
    const { code, document } = box.json(['search', 'quokka'])
    expect(code === 0 || document.stale).toBe(true)
    expect(box.json(['search', 'quokka'])).toMatchObject({ code: 0, document: { stale: false } })
  })

  test('blank and operator-only queries find nothing, quietly; a query may begin with a dash', () => {
    const box = new Sandbox({ 'a.md': 'alpha beta\n' })
    for (const query of ['', '   ', '-', '"', '*', '- -', '()"*:^']) {
      expect([query, box.json(['search', '--', query])]).toMatchObject([
        query,
        { code: 1, document: { hits: [], mode: 'keywords' } },
      ])
    }
    expect(box.json(['search', '--', '-gamma alpha']).document.hits?.['0']?.path).toBe('a.md')
    // A sign alone has nothing to exclude from.
    expect(box.json(['search', '--', '-alpha']).document.hits?.['0']?.path).toBe('a.md')
    expect(box.run(['search', '-gamma', 'alpha']).stderr).toContain('goes after --')
  })

  test('a limit outside 1 to 100 is bad use, under both names', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n' })
    for (const argv of [['-k', '0'], ['--k', '-1'], ['-k', '2.5'], ['--k=3x'], ['-k', '101']]) {
      const { code, document } = box.json(['search', 'alpha', ...argv])
      expect([argv, code, document.error?.code]).toEqual([argv, 2, 'bad-option'])
    }
    expect(box.json(['search', 'alpha', '-k', '100']).code).toBe(0)
  })

  test('a glob that would take for ever is bad use, and any other is taken', () => {
    const box = new Sandbox({ 'notes (old)/a.md': 'alpha\n' })
    for (const glob of ['**/(a+)+b', '**/*a*a*a*a*b'])
      expect(box.json(['search', 'alpha', '--path', glob])).toMatchObject({ code: 2, document: { error: { code: 'bad-input' } } })
    for (const glob of ['notes (old)/a.md', '**/*.md']) expect(box.json(['search', 'alpha', '--path', glob]).code).toBe(0)
  })

  test('P30 to P34: filters mean what people mean, and what they leave out is said', () => {
    const box = new Sandbox({
      'MEMORY.md': '# Memory\n\nthe rent is due #money\n',
      'memory/2026-03-14.md': 'rent paid with zip -r #person\n',
      'memory/2026-03-15.md': '---\ntags: person/family\n---\ntalked of the rent\n',
      'decisions/readme.txt': 'no note\n',
    })
    const paths = (...argv: string[]): unknown =>
      Object.values(box.json(['search', ...argv]).document.hits ?? {}).map((hit) => hit?.path)
    expect(paths('rent', '--path', '', '--tag', ' ', '-k', '', '--since', '')).toHaveLength(3)
    expect(paths('--tag', '#person')).toEqual(['memory/2026-03-15.md', 'memory/2026-03-14.md'])
    expect(paths('rent', '--path', join(box.workspace, 'memory'), '--until', '2026-03-14')).toEqual(['memory/2026-03-14.md'])
    expect(paths('rent tag:money')).toEqual(['MEMORY.md'])
    expect(paths('--', 'zip -r')?.toString()).toContain('memory/2026-03-14.md')
    expect(box.run(['search', '--tag', 'person']).stdout).toContain('memory/2026-03-15.md:4  2026-03-15  lines 1-4')
    const unmatched = box.run(['search', 'rent', '--path', 'decisions/'])
    expect(unmatched).toMatchObject({ code: 1, stderr: expect.stringContaining('No indexed note is, or lies in, "decisions/".') })
    expect(box.json(['search', 'rent', '--tag', 'persn'])).toMatchObject({
      code: 1,
      document: { degraded: [{ code: 'filter-unmatched', message: expect.stringContaining('Near: "person"') }] },
    })
    expect(box.json(['search', '"rent binder" paid']).document.degraded).toMatchObject([{ code: 'phrase-relaxed' }])
    expect(box.json(['search', '--', 'rent -rent'])).toMatchObject({
      code: 1,
      document: { degraded: [{ code: 'all-excluded' }] },
    })
    for (const argv of [['x', '--since', 'someday'], ['x since:2027 until:2026'], []])
      expect([argv, box.run(['search', ...argv]).code]).toEqual([argv, 2])
  })

  test('P31: an empty folder and one given by mistake are told apart, by what is in them', () => {
    const empty = new Sandbox({})
    expect(empty.run(['search', 'rent']).stderr).toContain(`Nothing is indexed: ${empty.workspace} is empty.`)
    const mistaken = new Sandbox({ 'a.txt': 'x', 'b.txt': 'x', 'c.pdf': 'x' })
    expect(mistaken.json(['search', 'rent', '--tag', 'x'])).toMatchObject({
      code: 1,
      document: { degraded: [{ code: 'nothing-indexed', message: expect.stringContaining('but 3 files (2 .txt, 1 .pdf)') }] },
    })
  })

  test('explains a rank and says why a place is missing', () => {
    const box = new Sandbox({ 'a.md': 'alpha beta\n', 'b.md': 'gamma\n', '2026-03-14.md': 'alpha dated\n' })
    const { document } = box.json(['search', 'alpha', '--explain', '--decay', '--mmr', '--why', 'b.md:1'])
    expect(document.hits?.['0']?.explain).toMatchObject({ fused: expect.any(Number), keywords: { rank: expect.any(Number) } })
    expect(document.why).toMatchObject({ reason: 'no-match', detail: expect.any(String) })
    const words = box.run(['search', 'alpha', '--explain', '--why', 'a.md#L1-L1', '--since', '2026-03'])
    expect(words.stdout).toMatch(/keywords .* rank 1, BM25/)
    expect(words.stdout).toContain('Why: filtered.')
    expect(words.stdout).not.toContain('a.md#L1')
  })

  test('the best hit survives a reader that stops reading', () => {
    const box = new Sandbox(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.md`, `alpha ${'word '.repeat(2000)}\n`])),
    )
    const pipe = spawnSync(
      'sh',
      ['-c', '"$0" search --workspace "$1" -k 100 --json alpha | head -c 1', LAUNCHER, box.workspace],
      {
        encoding: 'utf8',
        env: { ...process.env, HOME: box.home },
      },
    )
    expect([pipe.stdout, pipe.stderr]).toEqual(['{', ''])
  })
})

describe('index', () => {
  test('reports every document, names what was skipped, and reads nothing again without a change', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n', 'sub/b.md': '\uFEFF# Beta\r\ntext\r\n', 'c.txt': 'no note', 'empty.md': '' })
    box.write('big.md', 'x'.repeat(11_000_000))
    const first = box.json(['index', '--force'])
    expect(first.code).toBe(0)
    expect(first.document).toEqual({
      documents: {
        total: 3,
        indexed: 3,
        unchanged: 0,
        removed: 0,
        skipped: [{ path: 'big.md', reason: expect.stringContaining('10 MB') }],
        failed: [],
      },
      chunks: 2,
      vectors: [],
      tokens: 0,
      ms: expect.any(Number),
    })
    expect(box.json(['index']).document.documents).toMatchObject({ total: 3, indexed: 0, unchanged: 3 })
    expect(box.run(['status']).stdout).toContain('big.md (larger than 10 MB)')
  })

  test('a dry run says what would be done and writes nothing', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n' })
    expect(box.json(['index', '--dry-run', '--yes'])).toMatchObject({
      code: 0,
      document: { documents: { total: 1, indexed: 1 } },
    })
    expect(box.json(['status'])).toMatchObject({ code: 0, document: { documents: 0, dirty: true, index: null } })
    expect(readdirSync(box.workspace)).toEqual(['a.md'])
    expect(readdirSync(box.home)).toEqual([])
  })

  test('is kept in the state folder where the workspace cannot be written, in --state, or at store.path', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n', '.mnemark': 'a file in the place of the folder' })
    const elsewhere = box.run(['search', 'alpha'])
    expect([elsewhere.code, elsewhere.stderr]).toEqual([0, expect.stringContaining(`the index is kept at ${box.home}`)])
    expect(box.json(['status']).document).toMatchObject({ documents: 1, index: expect.stringContaining(box.home) })
    rmSync(join(box.workspace, '.mnemark'))
    expect(box.run(['search', 'alpha', '--state', join(box.root, 'state')]).stderr).not.toContain('kept at')
    expect(readdirSync(join(box.root, 'state/workspaces'))).toEqual([expect.stringMatching(/^notes-[0-9a-f]{16}$/)])
    box.configure(config('{ store: { path: "data/{agentId}.db" } }'))
    expect(box.run(['search', 'alpha', '--agent', 'scout']).code).toBe(0)
    expect(existsSync(join(box.workspace, 'data/scout.db'))).toBe(true)
    expect(readdirSync(box.workspace).sort()).toEqual(['a.md', 'data', 'mnemark.json5'])
  })
})

describe('configuration', () => {
  test('B67: without a provider everything is indexed and found, and status says keyword-only', () => {
    const box = new Sandbox({ 'MEMORY.md': 'uses pnpm\n' })
    expect(box.json(['index']).document.documents).toMatchObject({ indexed: 1 })
    expect(box.json(['search', 'pnpm']).document.hits?.['0']?.path).toBe('MEMORY.md')
    expect(box.run(['status']).stdout).toContain('keywords only: no model file and no key of a provider is there')
  })

  test('a provider by name that has no key is never replaced in silence', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n', 'mnemark.json5': config('{ provider: "openai" }') })
    const refused = box.json(['search', 'alpha'])
    expect(refused).toMatchObject({ code: 3, document: { hits: [], mode: 'unavailable', requestedProvider: 'openai' } })
    expect(refused.document.degraded?.['0']).toMatchObject({
      code: 'provider-unavailable',
      message: expect.stringMatching(/no key\. Set OPENAI_API_KEY .*--keywords/),
    })
    expect(box.json(['search', 'alpha', '--keywords'])).toMatchObject({ code: 0, document: { mode: 'keywords', degraded: [] } })
    box.configure(config('{ provider: "openai", fallback: "voyage" }'))
    const answered = box.json(['search', 'alpha'])
    expect([answered.code, answered.document.degraded?.['1']?.code]).toEqual([0, 'provider-unavailable'])
  })

  test('extra paths, a switched-off memory and a wrong value are told apart', () => {
    const box = new Sandbox({ 'MEMORY.md': 'alpha\n', 'mnemark.json5': config('{ extraPaths: ["../shared"] }') })
    box.write('../shared/team.md', 'shared omega\n')
    const { document } = box.json(['search', 'omega'])
    const path = String(document.hits?.['0']?.path)
    expect(path).toBe('extra/shared/team.md')
    expect(box.run(['get', path]).stdout).toBe('shared omega\n')
    const off = join(box.root, 'off.json5')
    writeFileSync(off, '{ plugins: { slots: { memory: "none" } } }')
    expect(box.json(['search', 'alpha', '--config', off])).toMatchObject({ code: 3, document: { error: { code: 'memory-off' } } })
    expect(box.json(['status', '--config', off])).toMatchObject({ code: 0, document: { switchedOffBy: 'plugins.slots.memory' } })
    writeFileSync(off, config('{ query: { maxResults: 500 }, extraPath: [] }'))
    expect(box.json(['search', 'alpha', '--config', off])).toMatchObject({
      code: 4,
      document: { error: { code: 'invalid-value' } },
    })
    writeFileSync(off, config('{ extraPath: [] }'))
    expect(box.run(['search', 'alpha', '--config', off]).stderr).toContain(
      'did you mean agents.defaults.memorySearch.extraPaths?',
    )
  })
})

describe('doctor', () => {
  test('says what is there, and sets a damaged index aside with --fix', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n' })
    expect(box.run(['doctor']).stdout).toContain('index: none yet')
    expect(readdirSync(box.workspace)).toEqual(['a.md'])
    expect(box.run(['search', 'alpha']).code).toBe(0)
    expect(box.json(['doctor'])).toMatchObject({ code: 0, document: { fixed: [] } })
    const index = join(box.workspace, '.mnemark/main.sqlite')
    writeFileSync(index, 'not a database, '.repeat(500))
    expect(box.run(['doctor']).code).toBe(1)
    expect(box.json(['doctor', '--fix']).code).toBe(0)
    expect(existsSync(`${index}.damaged-1`)).toBe(true)
    expect(box.run(['doctor']).stdout).toMatch(/warning {2}index: 1 files of damaged indexes/)
    expect(box.json(['doctor', '--fix'])).toMatchObject({ code: 0, document: { fixed: [expect.stringContaining('removed')] } })
    expect(readdirSync(join(box.workspace, '.mnemark')).filter((name) => name.includes('damaged'))).toEqual([])
    expect(box.json(['search', 'alpha']).code).toBe(0)
  })

  test('a configuration that cannot be read is a finding', () => {
    const box = new Sandbox({ 'a.md': 'alpha\n', 'mnemark.json5': '{ agents: ' })
    const { code, stdout } = box.run(['doctor'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/failed {3}configuration: .* is not JSON5/)])
  })
})

test('a search without a change loads neither YAML, nor a progress bar, nor what checks a configuration', () => {
  const box = new Sandbox({ 'a.md': '---\ntitle: A\n---\nalpha\n' })
  box.run(['search', 'alpha'])
  const list = join(box.root, 'modules.txt')
  const hook = join(box.root, 'hook.mjs')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) })`,
  )

  expect(
    box.run(['search', 'alpha', '--json'], { env: { NODE_OPTIONS: `--import=${hook}`, MNEMARK_FROM_SOURCES: '1' } }).code,
  ).toBe(0)
  const loaded = readFileSync(list, 'utf8')
  expect(loaded).toContain('/commands/find/search.ts')
  for (const name of [
    '/yaml/',
    '/terminal/progress.ts',
    '/string-width/',
    '/valibot/',
    '/json5/',
    '/picocolors/',
    '/supports-hyperlinks/',
    '/launch-editor/',
    '/shell-quote/',
    '/@inquirer/',
    '/fastest-levenshtein/',
    '/packages/embed-',
    '/provider-kit/',
    '/calls/circuit-breaker.ts',
    '/providers/build/create-chain.ts',
    '/providers/keys/find-key.ts',
    '/commands/index/status.ts',
    '/help.ts',
    '/hono/',
    '/@hono/',
    '/hono-openapi/',
    '/@modelcontextprotocol/',
    '/@valibot/',
    '/zod/',
    '/chokidar/',
    '/src/serve/',
    '/src/mcp/',
    '/src/context/',
    '/src/completion/',
    '/operations/agent-memory.ts',
  ]) {
    expect([name, loaded.includes(name)]).toEqual([name, false])
  }
})
