import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadSettings } from './load-settings.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mnemark-settings-'))
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'user'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const pointsTo = (workspace: string, rest = ''): string =>
  `{ agents: { defaults: { workspace: ${JSON.stringify(workspace)}, ${rest} } } }`

test('the workspace is the option, else configured, else the nearest folder with notes, else the current folder', async () => {
  write('notes/MEMORY.md')
  write('notes/deep/down/a.txt')
  write('other/b.md')
  write('plain/c.md')
  const deep = join(root, 'notes/deep/down')
  expect(await loadSettings({}, deep, {})).toMatchObject({
    workspace: join(root, 'notes'),
    workspaceFrom: 'found',
    configFile: null,
  })
  expect(await loadSettings({}, join(root, 'plain'), {})).toMatchObject({
    workspace: join(root, 'plain'),
    workspaceFrom: 'current',
  })
  write('user/mnemark/mnemark.json5', pointsTo(join(root, 'other')))
  expect(await loadSettings({}, deep, {})).toMatchObject({ workspace: join(root, 'other'), workspaceFrom: 'configuration' })
  expect(await loadSettings({ workspace: '../../../plain' }, deep, {})).toMatchObject({
    workspace: join(root, 'plain'),
    workspaceFrom: 'option',
  })
})

test('a file in the workspace comes before the one of the user, even when the user names the workspace', async () => {
  write('notes/memory/a.md')
  write('notes/mnemark.json5', '{ memory: { citations: "off" } }')
  write('user/mnemark/mnemark.json5', pointsTo(join(root, 'notes')))
  for (const folder of ['notes', 'user']) {
    const settings = await loadSettings({}, join(root, folder), {})
    expect(settings).toMatchObject({ workspace: join(root, 'notes'), configFile: join(root, 'notes/mnemark.json5') })
    expect(settings.memory.citations).toBe('off')
  }
})

test('--config is used alone, and a relative workspace counts from its folder', async () => {
  write('notes/mnemark.json5', '{ memory: { citations: "off" } }')
  write('settings/own.json5', pointsTo('../notes'))
  const settings = await loadSettings({ config: 'settings/own.json5' }, root, {})
  expect(settings).toMatchObject({ workspace: join(root, 'notes'), configFile: join(root, 'settings/own.json5') })
  expect(settings.memory.citations).toBeUndefined()
})

test('an option that names nothing usable and a configured workspace that is not there are told apart', async () => {
  write('file.md')
  for (const options of [{ workspace: 'missing' }, { workspace: 'file.md' }, { config: 'missing.json5' }, { agent: '../x' }]) {
    await expect(loadSettings(options, root, {})).rejects.toMatchObject({ name: 'CommandError', exitCode: 2 })
  }
  write('own.json5', pointsTo('missing'))
  await expect(loadSettings({ config: 'own.json5' }, root, {})).rejects.toMatchObject({
    name: 'ConfigError',
    code: 'invalid-value',
  })
})
