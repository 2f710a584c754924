import type { Invocation } from '../../command.ts'
import { wholeNumber } from '../../command-line/option-values.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { printable, printableName } from '../../terminal/isolate.ts'
import { withSessions } from './with-sessions.ts'

const DEFAULT_WINDOW = 128_000
const MOST_TOKENS = 100_000_000

/** Begins a session of a key; of one that has a session it begins the next. */
export function newSession(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const parent = options.get('parent')
    const begun = await sessions.begin(words[0] ?? '', parent, call)
    console.document(begun)
    console.print(`new ${begun.sessionId}`)
    return EXIT.done
  })
}

/** Ends the session of a key, as `/reset` in a chat: the next message begins with nothing. */
export function resetSession(invocation: Invocation): Promise<ExitCode> {
  const { words, console } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const reset = await sessions.reset(words[0] ?? '', 'reset', call)
    console.document(reset)
    console.print(`reset ${reset.previous} to ${reset.sessionId}`)
    return EXIT.done
  })
}

/** Compacts the session of a key by hand: what must last goes to the notes of the day, a summary takes the place of the older part. */
export function compactSession(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  return withSessions(invocation, async ({ sessions, call, settings }) => {
    const window = wholeNumber(options, 'window', 1, MOST_TOKENS) ?? DEFAULT_WINDOW
    const report = await sessions.compact(words[0] ?? '', { window, focus: options.get('focus') }, call)
    console.document(report)
    console.print(`${report.status}: ${printable(report.why)}`)
    if (settings.models.generate === null)
      console.note('mnemark: models.generate of the configuration names the chat model that writes summaries')
    if (report.flush?.status === 'written') console.note(`mnemark: noted in ${printableName(report.flush.path ?? '')}`)
    return report.status === 'compacted' ? EXIT.done : EXIT.nothing
  })
}

/** Takes sessions off the list; their transcripts stay readable until they are pruned. */
export function deleteSessions(invocation: Invocation): Promise<ExitCode> {
  const { words, console } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const { deleted } = await sessions.delete(words[0] ?? '', call)
    console.document({ deleted })
    for (const id of deleted) console.print(`deleted ${id}`)
    console.note('mnemark: they stay readable by their ids until they are pruned; forget erases them')
    return EXIT.done
  })
}

/** Erases sessions, or some messages of them, for good. */
export function forgetSessions(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  return withSessions(invocation, async ({ sessions, call }) => {
    const messages = options.all('message')
    const report = await sessions.forget(words[0] ?? '', messages.length === 0 ? 'all' : messages, call)
    console.document(report)
    console.print(`erased ${report.lines} lines and ${report.summaries} summaries`)
    for (const path of report.notes)
      console.note(`mnemark: ${printableName(path)} holds notes made from them; edit or forget it too`)
    if (report.unreadable > 0)
      console.note(`mnemark: ${report.unreadable} lines could not be read, so nobody knows what they hold`)
    return report.lines + report.summaries + report.sessions.length === 0 ? EXIT.nothing : EXIT.done
  })
}
