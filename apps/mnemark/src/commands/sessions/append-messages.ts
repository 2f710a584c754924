import { createInterface } from 'node:readline'
import { stdin } from 'node:process'
import type { AppendReply } from '@mnemark/sessions'
import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { withSessions } from './with-sessions.ts'

/** Messages that are appended at once: what came before a bad line, or a kill, is kept. */
const BATCH = 200

/** Appends messages, one JSON object a line of stdin. A bad line ends it and is named by its number; the lines before are appended. */
export function appendMessages(invocation: Invocation): Promise<ExitCode> {
  const { words, console } = invocation
  const key = words[0] ?? ''
  return withSessions(invocation, async ({ sessions, call }) => {
    const replies: AppendReply[] = []
    const append = async (values: readonly unknown[]): Promise<void> => {
      if (values.length > 0) replies.push(await sessions.append(key, values, call))
    }
    const { readMessage } = await import('@mnemark/sessions')
    let waiting: unknown[] = []
    let number = 0
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (line.trim() === '') continue
      const problem = problemOf(line, readMessage)
      if (problem !== undefined) {
        await append(waiting)
        throw new CommandError('bad-input', `line ${number}: ${problem}`, {
          next: `The ${countOf(replies)} messages before it are appended; go on from this line.`,
        })
      }
      waiting.push(JSON.parse(line))
      if (waiting.length < BATCH) continue
      await append(waiting)
      waiting = []
    }
    await append(waiting)
    const last = replies.at(-1)
    if (last === undefined)
      throw new CommandError('bad-input', 'stdin holds no message', { next: 'Write one JSON object a line.' })
    const resets = replies.flatMap(({ reset }) => reset ?? [])
    console.document({
      sessionId: last.sessionId,
      written: replies.flatMap(({ written }) => written),
      reset: resets.at(-1) ?? null,
    })
    console.print(`appended ${countOf(replies)} messages to ${last.sessionId}`)
    if (resets.length > 0) console.note(`mnemark: a new session began (${resets.join(', ')})`)
    return EXIT.done
  })
}

function countOf(replies: readonly AppendReply[]): number {
  return replies.reduce((sum, { written }) => sum + written.length, 0)
}

/** Why a line is no message; never its content. */
function problemOf(line: string, read: (value: unknown) => unknown): string | undefined {
  try {
    read(JSON.parse(line))
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return 'it is no JSON'
    if (error instanceof Error) return error.message
    throw error
  }
}
