import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { childEnvironment, formatExports } from './environment.ts'
import { qmdHome } from './home.ts'

const home = qmdHome("/s t/it's", 'main')

test('the home of an agent is as documented', () => {
  expect(home).toMatchObject({
    root: "/s t/it's/agents/main/qmd",
    config: "/s t/it's/agents/main/qmd/xdg-config",
    cache: "/s t/it's/agents/main/qmd/xdg-cache",
    sessions: "/s t/it's/agents/main/qmd/sessions",
  })
})

describe('exports', () => {
  test('a shell reads them as they are meant', () => {
    const script = `${formatExports(home, 'posix', { INDEX_PATH: '/x' })}\nprintf '%s|%s|%s' "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$INDEX_PATH"`
    const { stdout } = spawnSync('sh', ['-c', script], { env: { INDEX_PATH: '/x' }, encoding: 'utf8' })
    expect(stdout).toBe(`${home.config}|${home.cache}|`)
  })

  test('PowerShell has its own form', () => {
    expect(formatExports(home, 'powershell').split('\n')[0]).toBe(
      "$env:XDG_CONFIG_HOME = '/s t/it''s/agents/main/qmd/xdg-config'",
    )
  })
})

test('the program gets the environment but for what would lead it elsewhere', () => {
  const environment = childEnvironment(home, {
    PATH: '/bin',
    INDEX_PATH: '/x',
    QMD_CONFIG_DIR: '/y',
    XDG_CACHE_HOME: '/z',
    HF_ENDPOINT: 'h',
  })
  expect(environment).toEqual({
    PATH: '/bin',
    HF_ENDPOINT: 'h',
    XDG_CONFIG_HOME: home.config,
    XDG_CACHE_HOME: home.cache,
    NO_COLOR: '1',
    PWD: home.root,
  })
})

test('P108: the program is given no key, by whatever name', () => {
  const keys = [
    'OPENAI_API_KEY',
    'VOYAGE_API_KEY',
    'GEMINI_API_KEY',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'HF_TOKEN',
    'MY_THING',
  ]
  const odd = [
    'QMD_API_KEY',
    'XDG_SECRET',
    'NODE_OPTIONS',
    'DATABASE_URL',
    'openai_api_key',
    'SSH_AUTH_SOCK',
    'npm_config__authToken',
  ]
  const given = Object.fromEntries([...keys, ...odd].map((name) => [name, 'hunter22']))
  const environment = childEnvironment(home, { ...given, PATH: '/bin', Path: '/bin', LC_ALL: 'C', https_proxy: 'p' })
  expect(JSON.stringify(environment)).not.toContain('hunter22')
  expect(environment).toMatchObject({ PATH: '/bin', LC_ALL: 'C', https_proxy: 'p' })
})
