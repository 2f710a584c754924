import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { clockAt, newFolder, sessionsIn } from '../__fixtures__/sessions-folder.ts'

const LARGE = fileURLToPath(new URL('../__fixtures__/large-transcript.ts', import.meta.url))

test('a transcript of 60 MB is opened, appended to and compacted with a heap of 256 MB', async () => {
  const argv = ['--max-old-space-size=256', '--conditions=mnemark-source', '--no-warnings', LARGE, newFolder()]
  const { stdout } = await promisify(execFile)(process.execPath, argv)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ status: 'compacted' })
  expect(report.bytes).toBeGreaterThan(60_000_000)
  expect(report.covered).toBe(report.covers)
  expect(report.covered).toBeGreaterThan(50_000)
  expect(report.readToAppend).toBeLessThan(1_000_000)
})

/** Bytes that a session among so many costs, all told, when each says something in turn. */
async function bytesPerAppend(sessionCount: number): Promise<number> {
  const clock = clockAt('2026-03-01T10:00:00Z')
  const sessions = await sessionsIn(newFolder(), { now: clock.now, fsync: 'never' })
  const open = []
  for (let number = 0; number < sessionCount; number += 1) {
    open.push(await sessions.openSession(`agent:main:t:direct:${String(number).padStart(6, '0')}`))
  }
  for (const session of open) await session.append({ role: 'user', content: 'hello there' })
  const before = sessions.io.written
  for (let round = 0; round < 4; round += 1) {
    for (const session of open) {
      clock.ms += 1_000
      await session.append({ role: 'user', content: 'hello there' })
    }
  }
  return (sessions.io.written - before) / (sessionCount * 4)
}

test('what an append writes does not grow with the number of sessions', async () => {
  const [few, many] = [await bytesPerAppend(100), await bytesPerAppend(400)]
  expect(many / few).toBeLessThan(1.1)
  expect(many).toBeLessThan(8_000)
})
