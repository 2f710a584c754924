import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryStore } from '@mnemark/spec'
import { describeMemoryStore } from '@mnemark/testkit/vitest'
import { afterAll } from 'vitest'
import { KeyValueFile } from './key-value-file.ts'
import { createKeyValueStore } from './key-value-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'key-value-'))
const opened = new WeakMap<MemoryStore, { readonly path: string; readonly file: KeyValueFile }>()
let count = 0

function open(path: string, file: KeyValueFile = new KeyValueFile(path)): MemoryStore {
  const store = createKeyValueStore(file)
  opened.set(store, { path, file })
  return store
}

describeMemoryStore('key-value', {
  levels: ['documents', 'keywords'],
  create: () => open(join(folder, `${count++}.json`)),
  reopen: (closed) => open(opened.get(closed)?.path ?? ''),
  openSecond: (store) => open(opened.get(store)?.path ?? '', opened.get(store)?.file),
})

afterAll(() => rmSync(folder, { recursive: true }))
