import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LAUNCHER, Sandbox } from '../harness/launcher.ts'

test('P64: install puts a link on PATH that works from anywhere, and uninstall takes it away', () => {
  const box = new Sandbox({ 'MEMORY.md': '# Router\n\nvlan ten\n' })
  const bin = join(box.home, '.local/bin')
  const link = join(bin, 'mnemark')
  const env = { SHELL: '/usr/bin/zsh' }
  const first = box.run(['install'], { env })
  expect(first).toMatchObject({ code: 0, stdout: `${link} leads to ${LAUNCHER}\n` })
  expect(first.stderr).toContain(`${bin} is not on PATH`)
  expect(first.stderr).toContain(`export PATH='${bin}':"$PATH"    # in ~/.zshrc`)
  expect(box.run(['install'], { env: { SHELL: '/usr/bin/fish' } }).stderr).toContain(`fish_add_path '${bin}'`)
  expect(readlinkSync(link)).toBe(LAUNCHER)

  const PATH = `${bin}:${process.env.PATH}`
  expect(box.json(['install'], { env: { PATH } })).toEqual({
    code: 0,
    document: { link, target: LAUNCHER, status: 'exists', isOnPath: true },
  })
  const started = spawnSync('sh', ['-c', `exec mnemark search vlan --quiet --workspace '${box.workspace}'`], {
    cwd: '/',
    encoding: 'utf8',
    env: { ...box.environment(), PATH },
  })
  expect(started.stdout).toContain('vlan ten')
  expect(box.run(['uninstall'])).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(link)).toBe(false)
  expect(box.run(['uninstall']).code).toBe(1)
  expect(existsSync(LAUNCHER)).toBe(true)
})

test('only its own link is taken away, and nothing is replaced', () => {
  const box = new Sandbox()
  const bin = join(box.root, 'my bin')
  const to = ['--to', bin]
  mkdirSync(bin)
  const link = join(bin, 'mnemark')
  symlinkSync('/somewhere/else/mnemark', link)
  expect(box.run(['install', ...to])).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') })
  expect(box.run(['uninstall', ...to])).toMatchObject({ code: 2, stderr: expect.stringContaining('so it stays') })
  expect(lstatSync(link).isSymbolicLink()).toBe(true)

  const file = new Sandbox()
  file.write('mnemark', '#!/bin/sh\n')
  expect(file.run(['install', '--to', '.']).code).toBe(2)
  expect(file.run(['uninstall', '--to', '.']).code).toBe(2)
  expect(existsSync(join(file.workspace, 'mnemark'))).toBe(true)
})

test('another command of that name that comes first on PATH is named', () => {
  const box = new Sandbox()
  const other = join(box.root, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'mnemark'), '#!/bin/sh\n', { mode: 0o755 })
  const bin = join(box.home, '.local/bin')
  const { stderr } = box.run(['install'], { env: { PATH: `${other}:${bin}:${process.env.PATH}` } })
  expect(stderr).toContain(`${join(other, 'mnemark')} comes first on PATH`)
  expect(stderr).not.toContain('is not on PATH')
})
