import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { printable, printableName } from '../../terminal/isolate.ts'
import { withSessions } from './with-sessions.ts'

/** Prints lines of a transcript as they stand, with secrets hidden: `session:<id>.jsonl#L12`. */
export function getLines(
  path: string,
  lines: { readonly from: number | undefined; readonly lines: number | undefined },
  invocation: Invocation,
): Promise<ExitCode> {
  const { console } = invocation
  return withSessions({ ...invocation, isMasking: true }, async ({ sessions, call }) => {
    const reply = await sessions.read({ path, ...withoutUndefined(lines) }, call)
    if (reply === null)
      throw new CommandError('refused', `${printableName(path)} is no place in a transcript`, {
        next: 'Write session:ID.jsonl or session:ID.jsonl#L12.',
      })
    console.document(reply)
    if (reply.text !== '') console.print(console.hasColour ? printable(reply.text) : reply.text)
    if (reply.status === 'not-found') console.note(`mnemark: there is no transcript ${printableName(reply.path)}`)
    if (reply.nextFrom !== undefined) console.note(`mnemark: more with --from ${reply.nextFrom}`)
    return reply.status === 'not-found' ? EXIT.nothing : EXIT.done
  })
}
