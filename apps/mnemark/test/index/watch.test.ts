import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { WatchProcess } from '../harness/watch-process.ts'

const QUICK = '{ agents: { defaults: { memorySearch: { sync: { watchDebounceMs: 30 } } } } }'

describe('watch', () => {
  test('B37, B40: notes present at the start, new, changed and deleted ones are followed, and temporary files are not', async () => {
    const box = new Sandbox({ 'memory/a.md': 'velvet\n', 'mnemark.json5': QUICK })
    const watch = new WatchProcess(box)
    expect(await watch.next(({ event }) => event === 'watching')).toMatchObject({ workspace: box.workspace })
    expect(await watch.next(({ event }) => event === 'synced')).toMatchObject({
      reason: 'start',
      total: 1,
      indexed: 1,
      chunks: 1,
    })
    await watch.next(({ event }) => event === 'synced')
    box.write('memory/x.tmp', 'churn')
    box.write('memory/notes/deep/b.md', 'walnut\n')
    expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({
      event: 'synced',
      reason: 'watch',
      paths: ['memory/notes/deep/b.md'],
      indexed: 1,
    })
    rmSync(join(box.workspace, 'memory/a.md'))
    expect(await watch.next(({ removed }) => Number(removed) > 0)).toMatchObject({ paths: ['memory/a.md'], removed: 1 })
    expect(box.json(['search', 'velvet']).document.hits).toEqual([])
    expect(await watch.stop('SIGTERM')).toBe(0)
  })

  test('B39: a note saved by renaming is indexed again, and Ctrl+C ends the watch as done', async () => {
    const box = new Sandbox({ 'MEMORY.md': 'velvet\n', 'mnemark.json5': QUICK })
    const watch = new WatchProcess(box)
    await watch.ready()
    writeFileSync(join(box.workspace, '.MEMORY.md.swp'), 'indigo\n')
    renameSync(join(box.workspace, '.MEMORY.md.swp'), join(box.workspace, 'MEMORY.md'))
    expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({ paths: ['MEMORY.md'] })
    const stopped = watch.next(({ event }) => event === 'stopped')
    expect(await watch.stop('SIGINT')).toBe(0)
    expect(await stopped).toEqual({ event: 'stopped' })
  })

  test('with sync.watch off the folder is looked at every sync.intervalMinutes', async () => {
    const sync = '{ watch: false, intervalMinutes: 0.001 }'
    const box = new Sandbox({ 'MEMORY.md': 'velvet\n', 'mnemark.json5': `{ memory: { search: { sync: ${sync} } } }` })
    const watch = new WatchProcess(box)
    await watch.next(({ reason }) => reason === 'start')
    box.write('MEMORY.md', 'indigo\n')
    expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({ reason: 'interval', total: 1 })
    expect(await watch.stop('SIGTERM')).toBe(0)
  })

  test('with nothing to wait for it says so at once', () => {
    const box = new Sandbox({
      'MEMORY.md': 'velvet\n',
      'mnemark.json5': '{ memory: { search: { sync: { watch: false, intervalMinutes: 0 } } } }',
    })
    expect(box.json(['watch'])).toMatchObject({ code: 3, document: { error: { code: 'nothing-to-do' } } })
  })
})
