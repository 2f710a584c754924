/** Appends numbered messages to one session, beginning it anew now and then; several of these run at once. */
import { openSessions } from '../sessions/open-sessions.ts'

const [folder = '', name = '', count = '0'] = process.argv.slice(2)
const sessions = await openSessions({ folder, reset: { mode: 'off' } })
const session = await sessions.openSession('agent:main:main')
for (let number = 0; number < Number(count); number += 1) {
  await session.append([
    { role: 'user', content: `${name} ${number}` },
    { role: 'assistant', content: 'ok', usage: { input: 1, output: 2 } },
  ])
  if (number % 20 === 19) await session.reset('new')
}
await sessions.close()
