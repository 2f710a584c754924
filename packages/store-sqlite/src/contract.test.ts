import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryStore } from '@mnemark/spec'
import { describeMemoryStore } from '@mnemark/testkit/vitest'
import { afterAll } from 'vitest'
import { openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'store-sqlite-'))
const paths = new WeakMap<MemoryStore, string>()
let count = 0

async function open(path: string): Promise<MemoryStore> {
  const store = await openSqliteStore({ path })
  paths.set(store, path)
  return store
}

function openAgain(store: MemoryStore): Promise<MemoryStore> {
  return open(paths.get(store) ?? '')
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeMemoryStore('sqlite', { create: () => open(join(folder, `${count++}.sqlite`)), reopen: openAgain, openSecond: openAgain })
