import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { nameProvider } from './named-provider.ts'

// Faults with vectors, as a person or program meets them: the mode of the answer, and the reason by name.

const notes = (): Sandbox =>
  new Sandbox({ 'MEMORY.md': 'The router is in the attic.\n', 'memory/a.md': 'beta\n', 'memory/b.md': 'gamma\n' })
const FOUND = { hits: { 0: { path: 'MEMORY.md' } } }

test('an extension that is not there costs no answer; status and doctor name the file', async () => {
  const box = notes()
  await using provider = await nameProvider(box, { store: { vector: { extensionPath: 'lib/vec0.so' } } })
  await provider.run('index')
  expect(await provider.run('search', 'attic')).toMatchObject({ code: 0, document: { ...FOUND, mode: 'hybrid', degraded: [] } })
  const problem = expect.stringContaining(join(box.workspace, 'lib/vec0.so'))
  expect((await provider.run('status')).document.details?.scan).toMatchObject({ extension: { problem } })
  const { code, document } = await provider.run('doctor')
  expect([code, Object.values(document.checks ?? {})]).toEqual([
    0,
    expect.arrayContaining([
      { name: 'native', status: 'warning', message: problem, next: expect.stringContaining('extensionPath') },
    ]),
  ])
})

test('an extension that is switched off is not loaded, and vectors are searched', async () => {
  const box = notes()
  await using provider = await nameProvider(box, { store: { vector: { enabled: false, extensionPath: 'lib/vec0.so' } } })
  await provider.run('index')
  expect((await provider.run('search', 'attic')).document).toMatchObject({ mode: 'hybrid', degraded: [] })
  expect((await provider.run('status')).document.details?.scan?.extension).toEqual({ path: null })
})

test('damaged rows of vectors are mended, said once, and cost no hit', async () => {
  const box = notes()
  await using provider = await nameProvider(box)
  await provider.run('index')
  const database = new Database(join(box.workspace, '.mnemark/main.sqlite'))
  database.exec('UPDATE vectors SET bytes = zeroblob(length(bytes))')
  database.close()
  const { code, document } = await provider.run('search', 'attic')
  expect([code, document]).toMatchObject([0, { ...FOUND, mode: 'hybrid', degraded: { 0: { code: 'index-repaired' } } }])
  expect(document.degraded?.['0']?.message).toContain('3 vectors')
  expect((await provider.run('search', 'attic')).document).toMatchObject({ mode: 'hybrid', degraded: [] })
})

test('damaged vectors while the provider is away: what is left answers as the rules for a failing provider say', async () => {
  const box = notes()
  await using provider = await nameProvider(box)
  await provider.run('index')
  const database = new Database(join(box.workspace, '.mnemark/main.sqlite'))
  database.exec('UPDATE vectors SET bytes = zeroblob(length(bytes))')
  database.close()
  await provider.server.close()
  const { code, document } = await provider.run('search', 'attic')
  expect([code, document]).toMatchObject([
    3,
    { hits: [], mode: 'unavailable', degraded: { 0: { code: 'provider-unavailable' } } },
  ])
  expect(await provider.run('search', 'attic', '--keywords')).toMatchObject({ code: 0, document: { ...FOUND, mode: 'keywords' } })
})

test('an index that a newer version made is left alone, and no provider is asked', async () => {
  const box = notes()
  await using provider = await nameProvider(box)
  await provider.run('index')
  const file = join(box.workspace, '.mnemark/main.sqlite')
  const bytes = readFileSync(file)
  // The schema version of SQLite's header.
  bytes.writeUInt32BE(99, 60)
  writeFileSync(file, bytes)
  const asked = provider.server.requests.length
  expect(await provider.run('search', 'attic')).toMatchObject({
    code: 4,
    document: {
      error: { code: 'schema-too-new', message: expect.stringContaining('99'), next: expect.stringContaining('Update') },
    },
  })
  expect(provider.server.requests.length).toBe(asked)
  expect(readFileSync(file).readUInt32BE(60)).toBe(99)
})

test('a space that nobody fills any more is shown by status and not searched', async () => {
  const box = notes()
  {
    await using provider = await nameProvider(box)
    await provider.run('index')
  }
  await using other = await nameProvider(box, { provider: 'none' })
  const { document } = await other.run('search', 'attic')
  expect(document).toMatchObject({ ...FOUND, mode: 'keywords', provider: null, degraded: [] })
  const status = await other.run('status')
  expect(status.document).toMatchObject({
    provider: null,
    chain: [],
    spaces: { 0: { space: { provider: 'openai' }, filled: 3 } },
    details: { scan: { spaces: { 0: { vectors: 3 } } } },
  })
  expect(other.server.requests).toEqual([])
})

test('a space of another model is kept beside the one that answers', async () => {
  const box = notes()
  {
    await using provider = await nameProvider(box)
    await provider.run('index')
  }
  await using other = await nameProvider(box, { outputDimensionality: 64 })
  await other.run('index')
  expect((await other.run('search', 'attic')).document).toMatchObject({ ...FOUND, mode: 'hybrid', degraded: [] })
  const { document } = await other.run('status')
  expect(document.spaces).toMatchObject([
    { dimensions: 32, filled: 3 },
    { dimensions: 64, filled: 3 },
  ])
})

test('of a query longer than the model takes the end is embedded, and words are looked for in all of it', async () => {
  const box = notes()
  await using provider = await nameProvider(box)
  await provider.run('index')
  const query = `attic ${'lorem ipsum dolor sit amet '.repeat(4_000)} the last question`
  const { code, document } = await provider.run('search', query)
  expect([code, document]).toMatchObject([0, { ...FOUND, mode: 'hybrid' }])
  const sent = provider.server.calls.at(-1)?.texts[0] ?? ''
  expect(sent.length).toBeLessThan(query.length)
  expect(sent.endsWith('the last question')).toBe(true)
})

test.each([
  ['no number at all', 0, /missing or not a list of numbers/],
  ['10,000 numbers', 10_000, /10000.*32|32.*10000/],
])('a provider that answers with %s is unavailable, with the reason named; words stay', async (_, length, reason) => {
  const box = notes()
  await using provider = await nameProvider(box)
  await provider.run('index')
  const asIs = provider.server.calls.length
  provider.server.behave({ vectors: (vectors) => vectors.map(() => Array.from({ length }, () => 0.5)) })
  const { code, document } = await provider.run('search', 'attic')
  expect([code, document]).toMatchObject([
    3,
    { hits: [], mode: 'unavailable', degraded: { 0: { code: 'provider-unavailable', message: expect.stringMatching(reason) } } },
  ])
  expect(provider.server.calls.length).toBe(asIs + 1)
  box.write('memory/new.md', 'delta of the attic\n')
  const index = await provider.run('index')
  expect([index.code, index.document]).toMatchObject([0, { documents: { indexed: 1 }, vectors: { 0: { filled: 3 } } }])
  expect(index.document.degraded?.['0']?.code).toMatch(/^(?:provider-unavailable|space-incomplete)$/)
  expect(await provider.run('search', 'delta', '--keywords')).toMatchObject({
    code: 0,
    document: { hits: { 0: { path: 'memory/new.md' } } },
  })
})
