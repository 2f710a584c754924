import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDocsServer } from './serve-docs.ts'

const PAGES = {
  'en/install.md': '# Install\n\nSet `cache.maxBytes` before the first start.\n\n## Backups\n\nBackups run every night.\n',
  'ar/install.md': '# التثبيت\n\nاضبط الإعدادات قبل التشغيل الأول.\n\n## النسخ الاحتياطي\n\nيجري النسخ الاحتياطي كل ليلة.\n',
  'zh/install.md': '# 安装\n\n首次启动前请修改配置。\n\n## 备份\n\n每天晚上自动备份。\n',
  'de/install.md': '# Installation\n\nVor dem ersten Start die Größe des Zwischenspeichers festlegen.\n',
}
let folder: string
let server: Awaited<ReturnType<typeof openDocsServer>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemark-docs-search-'))
  for (const [path, text] of Object.entries(PAGES)) {
    mkdirSync(dirname(join(folder, 'docs', path)), { recursive: true })
    writeFileSync(join(folder, 'docs', path), text)
  }
  server = await openDocsServer(join(folder, 'docs'), join(folder, 'docs.sqlite'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(async () => {
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true, force: true })
})

async function ask(query: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const response = await fetch(`http://127.0.0.1:${address.port}${query}`)
  return { status: response.status, body: await response.json() }
}

test.each([
  ['cache.maxBytes', 'en/install.md', 3],
  ['الاعدادات', 'ar/install.md', 3],
  ['نسخ احتياطي', 'ar/install.md', 5],
  ['备份', 'zh/install.md', 5],
  ['Groesse', 'de/install.md', 3],
])('%s is found in %s, line %i', async (words, path, line) => {
  const { status, body } = await ask(`/search?limit=1&q=${encodeURIComponent(words)}`)
  expect(status).toBe(200)
  const first = { path, line, text: expect.any(String), score: expect.any(Number) }
  expect(body).toMatchObject({ hits: [first] })
})

test('a page that changed is read again, and limit is kept', async () => {
  appendFileSync(join(folder, 'docs/en/install.md'), '\n## Zugspitze\n\nA word that was not there.\n')
  const { body } = await ask('/search?q=Zugspitze&limit=1')
  expect(body).toMatchObject({ hits: [{ path: 'en/install.md' }] })
})

test.each(['/search', '/search?q=%20', '/search?q=a&limit=0', '/search?q=a&limit=x'])('%s is refused', async (query) => {
  expect(await ask(query)).toMatchObject({ status: 400, body: { error: expect.stringContaining('Give words') } })
})

test('nothing else is there', async () => {
  expect(await ask('/docs.sqlite')).toMatchObject({ status: 404 })
})
