import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { hasReal, openQmd, OWNER, REAL, temporaryFolder, writeNotes } from './__fixtures__/open-qmd.ts'
import { qmdVariables } from './environment.ts'

// The installed program, by keywords, which needs no models. Each test runs several processes of it.
const SLOW = { timeout: 600_000 }

/** Runs the program as typed by hand, on the home of an agent. */
function byHand(open: ReturnType<typeof openQmd>, ...words: readonly string[]): string {
  const environment = { ...process.env, ...qmdVariables(open.home), NO_COLOR: '1' }
  return spawnSync(REAL, words, { env: environment, encoding: 'utf8', cwd: open.home.root }).stdout
}

describe.skipIf(!hasReal)('the real program', SLOW, () => {
  test('indexes, finds with lines and citation, and reads what it found', async () => {
    const notes = {
      'MEMORY.md': '# Memory\n\nThe router has VLAN 10.\n',
      'memory/2026-03-01.md': '# Day\n\nquiet\n\n## Evening\n\nThe router was moved.\n\nLater more.\n',
      'memory/东京 出差.md': '# 旅行\n\nrouter in Tokyo\n',
      'bank/entities/router.md': '# Router\n\nA router is bought.\n',
      'unrelated.md': 'a router outside the notes\n',
    }
    const { qmd, search } = openQmd({ notes })
    expect(await qmd.sync()).toMatchObject({ total: 4, indexed: 4, unchanged: 0, removed: 0, isComplete: true })
    const { hits, ...reply } = await search('router')
    expect(reply).toMatchObject({ backend: 'qmd', mode: 'keywords', stale: false, degraded: [], provider: null })
    expect(hits.map(({ path }) => path).toSorted()).toEqual(Object.keys(notes).toSorted().slice(0, 4))
    for (const hit of hits) {
      expect(hit).toMatchObject({ source: 'memory', citation: `${hit.path}#L${hit.startLine}-L${hit.endLine}` })
      expect(hit.snippet).toMatch(/router/i)
      expect(hit.snippet.endsWith(`Source: ${hit.citation}`)).toBe(true)
      const [[start, end] = [0, 0]] = hit.highlights
      expect(hit.snippet.slice(start, end).toLowerCase()).toBe('router')
      const read = await qmd.read({ path: hit.path, from: hit.startLine, lines: hit.endLine - hit.startLine + 1, caller: OWNER })
      expect(read).toMatchObject({ status: 'ok', text: hit.snippet.replace(/\nSource: .*$/, '') })
      expect((await qmd.read({ path: hit.citation, caller: OWNER })).path).toBe(hit.path)
    }
  })

  test('takes up changed, new and removed files, and says before it does that it is behind', async () => {
    const { qmd, search, write, workspace } = openQmd({
      notes: { 'MEMORY.md': 'apple\n', 'memory/a.md': 'banana\n', 'memory/b.md': 'cherry\n' },
    })
    await qmd.sync()
    expect((await qmd.status()).isDirty).toBe(false)
    write({ 'memory/a.md': 'damson fruit\n', 'memory/c.md': 'elder fruit\n' })
    rmSync(join(workspace, 'memory/b.md'))
    expect(await qmd.sync({ isDryRun: true })).toMatchObject({ total: 3, indexed: 2, unchanged: 1, removed: 1 })
    expect(await search('fruit')).toMatchObject({ hits: [], stale: true, degraded: [{ code: 'stale' }] })
    expect(await search('cherry')).toMatchObject({ hits: [], stale: true })
    expect((await qmd.status()).isDirty).toBe(true)
    expect(await qmd.sync()).toMatchObject({ total: 3, indexed: 2, unchanged: 1, removed: 1 })
    expect((await search('fruit')).hits.map(({ path }) => path).toSorted()).toEqual(['memory/a.md', 'memory/c.md'])
    expect((await search('banana')).hits).toEqual([])
    expect(await qmd.status()).toMatchObject({ isDirty: false, documents: 3, details: { version: expect.stringMatching(/^\d/) } })
  })

  test('two agents have homes of their own', async () => {
    const place = temporaryFolder()
    const [main, work] = ['main', 'work'].map((agentId) => openQmd({ place, agentId }))
    if (!main || !work) throw new Error('two agents')
    await main.qmd.sync()
    expect(work.qmd.cannotAnswer({ text: 'router', caller: OWNER })).toContain('no index')
    const refusal = (text: string, filter: object): string | null => work.qmd.cannotAnswer({ text, filter, caller: OWNER })
    expect(refusal('router', { tags: [], since: '' })).toContain('no index')
    expect(refusal('router', { paths: ['memory/**'], all: [{ tags: ['home'] }] })).toContain('knows nothing about tags')
    expect(refusal(' ', { paths: ['memory/**'] })).toContain('lists nothing without a word')
    expect(await work.search('router')).toMatchObject({ hits: [], mode: 'unavailable', degraded: [{ code: 'backend-warming' }] })
    await work.qmd.sync()
    expect([main.home.index, work.home.index].map((file) => existsSync(file))).toEqual([true, true])
    byHand(work, 'collection', 'remove', 'memory-root')
    expect((await main.search('router')).hits).toHaveLength(1)
    expect(statSync(main.home.config).mode & 0o077).toBe(0)
  })

  test('more collections: outside the workspace as qmd/<collection>/<path>, inside by their own path, single files too', async () => {
    const place = temporaryFolder()
    writeNotes(join(place, 'hand book'), {
      'Über uns/rules.md': 'zebra rules\n',
      'skip.txt': 'zebra\n',
      'draft.excalidraw.md': 'zebra drawing\n',
    })
    writeNotes(join(place, 'workspace'), { 'MEMORY.md': 'x\n', 'docs/plan.md': 'zebra plan\n' })
    writeNotes(place, { 'single.md': 'zebra alone\n' })
    const paths = [{ path: '../hand book' }, { path: 'docs', name: 'docs' }, { path: join(place, 'single.md') }]
    const { qmd, search } = openQmd({ place, collections: { paths } })
    await qmd.sync()
    const { hits } = await search('zebra', { limit: 10 })
    expect(hits.map(({ path }) => path).toSorted()).toEqual([
      'docs/plan.md',
      'qmd/hand-book/Über uns/rules.md',
      'qmd/single.md/single.md',
    ])
    for (const { path, citation } of hits) {
      expect(await qmd.read({ path, caller: OWNER })).toMatchObject({
        path,
        status: 'ok',
        text: expect.stringContaining('zebra'),
      })
      expect(await qmd.read({ path: citation, caller: OWNER })).toMatchObject({ path })
    }
    for (const path of [
      'qmd/hand-book/../../../../x.md',
      'qmd/hand-book/skip.txt',

      '../hand book/Über uns/rules.md',
    ]) {
      const error: unknown = await qmd.read({ path, caller: OWNER }).catch((reason: unknown) => reason)
      expect([path, WorkspaceError.isInstance(error) && error.code]).toEqual([path, 'refused'])
      expect(String(error)).not.toContain(place)
    }
    expect((await search('zebra', { filter: { paths: ['qmd/**'] } })).hits).toHaveLength(2)
    expect((await search('zebra', { filter: { excludePaths: ['qmd/**'] } })).hits).toHaveLength(1)
  })

  test('the folder of session transcripts is a collection, empty for now, with a source of its own', async () => {
    const place = temporaryFolder()
    const sessions = join(place, 'state/agents/main/qmd/sessions')
    const open = openQmd({ place, collections: { sessionsFolder: sessions } })
    expect(await open.qmd.sync()).toMatchObject({ total: 1, degraded: [] })
    writeNotes(sessions, { '2026-03-01-abc.md': 'User: where is the router?\n' })
    await open.qmd.sync()
    const find = async (sources: readonly string[]): Promise<string[]> =>
      (await open.search('router', { filter: { sources } })).hits.map(({ path }) => path)
    expect(await find(['sessions'])).toEqual(['qmd/sessions/2026-03-01-abc.md'])
    expect(await find(['memory'])).toEqual(['MEMORY.md'])
    expect((await find([])).length, 'an empty list counts as left out').toBe(2)
  })

  test('B76: a collection that is there under another name is renamed; one that is somebody’s own stays', async () => {
    const open = openQmd()
    await open.qmd.sync()
    byHand(open, 'collection', 'rename', 'memory-root', 'mine')
    writeNotes(join(open.workspace, '..', 'other'), { 'o.md': 'the router of others\n' })
    byHand(open, 'collection', 'add', join(open.workspace, '..', 'other'), '--name', 'own')
    rmSync(join(open.home.root, 'upkeep.json'))
    await open.qmd.sync()
    expect(byHand(open, 'collection', 'list')).toMatch(/memory-root[^]*own|own[^]*memory-root/)
    expect(byHand(open, 'collection', 'list')).not.toContain('mine')
    expect((await open.search('router')).hits.map(({ path }) => path)).toEqual(['MEMORY.md'])
  })

  test('B76: one whose name is taken is used by the name it has', async () => {
    const open = openQmd({ collections: { paths: [{ path: '../book', name: 'book' }] } })
    writeNotes(join(open.workspace, '..', 'book'), { 'b.md': 'zebra\n' })
    writeNotes(join(open.workspace, '..', 'other'), { 'o.md': 'zebra of others\n' })
    mkdirSync(open.home.config, { recursive: true })
    byHand(open, 'collection', 'add', join(open.workspace, '..', 'other'), '--name', 'book')
    byHand(open, 'collection', 'add', join(open.workspace, '..', 'book'), '--name', 'theirs')
    await open.qmd.sync()
    expect((await open.search('zebra')).hits.map(({ path }) => path)).toEqual(['qmd/book/b.md'])
  })

  test('a collection that means something else now is registered anew, one that is not wanted goes', async () => {
    const place = temporaryFolder()
    writeNotes(place, { 'one/a.md': 'zebra one\n', 'two/b.md': 'zebra two\n' })
    const first = openQmd({
      place,
      collections: {
        paths: [
          { path: '../one', name: 'book' },
          { path: '../two', name: 'more' },
        ],
      },
    })
    await first.qmd.sync()
    expect((await first.search('zebra')).hits).toHaveLength(2)
    await first.qmd.close()
    const second = openQmd({ place, collections: { paths: [{ path: '../two', name: 'book' }] } })
    await second.qmd.sync()
    expect((await second.search('zebra')).hits.map(({ path }) => path)).toEqual(['qmd/book/b.md'])
    expect(byHand(second, 'collection', 'list')).not.toContain('more')
  })

  test('B76: MEMORY.md and memory.md are never two collections of one file', async () => {
    const { qmd, search, workspace } = openQmd({ notes: { 'memory.md': 'the router\n', 'memory/a.md': 'x\n' } })
    expect(await qmd.sync()).toMatchObject({ total: 2 })
    expect((await search('router')).hits.map(({ path }) => path)).toEqual(['memory.md'])
    renameSync(join(workspace, 'memory.md'), join(workspace, 'MEMORY.md'))
    await qmd.close()
    const again = openQmd({ place: join(workspace, '..'), notes: {} })
    await again.qmd.sync()
    expect((await again.search('router')).hits.map(({ path }) => path)).toEqual(['MEMORY.md'])
  })

  test('a .qmd folder among the notes, and variables of the user, lead nowhere else', async () => {
    const place = temporaryFolder()
    writeNotes(join(place, 'state'), { '.qmd/index.yml': 'collections: {}\n' })
    const elsewhere = { INDEX_PATH: join(place, 'wrong.sqlite'), QMD_CONFIG_DIR: join(place, 'wrong') }
    const { qmd, search, home } = openQmd({
      place,
      environment: { ...process.env, ...elsewhere, XDG_CACHE_HOME: join(place, 'none') },
    })
    await qmd.sync()
    expect((await search('router')).hits).toHaveLength(1)
    expect(
      [join(place, 'wrong.sqlite'), join(place, 'wrong'), join(place, 'state/.qmd/index.sqlite')].filter((path) =>
        existsSync(path),
      ),
    ).toEqual([])
    expect(existsSync(home.index)).toBe(true)
  })

  test('hostile questions are words', async () => {
    const { qmd, search } = openQmd()
    await qmd.sync()
    for (const text of [
      '"',
      "'; DROP TABLE documents; --",
      'NEAR(router, 2)',
      'router AND',
      '-n 0 router',
      '(((',
      'a*b*c',
      'router\nVLAN',
      '\u0000router',
      'x'.repeat(5_000),
    ]) {
      expect((await search(text)).backend).toBe('qmd')
    }
    expect((await search('router\n\nVLAN')).hits).toHaveLength(1)
  })

  test('a missing folder of a collection is named, and the rest is searched', async () => {
    const { qmd, search } = openQmd({ collections: { paths: [{ path: '../gone', name: 'gone' }] } })
    const report = await qmd.sync()
    expect(report).toMatchObject({
      total: 1,
      isComplete: false,
      degraded: [{ code: 'source-failed', message: expect.stringContaining('gone') }],
    })
    const reply = await search('router')
    expect(reply.hits).toHaveLength(1)
    expect(reply.degraded.map(({ code }) => code)).toEqual(['source-failed'])
  })

  test('text that has moved in its file is cited where it is now', async () => {
    const { qmd, search, write } = openQmd({ notes: { 'MEMORY.md': 'The router has VLAN 10.\n' } })
    await qmd.sync()
    write({ 'MEMORY.md': 'A new line.\n\nThe router has VLAN 10.\n' })
    expect(await search('router')).toMatchObject({ stale: true, hits: [{ citation: 'MEMORY.md#L3-L3' }] })
  })

  test('the models of the user are used, not fetched again', async () => {
    const place = temporaryFolder()
    const models = join(place, 'users-cache/qmd/models')
    writeNotes(models, { 'hf_embed.gguf': 'GGUF' })
    const { qmd, home } = openQmd({ place })
    await qmd.sync()
    expect(readFileSync(join(home.models, 'hf_embed.gguf'), 'utf8')).toBe('GGUF')
    await qmd.close()
    symlinkSync(models, join(place, 'link'))
    writeFileSync(join(models, 'more.gguf'), 'GGUF')
    expect(existsSync(join(home.models, 'more.gguf'))).toBe(true)
  })
})
