import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test, expect } from 'vitest'
import { type Json, Sandbox } from '../harness/launcher.ts'

/** A folder as it was downloaded: nobody has agreed to its configuration. */
function downloaded(files: Readonly<Record<string, string>>): Sandbox {
  const box = new Sandbox()
  for (const [path, content] of Object.entries(files)) box.write(path, content)
  return box
}

const NOTE = { 'notes/a.md': '# Rent\n\nThe rent is 900 euro.\n' }
const NEAR = "provider: 'openai-compatible', model: 'm'"

function config(memorySearch: string, rest = ''): string {
  return `{ agents: { defaults: { memorySearch: { ${memorySearch} } } }, ${rest} }`
}

/** A program that leaves a mark when it is run. */
function trap(box: Sandbox, name = 'evil.sh'): string {
  const mark = join(box.root, 'it-ran')
  box.write(name, `#!/bin/sh\necho ran >> '${mark}'\n`)
  chmodSync(join(box.workspace, name), 0o755)
  return mark
}

function degraded(document: Json): readonly string[] {
  return (document['degraded'] as unknown as readonly { code: string; message: string }[]).map(({ code }) => code)
}

/** Answers nothing useful and writes down every request. */
async function recorder(): Promise<{ readonly baseUrl: string; readonly requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    response.writeHead(500).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

test('P102: opening a downloaded folder runs no program, sends nothing, and every command says so', async () => {
  const { baseUrl, requests } = await recorder()
  const box = downloaded({
    ...NOTE,
    'mnemark.json5': config(
      `${NEAR}, remote: { baseUrl: '${baseUrl}', headers: { 'X-Key': '\${OPENAI_API_KEY}' } }, fallback: ['openai'],
       store: { vector: { extensionPath: './x.so' } }, extraPaths: ['../outside']`,
      `memory: { backend: 'qmd', qmd: { command: './evil.sh' } }, serve: { host: '0.0.0.0', token: 'sixteen-letters-known' }`,
    ),
  })
  const mark = trap(box)
  mkdirSync(join(box.root, 'outside'))
  writeFileSync(join(box.root, 'outside', 'secret.md'), '# Secret rent\n')
  const env = { OPENAI_API_KEY: 'sk-of-the-user-0123456789' }
  const commands = [
    ['search', 'rent'],
    ['index'],
    ['status'],
    ['status', '--deep'],
    ['get', 'notes/a.md'],
    ['append', 'x', '--to', 'notes/b.md'],
    ['edit', 'notes/b.md', '--replace', 'x', '--with', 'y'],
    ['context'],
    ['doctor'],
    ['eval'],
    ['export'],
    ['config', 'show'],
    ['config', 'check'],
    ['batch', 'list'],
    ['forget', 'notes/b.md'],
  ]
  for (const argv of commands) {
    const { stdout, stderr } = box.run(argv, { env })
    const said = stdout + stderr
    expect(`${argv[0]}: ${said}`).toContain(argv[0] === 'config' && argv[1] === 'show' ? 'memory.qmd.command' : 'mnemark trust ')
    expect(said).not.toContain('sk-of-the-user')
  }
  const { document } = box.json(['search', 'rent'], { env })
  expect(document).toMatchObject({ mode: 'keywords', hits: [{ path: 'notes/a.md' }] })
  expect(JSON.stringify(document['hits'])).not.toContain('secret.md')
  expect(degraded(document)).toContain('untrusted-settings')
  expect(requests).toEqual([])
  expect(existsSync(mark)).toBe(false)
})

test('P102: what only narrows or shows counts from any file; what a pull adds does not', () => {
  const box = downloaded({
    ...NOTE,
    'more/b.md': '# More rent\n',
    'mnemark.json5': config(
      `provider: 'none', fallback: 'none', remote: { consent: false }, query: { maxResults: 1 }, extraPaths: ['more']`,
      `memory: { citations: 'off' }, serve: { readOnly: true, mask: true }`,
    ),
  })
  const { document } = box.json(['search', 'rent'])
  expect(document).toMatchObject({ degraded: [], hits: { length: 1 } })
  const shown = box.json(['config', 'show']).document
  expect(shown).toMatchObject({ untrusted: [], settings: { serve: { isReadOnly: true }, extraPaths: ['more'] } })
})

test.each([
  ['an absolute path', "extraPaths: ['/etc']"],
  ['a path upwards', "extraPaths: ['a/../../b']"],
  ['the home folder', "extraPaths: ['~/x']"],
  ['a variable', "extraPaths: ['${HOME}']"],
  ['a link', "extraPaths: ['link']"],
  ['a link that leads nowhere', "extraPaths: ['nowhere/x']"],
  ['one of several', "extraPaths: ['more', '..']"],
  ['an index elsewhere', "store: { path: '../x.sqlite' }"],
  ['an index through a link', "store: { path: 'link/x.sqlite' }"],
])('P102: %s leaves the folder', (_name, key) => {
  const box = downloaded({ ...NOTE, 'mnemark.json5': config(key) })
  symlinkSync('/etc', join(box.workspace, 'link'))
  symlinkSync('/no/such/place', join(box.workspace, 'nowhere'))
  expect(degraded(box.json(['search', 'rent']).document)).toEqual(['untrusted-settings'])
})

test('P102: trust shows what the file wants, needs a yes, and ends with any change of a value or of a file it names', () => {
  const box = downloaded({
    ...NOTE,
    'evil.gguf': 'model',
    'mnemark.json5': config("provider: 'local', local: { modelPath: 'evil.gguf' }"),
  })
  const isUntrusted = (): boolean =>
    (box.json(['config', 'show']).document['untrusted'] as unknown as readonly string[]).length > 0
  const refused = box.run(['trust'])
  expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('load or fetch a model file: "evil.gguf"') })
  expect(isUntrusted()).toBe(true)
  expect(box.run(['trust', '--yes']).code).toBe(0)
  expect(isUntrusted()).toBe(false)
  expect(box.run(['trust', '--list']).stdout).toContain('trusted')
  expect(statSync(join(box.home, '.local/share/mnemark/trusted.json')).mode & 0o777).toBe(0o600)

  // Written in another way, it means the same.
  box.write(
    'mnemark.json5',
    `// by hand\n${config("local: { modelPath: 'evil.gguf' }, provider: 'local', query: { maxResults: 3 }")}`,
  )
  expect(isUntrusted()).toBe(false)

  // As an unpacked archive would: same name, size and time.
  const { atime, mtime } = statSync(join(box.workspace, 'evil.gguf'))
  box.write('evil.gguf', 'lodem')
  utimesSync(join(box.workspace, 'evil.gguf'), atime, mtime)
  expect(isUntrusted()).toBe(true)
  box.write('evil.gguf', 'model')
  expect(isUntrusted()).toBe(false)

  box.write('mnemark.json5', config("provider: 'local', local: { modelPath: 'other.gguf' }"))
  expect(isUntrusted()).toBe(true)
  expect(box.run(['trust', '--list']).stdout).toContain('changed')
  expect(box.run(['untrust']).code).toBe(0)
  expect(box.run(['untrust']).code).toBe(1)
})

test('P102: a key that is taken away ends trust in the rest, a key that is added does not count', async () => {
  const { baseUrl } = await recorder()
  const own = `${NEAR}, remote: { baseUrl: '${baseUrl}', apiKey: 'written-for-it' }`
  const box = downloaded({ ...NOTE, 'mnemark.json5': config(own) })
  box.run(['trust', '--yes'])
  const names = (): Json | undefined => box.json(['config', 'show']).document['untrusted']
  expect(names()).toEqual([])
  box.write('mnemark.json5', config(`${own}, fallback: ['openai']`))
  expect(names()).toEqual(['agents.defaults.memorySearch.fallback'])
  box.write('mnemark.json5', config(`${NEAR}, remote: { apiKey: 'written-for-it' }`))
  expect(names()).toHaveLength(3)
})

test('P102: trust is for a place: a copy of the folder, and another folder put in its place, are not trusted', () => {
  const box = downloaded({ ...NOTE, 'mnemark.json5': config("provider: 'ollama'") })
  box.run(['trust', '--yes'])
  const copy = join(box.root, 'copy')
  cpSync(box.workspace, copy, { recursive: true })
  expect(box.json(['config', 'show', '--workspace', copy]).document['untrusted']).toHaveLength(1)
  renameSync(box.workspace, join(box.root, 'moved'))
  mkdirSync(box.workspace)
  box.write('mnemark.json5', config("provider: 'openai'"))
  expect(box.json(['config', 'show']).document['untrusted']).toHaveLength(1)
})

test('P102: --config, the own file of the user, and config set are trusted; the own file counts under an untrusted one', () => {
  const box = downloaded({ ...NOTE, 'mnemark.json5': config("provider: 'openai', query: { maxResults: 2 }") })
  const shown = (argv: readonly string[] = []): Json => box.json(['config', 'show', ...argv]).document
  expect(shown(['--config', 'mnemark.json5'])).toMatchObject({ untrusted: [], settings: { provider: { requested: 'openai' } } })
  const users = join(box.home, '.config/mnemark')
  mkdirSync(users, { recursive: true })
  writeFileSync(join(users, 'mnemark.json5'), config("provider: 'ollama', query: { maxResults: 9 }"))
  expect(shown()).toMatchObject({
    untrusted: ['agents.defaults.memorySearch.provider'],
    settings: { provider: { requested: 'ollama' }, memory: { maxResults: 2 } },
  })
  expect(box.run(['config', 'set', 'memorySearch.provider', 'mistral']).code).toBe(0)
  expect(shown()).toMatchObject({ untrusted: [], settings: { provider: { requested: 'mistral' } } })
})

test('P102: init and config set make a file that counts, and keep its comments', () => {
  const box = new Sandbox()
  box.run(['init'])
  expect(box.run(['config', 'set', 'memorySearch.extraPaths', '["~/handbook"]']).code).toBe(0)
  expect(box.run(['config', 'set', 'agents.defaults.memorySearch.remote.apiKey', '12345']).code).toBe(0)
  const text = readFileSync(join(box.workspace, 'mnemark.json5'), 'utf8')
  expect(text).toContain('// provider: "auto"')
  const { document } = box.json(['config', 'show'])
  expect(document).toMatchObject({ untrusted: [], settings: { extraPaths: ['~/handbook'] } })
  expect(JSON.stringify(document)).not.toContain('12345')
  expect(box.run(['config', 'unset', 'memorySearch.extraPaths']).code).toBe(0)
  expect(box.run(['config', 'unset', 'memorySearch.extraPaths']).code).toBe(1)
  expect(box.run(['config', 'set', 'memorySearch.qurey.maxResults', '3'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('query'),
  })
  expect(box.run(['config', 'set', 'memorySearch.query.maxResults', '500']).code).toBe(4)
  expect(readFileSync(join(box.workspace, 'mnemark.json5'), 'utf8')).not.toContain('500')
})

test('a name that config set does not know is said at once, and can be set again', () => {
  const box = new Sandbox()
  box.run(['init'])
  expect(box.run(['config', 'set', 'models.rerank.provider', 'coherre'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('models.rerank.provider is "coherre"; allowed: "cohere"'),
  })
  expect(box.run(['config', 'set', 'models.rerank.provider', 'cohere'])).toMatchObject({ code: 0, stderr: '' })
  box.run(['config', 'set', 'memorySearch.provider', 'opnai'])
  expect(box.run(['config', 'unset', 'memorySearch.provider'])).toMatchObject({ code: 0, stderr: '' })
})

test('P102: rules of who may ask that nobody trusts keep out whom they keep out, and let nobody in', () => {
  const box = downloaded({
    ...NOTE,
    'mnemark.json5': "{ memory: { scope: { default: 'deny', rules: [{ action: 'allow', match: { chatType: 'direct' } }] } } }",
  })
  const { document } = box.json(['search', 'rent', '--chat-type', 'group'])
  expect(degraded(document)).toEqual(['untrusted-settings', 'scope-denied'])
  expect(box.json(['search', 'rent']).document['hits']).toHaveLength(1)
})

test('P102: extra paths that do not count for now lose nothing of the index', () => {
  const box = downloaded({ ...NOTE, 'mnemark.json5': config("extraPaths: ['../more']") })
  mkdirSync(join(box.root, 'more'))
  writeFileSync(join(box.root, 'more', 'c.md'), '# More rent\n\nIn the other folder.\n')
  box.run(['trust', '--yes'])
  expect(box.json(['index']).document).toMatchObject({ documents: { total: 2 } })
  box.run(['untrust'])
  expect(box.json(['index']).document).toMatchObject({ documents: { removed: 0 } })
  box.run(['trust', '--yes'])
  expect(box.json(['index']).document).toMatchObject({ documents: { total: 2, indexed: 0 } })
})

test('a list of trusted workspaces that cannot be read is named and not overwritten', () => {
  const box = downloaded({ ...NOTE, 'mnemark.json5': config("provider: 'openai'") })
  const folder = join(box.home, '.local/share/mnemark')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'trusted.json'), '{ broken')
  expect(box.run(['trust', '--yes'])).toMatchObject({ code: 4, stderr: expect.stringContaining('trusted.json') })
  expect(readFileSync(join(folder, 'trusted.json'), 'utf8')).toBe('{ broken')
})

test('a trap in names and values of a configuration does not reach the terminal', () => {
  const box = downloaded({
    ...NOTE,
    'mnemark.json5': config(
      "provider: 'open\\u001b[2Jai', remote: { baseUrl: 'https://user:hidden-word@evil.example/v1' }",
      "models: { providers: { 'x\\u202ey': { apiKey: 'sk-planted-key-0123456789' } } }",
    ),
  })
  const { stdout, stderr } = box.run(['trust'])
  for (const trap of ['\u001b[2J', '\u202e', 'hidden-word', 'sk-planted']) expect(stdout + stderr).not.toContain(trap)
})
