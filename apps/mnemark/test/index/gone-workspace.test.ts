import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { connect, TRANSPORTS } from '../harness/mcp-clients.ts'
import { serveConfig } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'
import { WatchProcess } from '../harness/watch-process.ts'

const WAYS: readonly (readonly [way: string, make: (place: string) => void])[] = [
  ['deleted', () => {}],
  ['replaced by an empty folder', (place) => mkdirSync(place)],
  ['a link to nothing', (place) => symlinkSync(`${place}-gone`, place)],
]

function workspace(): { readonly box: Sandbox; readonly state: string; readonly config: string } {
  const box = new Sandbox({ 'MEMORY.md': 'the lamp is velvet', 'memory/a.md': 'the door' })
  box.write('../mnemark.json5', serveConfig({}, { sync: { watchDebounceMs: 30 } }))
  return { box, state: join(box.root, 'state'), config: join(box.root, 'mnemark.json5') }
}

function replace({ workspace: place, root }: Sandbox, make: (place: string) => void): void {
  renameSync(place, join(root, 'elsewhere'))
  make(place)
}

/** Anything that was written at the place of the workspace. */
function written(place: string): readonly string[] {
  return existsSync(place) ? readdirSync(place) : []
}

const FAILED = [{ code: 'source-failed', message: expect.stringContaining('workspace folder') }]

test.each(TRANSPORTS.flatMap((transport) => WAYS.map(([way, make]) => [transport, way, make] as const)))(
  'P48: over %s, a workspace that is %s meanwhile still answers, says so, and is not made again',
  async (transport, _, make) => {
    const { box, state, config } = workspace()
    const client = await connect(transport, box, { argv: ['--workspace', box.workspace, '--state', state, '--config', config] })
    const call = (name: string, input: Readonly<Record<string, string>>) => client.callTool({ name, arguments: input })
    expect(await call('memory_search', { query: 'velvet' })).toMatchObject({
      _meta: { 'mnemark/data': { hits: [{}], degraded: [] } },
    })
    replace(box, make)
    expect(await call('memory_search', { query: 'velvet' })).toMatchObject({
      _meta: { 'mnemark/data': { hits: [{ path: 'MEMORY.md' }], degraded: FAILED } },
    })
    expect(await call('memory_search', { query: 'nowhere' })).toMatchObject({
      _meta: { 'mnemark/data': { hits: [], degraded: FAILED } },
    })
    for (const to of ['daily', 'memory', 'memory/b.md']) {
      expect(await call('memory_append', { text: 'x', to })).toMatchObject({
        isError: true,
        _meta: { 'mnemark/data': { error: { code: 'unreadable', message: expect.stringContaining('workspace folder') } } },
      })
    }
    expect(written(box.workspace)).toEqual([])
  },
)

test.each(WAYS)('P48: over HTTP, a workspace that is %s meanwhile is dirty and keeps what was indexed', async (_, make) => {
  const { box, state, config } = workspace()
  const server = await startServe(box, ['--workspace', box.workspace, '--state', state, '--config', config])
  expect(await server.post('/v1/sync', {})).toMatchObject({ status: 200 })
  replace(box, make)
  expect(await server.get('/v1/status')).toMatchObject({ body: { documents: 2, isDirty: true, degraded: FAILED } })
  expect(await server.post('/v1/sync', {})).toMatchObject({ body: { removed: 0, isComplete: false, degraded: FAILED } })
  expect(await server.get('/v1/status')).toMatchObject({ body: { documents: 2 } })
  expect(written(box.workspace)).toEqual([])
})

test.each(WAYS)('P48: a watched workspace that is %s is named, and taken up again when it is back', async (_, make) => {
  const { box, state, config } = workspace()
  const watch = new WatchProcess(box, ['--workspace', box.workspace, '--state', state, '--config', config])
  await watch.ready()
  rmSync(box.workspace, { recursive: true })
  make(box.workspace)
  expect(await watch.next(({ degraded }) => degraded !== undefined)).toMatchObject({
    removed: 0,
    isComplete: false,
    degraded: FAILED,
  })
  rmSync(box.workspace, { recursive: true, force: true })
  box.write('MEMORY.md', 'the lamp is velvet')
  box.write('memory/a.md', 'the window')
  expect(await watch.next(({ indexed }) => Number(indexed) > 0)).toMatchObject({ event: 'synced', removed: 0 })
})
