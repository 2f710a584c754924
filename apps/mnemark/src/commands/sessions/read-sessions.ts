import type { Invocation } from '../../command.ts'
import { wholeNumber } from '../../command-line/option-values.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { MessageDocument, SessionDocument } from '../../operations/sessions/session-documents.ts'
import { isolate, printable } from '../../terminal/isolate.ts'
import type { Console } from '../../terminal/console.ts'
import { withSessions } from './with-sessions.ts'

const MOST_LISTED = 10_000
const PAGE = 500
const SHOWN = 50
const MOST_CHARACTERS = 1_000_000

/** Lists transcripts, the last written first. */
export function listSessions(invocation: Invocation): Promise<ExitCode> {
  const { console, options } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const limit = wholeNumber(options, 'k', 1, MOST_LISTED)
    const { next: _, ...found } = await sessions.list({ limit: limit ?? MOST_LISTED }, call)
    console.document(found)
    for (const session of found.sessions) console.print(lineOf(session))
    if (found.total === 0) console.note('mnemark: there are no sessions yet; mnemark sessions append KEY writes messages')
    if (found.sessions.length < found.total) console.note(`mnemark: ${found.total - found.sessions.length} more; -k N lists more`)
    return found.total === 0 ? EXIT.nothing : EXIT.done
  })
}

/** Shows the session of a key, or the one of an id, with its times, counters and messages. */
export function showSession(invocation: Invocation): Promise<ExitCode> {
  const { words, console } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const session = await sessions.show(words[0] ?? '', call)
    const messages: MessageDocument[] = []
    for (let before: string | undefined; ; ) {
      const request = { session: session.id, limit: PAGE, tools: true, mostCharacters: MOST_CHARACTERS }
      const page = await sessions.history({ ...request, ...(before !== undefined && { before }) }, call)
      messages.unshift(...page.messages)
      if (page.earlier === undefined) break
      before = page.earlier
    }
    console.document({ ...session, messages })
    console.print(lineOf(session))
    for (const message of messages) printMessage(console, message)
    return EXIT.done
  })
}

/** The last messages of a key through all its sessions, or those of one id; `--before` goes further back. */
export function sessionHistory(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const before = options.get('before')
    const request = {
      session: words[0] ?? '',
      limit: wholeNumber(options, 'k', 1, MOST_LISTED) ?? SHOWN,
      tools: options.has('tools'),
      branches: options.has('branches'),
      mostCharacters: MOST_CHARACTERS,
      ...(before !== undefined && { before }),
    }
    const page = await sessions.history(request, call)
    console.document(page)
    for (const message of page.messages) printMessage(console, message)
    if (page.earlier !== undefined) console.note(`mnemark: earlier ones with --before "${page.earlier}"`)
    return page.messages.length === 0 ? EXIT.nothing : EXIT.done
  })
}

function lineOf({ id, key, state, updatedAt, messages, context }: SessionDocument): string {
  const size = context === null ? '' : `, ${context} tokens`
  return `${updatedAt.slice(0, 16).replace('T', ' ')}  ${state.padEnd(8)}  ${isolate(printable(key ?? id))}  ${messages} messages${size}  ${id}`
}

function printMessage(console: Console, { role, text, line, timestamp = '', speaker, toolName }: MessageDocument): void {
  const who = speaker ?? toolName ?? role
  console.print(
    `${String(line).padStart(5)}  ${timestamp.slice(0, 16).replace('T', ' ').padEnd(16)}  ${printable(who)}: ${isolate(printable(text))}`,
  )
}
