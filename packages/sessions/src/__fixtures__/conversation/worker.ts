/** Says the turns of a conversation from one on, in a process that is killed from outside, and by itself in the middle of flushes. */
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorkspace } from '@mnemark/workspace'
import type { RequestMessage } from '../../context/answer-calls.ts'
import { openSessions } from '../../sessions/open-sessions.ts'
import { TIME_ZONE, turnAt } from './turns.ts'

const [root = '', from = '0', to = '0', perDay = '125'] = process.argv.slice(2)
const turnsPerDay = Number(perDay)
/** The conversation outgrows it about three times a day. */
const WINDOW = Math.ceil((turnsPerDay * 420) / 3)
let nowMs = 0
let flushes = 0

const workspace = await openWorkspace({ root: join(root, 'notes'), timeZone: TIME_ZONE })
const sessions = await openSessions({
  folder: join(root, 'sessions'),
  timeZone: TIME_ZONE,
  now: () => nowMs,
  reset: { mode: 'daily' },
  compaction: { keepRecentTokens: Math.floor(WINDOW / 8) },
  generator: {
    generate: async ({ prompt }) => {
      const words = prompt.slice(prompt.indexOf('<conversation>')).match(/\p{L}{4,}/gu) ?? []
      // No two answers are worded alike.
      const text = `- kept ${randomUUID()}: ${words.slice(0, 20).join(' ')}, and all of that is to be remembered from here on by everyone`
      return { text, finishReason: 'stop' }
    },
  },
  notes: {
    dailyLog: async (ms) => await workspace.dailyLog(ms),
    change: async (path, make, options) => {
      flushes += 1
      dieOnce(`before-${path}-${flushes}`, flushes % 3 === 1)
      const report = await workspace.change(path, make, options)
      dieOnce(`after-${path}-${flushes}`, flushes % 3 === 2)
      return report
    },
  },
})

/** Each place is fatal once. */
function dieOnce(place: string, isFatal: boolean): void {
  const mark = join(root, `died-${place.replaceAll('/', '-')}`)
  if (!isFatal || existsSync(mark)) return
  writeFileSync(mark, '')
  process.kill(process.pid, 'SIGKILL')
}

function openCalls(messages: readonly RequestMessage[]): number {
  const open = new Set<string>()
  let faults = 0
  for (const { content, toolCallId, role } of messages) {
    if (role === 'toolResult' && !open.delete(toolCallId ?? '')) faults += 1
    for (const block of content) if (block.type === 'toolCall') open.add(block.id)
  }
  return faults + open.size
}

nowMs = turnAt(Number(from), turnsPerDay).atMs
const session = await sessions.openSession('agent:main:main')
for (let number = Number(from); number < Number(to); number += 1) {
  const turn = turnAt(number, turnsPerDay)
  nowMs = turn.atMs
  for (const step of turn.steps) {
    await session.append(step)
    const { context } = await session.nextContext({ window: WINDOW })
    const open = openCalls(context.messages)
    if (open > 0) console.log(`fault turn ${number}: ${open} calls open`)
  }
  console.log(`said ${number}`)
}
await sessions.close()
