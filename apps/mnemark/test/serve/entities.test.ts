import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { serveConfig } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'

const PAGE = '# Mara\n'
const NOTES = {
  'MEMORY.md': '# Memory\n',
  'bank/entities/Mara.md': PAGE,
  'memory/2026-03-01.md':
    '# Day\nRain.\n\n## Retain\n- W @مارا: owns a boat\n- W @Mara: has the key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789\n',
}

function notes(config: object): Sandbox {
  return new Sandbox({ ...NOTES, 'mnemark.json5': JSON.stringify(config) })
}

test('names are listed, described, joined and parted over HTTP', async () => {
  const box = notes(JSON.parse(serveConfig()))
  const server = await startServe(box)
  expect(await server.get('/v1/entities')).toMatchObject({
    status: 200,
    body: { entities: [{ name: 'Mara', facts: 1 }, { name: 'مارا' }] },
  })
  const described = await server.get('/v1/entities?name=Mara')
  expect(described).toMatchObject({
    status: 200,
    body: { entities: [{ page: 'bank/entities/Mara.md' }], facts: [{ kind: 'world' }], near: [] },
  })
  expect(JSON.stringify(described.body)).not.toContain('sk-proj-abcdefghijklmnopqrstuvwxyz')
  expect(await server.get('/v1/entities?name=Marra')).toMatchObject({ status: 200, body: { entities: [], near: ['Mara'] } })
  const names = ['مارا', 'Mara']
  expect(await server.post('/v1/entities/merge', { names })).toMatchObject({
    status: 200,
    body: {
      status: 'merged',
      entity: { name: 'Mara', facts: 2 },
      changes: [{ path: 'bank/entities/Mara.md' }],
      done: { loser: 'مارا' },
    },
  })
  expect(await server.post('/v1/entities/merge', { names })).toMatchObject({ body: { status: 'unchanged', changes: [] } })
  expect(await server.get('/v1/entities')).toMatchObject({ body: { entities: [{ name: 'Mara', aliases: ['مارا'], facts: 2 }] } })
  expect(await server.post('/v1/entities/unmerge', { names })).toMatchObject({ status: 200, body: { status: 'parted' } })
  expect(readFileSync(join(box.workspace, 'bank/entities/Mara.md'), 'utf8')).toBe(PAGE)
})

test('what cannot be joined has a status of its own; input is checked; read-only servers and scopes are obeyed', async () => {
  const server = await startServe(notes(JSON.parse(serveConfig())))
  const merge = (body: object, caller = {}): Promise<unknown> => server.post('/v1/entities/merge', body, caller)
  expect(await merge({ names: ['Mara', 'Nobody'] })).toMatchObject({ status: 404, body: { error: { code: 'unknown-entity' } } })
  expect(await merge({ names: ['Mara', 'MARA'] })).toMatchObject({ status: 400, body: { error: { code: 'same-name' } } })
  for (const body of [{}, { names: ['Mara'] }, { names: ['a', 'b', 'c'] }, { names: 'Mara' }, { names: ['a', 'b'], yes: 1 }])
    expect(await merge(body)).toMatchObject({ status: 400, body: { error: { code: 'bad-input' } } })
  const names = ['Mara', 'مارا']
  expect(await merge({ names }, { 'mnemark-chat-type': 'group' })).toMatchObject({
    status: 403,
    body: { error: { code: 'denied' } },
  })
  const group = { 'mnemark-chat-type': 'group' }
  expect(await server.get('/v1/entities?name=Mara', group)).toMatchObject({ body: { entities: [{ name: 'Mara' }] } })
  expect(JSON.stringify(await server.get('/v1/entities?name=Mara', group))).not.toContain('bank/')
  const readOnly = await startServe(notes(JSON.parse(serveConfig({ readOnly: true }))))
  expect(await readOnly.post('/v1/entities/merge', { names })).toMatchObject({
    status: 403,
    body: { error: { code: 'read-only' } },
  })
})
