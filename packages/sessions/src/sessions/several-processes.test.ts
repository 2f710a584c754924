import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { MAIN, newFolder, sessionsIn } from '../__fixtures__/sessions-folder.ts'

const WRITER = fileURLToPath(new URL('../__fixtures__/writer.ts', import.meta.url))
const NAMES = ['one', 'two', 'three', 'four']
const COUNT = 60

test('four processes on one key, each resetting it: every message is in one transcript, in the order of its writer', async () => {
  const folder = newFolder()
  const argv = ['--conditions=mnemark-source', '--no-warnings', WRITER, folder]
  await Promise.all(NAMES.map((name) => promisify(execFile)(process.execPath, [...argv, name, String(COUNT)])))
  const sessions = await sessionsIn(folder)
  const texts: string[] = []
  let answers = 0
  for await (const { message } of sessions.history(MAIN)) {
    if (message.role === 'assistant') answers += 1
    else texts.push(String(message.content))
  }
  expect(answers).toBe(NAMES.length * COUNT)
  for (const name of NAMES) {
    const own = texts.filter((text) => text.startsWith(`${name} `))
    expect(own).toEqual(Array.from({ length: COUNT }, (_, number) => `${name} ${number}`))
  }
  const records = sessions.find(MAIN)
  expect(records.reduce((sum, { counters }) => sum + counters.totals[1], 0)).toBe(answers * 2)
  expect(records.filter(({ state }) => state === 'active')).toHaveLength(1)
  for (const { id } of records) {
    expect(await sessions.faults(id)).toEqual({ unreadable: 0, duplicates: 0, strayParents: 0, extraHeaders: 0 })
  }
  const list = JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))
  expect(Object.keys(list)).toEqual([MAIN])
})
