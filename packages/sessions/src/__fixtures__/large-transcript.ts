/** Opens, appends to and compacts a transcript of 60 MB; run with a small heap. Prints what it took. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openSessions } from '../sessions/open-sessions.ts'

const folder = process.argv[2] ?? ''
const MEGABYTES = 60
const WORDS = 'the printer of the second floor stands on VLAN 20 and Huda prefers pnpm over npm '.repeat(12)

const descriptor = openSync(join(folder, 'large.jsonl'), 'wx', 0o600)
writeSync(
  descriptor,
  '{"type":"session","version":3,"id":"large","timestamp":"2026-03-01T10:00:00.000Z","key":"agent:main:main","format":1}\n',
)
for (let written = 0, line = 0; written < MEGABYTES * 1_000_000; line += 1) {
  const message = { role: line % 2 === 0 ? 'user' : 'assistant', content: `${line} ${WORDS}` }
  const parentId = line === 0 ? null : `m${line - 1}`
  written += writeSync(descriptor, `${JSON.stringify({ type: 'message', id: `m${line}`, parentId, message })}\n`)
}
closeSync(descriptor)

const sessions = await openSessions({
  folder,
  reset: { mode: 'off' },
  compaction: { memoryFlush: { enabled: false } },
  generator: {
    generate: async ({ prompt }) => ({ text: `The ${prompt.length}th summary: ${WORDS}`, finishReason: 'stop' }),
  },
})
const session = await sessions.openSession('agent:main:main')
await session.append({ role: 'user', content: 'one more' })
const readToOpen = sessions.io.read
const again = sessions.io.read
await session.append({ role: 'user', content: 'and one more', id: 'given' })
const readToAppend = sessions.io.read - again
const { status, covered } = await session.compact({ window: 200_000 })
const { ids, summary } = await session.context({ window: 200_000 })
await sessions.close()
console.log(
  JSON.stringify({
    bytes: statSync(join(folder, 'large.jsonl')).size,
    readToOpen,
    readToAppend,
    status,
    covered,
    kept: ids.length,
    covers: summary?.covers.length,
  }),
)
