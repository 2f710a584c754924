import assert from 'node:assert/strict'
import { StoreError, WorkspaceError } from '@mnemark/spec'
import { type BackendCase, errorOf, OWNER, pathsFor, read, search } from './backend-context.ts'

const THREE = { 'MEMORY.md': 'amber\n', 'memory/b.md': 'birch\n', 'memory/c.md': 'cedar\n' }

export const upkeepCases: readonly BackendCase[] = [
  {
    id: 'M13',
    title: 'a sync takes up new, changed and removed notes, and counts them; with nothing to do it does nothing',
    async run(context) {
      const { backend, write, remove } = await context.open(THREE)
      const counts = async (): Promise<readonly number[]> => {
        const { total, indexed, unchanged, removed, isComplete } = await backend.sync()
        assert.equal(isComplete, true)
        return [total, indexed, unchanged, removed]
      }
      assert.deepEqual(await counts(), [3, 3, 0, 0])
      assert.deepEqual(await counts(), [3, 0, 3, 0])
      await write('memory/b.md', 'beech instead\n')
      await write('memory/d.md', 'damson\n')
      await remove('memory/c.md')
      assert.deepEqual(await counts(), [3, 2, 1, 1])
      const found = await Promise.all(['birch', 'beech', 'cedar', 'damson', 'amber'].map((word) => pathsFor(backend, word)))
      assert.deepEqual(found, [[], ['memory/b.md'], [], ['memory/d.md'], ['MEMORY.md']])
    },
  },
  {
    id: 'M14',
    title: 'a dry run counts what it would do, and does nothing',
    async run(context) {
      const { backend, write } = await context.openSynced(THREE)
      await write('memory/b.md', 'beech instead\n')
      const { total, indexed, unchanged, removed } = await backend.sync({ isDryRun: true })
      assert.deepEqual([total, indexed, unchanged, removed], [3, 1, 2, 0])
      assert.equal((await backend.status()).isDirty, true)
      const report = await backend.sync()
      assert.deepEqual([report.indexed, report.unchanged], [1, 2])
    },
  },
  {
    id: 'M15',
    title: 'after a change a search knows it, or says that it is stale',
    async run(context) {
      const { backend, write } = await context.openSynced(THREE)
      assert.equal((await search(backend, 'birch')).stale, false)
      await write('memory/d.md', 'damson\n')
      const { hits, stale, degraded } = await search(backend, 'damson')
      if (hits.length === 0)
        assert.ok(stale && degraded.some(({ code }) => code === 'stale'), 'it does not know, and does not say so')
      assert.deepEqual(
        hits.map(({ path }) => path),
        hits.length === 0 ? [] : ['memory/d.md'],
      )
    },
  },
  {
    id: 'M16',
    title: 'status counts the documents, and is dirty whenever notes and index differ',
    async run(context) {
      const { backend, write, remove } = await context.open(THREE)
      assert.equal((await backend.status()).isDirty, true)
      await backend.sync()
      const clean = await backend.status()
      assert.deepEqual([clean.documents, clean.isDirty, clean.degraded.filter(({ code }) => code === 'stale')], [3, false, []])
      await write('memory/d.md', 'damson\n')
      assert.equal((await backend.status()).isDirty, true)
      await backend.sync()
      await remove('memory/d.md')
      assert.equal((await backend.status()).isDirty, true)
    },
  },
  {
    id: 'M17',
    title: 'a note is read by line; one that is not there is no error; any other path is refused without a word about it',
    async run(context) {
      const { backend } = await context.open({ ...THREE, 'memory/lines.md': 'one\ntwo\nthree\n' })
      const lines = await read(backend, 'memory/lines.md', { from: 2, lines: 1 })
      assert.deepEqual([lines.status, lines.text.trimEnd(), lines.startLine, lines.endLine], ['ok', 'two', 2, 2])
      const missing = await read(backend, 'memory/missing.md')
      assert.deepEqual([missing.status, missing.text, missing.startLine, missing.endLine], ['not-found', '', 0, 0])
      for (const path of ['../outside.md', 'memory/../../outside.md', '/etc/hostname', '', 'qmd/elsewhere/../../../x.md']) {
        const error = await errorOf(read(backend, path))
        assert.ok(WorkspaceError.isInstance(error) && error.code === 'refused', `${JSON.stringify(path)}: ${String(error)}`)
        assert.doesNotMatch(error.message, /outside|hostname/)
      }
    },
  },
  {
    id: 'M18',
    title: 'an ended signal ends every call with its reason',
    async run(context) {
      const { backend } = await context.openSynced(THREE)
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      const calls = [
        search(backend, 'birch', { signal }),
        backend.list({ caller: OWNER, signal }),
        backend.read({ path: 'MEMORY.md', caller: OWNER, signal }),
        backend.sync({ signal }),
        backend.status({ signal }),
      ]
      for (const error of await Promise.all(calls.map(errorOf))) assert.equal(error, reason)
      assert.deepEqual(await pathsFor(backend, 'birch'), ['memory/b.md'])
    },
  },
  {
    id: 'M19',
    title: 'two backends share nothing',
    async run(context) {
      const one = await context.openSynced({ 'MEMORY.md': 'amber\n' })
      const other = await context.openSynced({ 'MEMORY.md': 'birch\n' })
      assert.deepEqual(await pathsFor(one.backend, 'birch'), [])
      assert.deepEqual(await pathsFor(other.backend, 'amber'), [])
      assert.deepEqual(await pathsFor(one.backend, 'amber'), ['MEMORY.md'])
    },
  },
  {
    id: 'M20',
    title: 'it can be closed twice, and is closed then',
    async run(context) {
      const { backend } = await context.openSynced(THREE)
      await backend.close()
      await backend.close()
      const list = backend.list({ caller: OWNER })
      const calls = [search(backend, 'birch'), list, read(backend, 'MEMORY.md'), backend.sync(), backend.status()]
      for (const error of await Promise.all(calls.map(errorOf))) {
        assert.ok(StoreError.isInstance(error) && error.code === 'closed', String(error))
      }
    },
  },
]
