/** Appends until the system takes no more bytes into a file; run under a limit of file sizes. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openSessions } from '../sessions/open-sessions.ts'

const folder = process.argv[2] ?? ''
const sessions = await openSessions({ folder })
const session = await sessions.openSession('agent:main:main')
const sizeNow = (): number => statSync(join(folder, `${session.id}.jsonl`)).size
await session.append({ role: 'user', content: 'before' })
const before = sizeNow()
const failed = await session.append({ role: 'user', content: 'x'.repeat(1_000_000) }).catch((error: unknown) => error)
const after = sizeNow()
await session.append({ role: 'user', content: 'after' })
const texts: unknown[] = []
for await (const { message } of session.messages()) texts.push(message.content)
console.log(JSON.stringify({ failed: failed instanceof Error ? failed.message : 'nothing failed', before, after, texts }))
