import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { sessionsHealth } from '../../operations/sessions/sessions-health.ts'
import { printable } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'

/** Reads every transcript of the agent and names what is wrong; with --fix old ones are removed by the rules of maintenance. */
export async function sessionsDoctor(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const settings = await commandSettings(invocation)
  const health = await sessionsHealth(settings, { isFixing: options.has('fix') })
  console.document(health)
  const { sessions, problems, damaged, prune } = health
  console.print(`${sessions} transcripts, ${damaged.length} with lines that cannot be read or placed`)
  for (const { code, message } of problems) console.print(`${code}: ${printable(message)}`)
  for (const { id, unreadable, duplicates, strayParents, extraHeaders } of damaged)
    console.print(
      `${id}: ${unreadable} unreadable, ${duplicates} duplicate, ${strayParents} without parent, ${extraHeaders} headers`,
    )
  const done = prune.isDryRun ? 'may go by the rules of maintenance; --fix removes them' : 'removed'
  if (prune.removed.length > 0) console.print(`${prune.removed.length} transcripts (${prune.bytes} bytes) ${done}`)
  return problems.length + damaged.length > 0 ? EXIT.nothing : EXIT.done
}
