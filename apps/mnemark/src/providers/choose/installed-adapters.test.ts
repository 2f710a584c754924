import { sep } from 'node:path'
import { expect, test } from 'vitest'
import { INSTALLED, installCommand } from './installed-adapters.ts'
import { PROVIDER_IDS } from '../../config/schema/provider-ids.ts'

const native = (path: string): string => path.replaceAll('/', sep)

test.each([
  ['/usr/lib/node_modules/mnemark/dist/x.js', [], 'npm install -g P'],
  ['/home/a/.npm/_npx/1f/node_modules/mnemark/dist/x.js', ['/home/a/.npm/_npx/1f/package.json'], 'npx -p mnemark -p P mnemark'],
  ['/home/a/bot/node_modules/mnemark/dist/x.js', ['/home/a/bot/package.json'], 'npm install --prefix /home/a/bot P'],
  [
    '/home/a/bot/node_modules/.pnpm/mnemark@1.0.0/node_modules/mnemark/dist/x.js',
    ['/home/a/bot/package.json', '/home/a/bot/pnpm-lock.yaml'],
    'pnpm add --dir /home/a/bot P',
  ],
  ['/home/a/.local/share/pnpm/global/v11/1/node_modules/mnemark/dist/x.js', [], 'pnpm add -g mnemark P'],
  ['/home/a/mnemark/apps/mnemark/src/x.ts', [], 'pnpm install'],
])('what installs a package beside %s', (program, files, command) => {
  const there = files.map(native)
  expect(installCommand('P', native(program), (path) => there.includes(path))).toBe(native(command))
})

test('a checkout has all adapters', () => {
  expect(PROVIDER_IDS.filter((id) => !INSTALLED.isInstalled(id))).toEqual([])
})
