import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createMemory } from '@mnemark/core'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { toFailure } from '../../src/failure.ts'
import { createRandom } from '../faults/random.ts'
import { sampleNote } from '../faults/sample-notes.ts'
import { LAUNCHER, Sandbox } from '../harness/launcher.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function start(box: Sandbox, argv: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', HOME: box.home, TZ: 'UTC' }
  const child = spawn(LAUNCHER, argv, { cwd: box.workspace, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })))
}

test('B41: three processes index one fresh workspace while a fourth searches: no error, no lost and no double row', async () => {
  const count = 250
  const random = createRandom(41)
  const box = new Sandbox({ 'memory/constant.md': 'the constant word is PERIWINKLE\n' })
  for (let number = 0; number < count; number++) box.write(`memory/note-${number}.md`, sampleNote(random, number))
  let isDone = false
  const indexing = Promise.all([1, 2, 3].map(() => start(box, ['index', '--json']))).finally(() => {
    isDone = true
  })
  const searches: Ended[] = []
  while (!isDone) searches.push(await start(box, ['search', 'periwinkle', '--json']))
  for (const { code, stderr } of [...(await indexing), ...searches]) expect([code, stderr]).toEqual([0, ''])
  for (const { stdout } of searches) expect(JSON.parse(stdout).hits[0].path).toBe('memory/constant.md')
  expect(box.json(['status']).document).toMatchObject({ documents: count + 1, dirty: false })
  const database = new Database(join(box.workspace, '.mnemark/main.sqlite'), { readonly: true })
  const doubles = database.prepare('SELECT count(*) FROM (SELECT 1 FROM chunks GROUP BY document, ordinal HAVING count(*) > 1)')
  expect(doubles.pluck().get()).toBe(0)
  database.close()
  expect(box.json(['doctor'])).toMatchObject({ code: 0 })
})

test('B42: a writer that keeps the index is waited for, then reported as what it is; a silent one is gone', async () => {
  const box = new Sandbox({ 'a.md': 'alpha\n' })
  expect(box.run(['index']).code).toBe(0)
  const file = join(box.workspace, '.mnemark/main.sqlite')
  const database = new Database(file)
  const sql =
    "INSERT OR REPLACE INTO leases (name, owner, host, pid, process_start, renewed_at_ms) VALUES ('write', 'x', 'elsewhere', 1, NULL, ?)"
  // Another machine's process, heard of just now: nothing tells that it is gone.
  database.prepare(sql).run(Date.now())
  box.write('b.md', 'beta\n')
  const waits: number[] = []
  const notes = await openWorkspace({ root: box.workspace })
  const memory = await createMemory({
    store: await openSqliteStore({ path: file }),
    sources: [notes.source],
    reader: notes.reader,
    // The half minute that a writer waits takes no time here.
    sleep: async (ms, signal) => {
      waits.push(ms)
      await setImmediate(undefined, signal ? { signal } : {})
    },
  })
  const failure = toFailure(await memory.sync().catch((error: unknown) => error))
  expect(failure).toMatchObject({ exitCode: 3, code: 'lease-held', next: expect.stringContaining('try again') })
  expect(Math.max(...waits)).toBe(30_000)
  const reply = await memory.search({ text: 'alpha', caller: { agentId: 'main' } })
  expect([reply.stale, reply.hits.map(({ path }) => path)]).toEqual([true, ['a.md']])
  await memory.close()
  database.prepare(sql).run(Date.now() - 61_000)
  database.close()
  expect(box.json(['index']).document.documents).toMatchObject({ total: 2, indexed: 1 })
})
