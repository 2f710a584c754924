import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { releaseProblems } from './check-release.ts'

const ROOT = join(import.meta.dirname, '../..')
const CONFIG = { changelog: '@changesets/cli/changelog', commit: false, access: 'public', baseBranch: 'main' }

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '0.1.0', type: 'module', files: ['dist'], ...more })

/** Problems of a release from a repository of two packages, of which one stands beside the other, with this changeset. */
function problemsWith(changeset: string, config: object = {}): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-repository-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: 'root', private: true }),
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    '.changeset/config.json': JSON.stringify({ ...CONFIG, ...config }),
    '.changeset/one.md': changeset,
    'packages/base/package.json': manifest('base'),
    'packages/top/package.json': manifest('top', { peerDependencies: { base: 'workspace:^' } }),
    'packages/base/dist/index.js': 'export {}\n',
    'packages/top/dist/index.js': 'export {}\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const git = (...words: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], { cwd: root, stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction')
  return releaseProblems(root)
}

test('a change becomes a version, a line of the changelog, and a tarball of that version', () => {
  expect(problemsWith('---\n"base": minor\n---\n\nFinds more.\n')).toEqual([])
})

test('a change that would not go out is said', () => {
  expect(problemsWith('---\n"base": minor\n---\n\nFinds more.\n', { ignore: ['base', 'top'] })).toEqual([
    'changesets are left over',
    'packages/base has changesets and stays 0.1.0',
    'packages/base/CHANGELOG.md has no "## 0.1.0"',
    'packages/base/CHANGELOG.md has no "Finds more."',
  ])
})

test('a changeset of a package that is not there is said', () => {
  expect(problemsWith('---\n"absent": minor\n---\n\nFinds more.\n')).toEqual([
    expect.stringMatching(/^changeset version fails: .*"?absent/s),
  ])
})
