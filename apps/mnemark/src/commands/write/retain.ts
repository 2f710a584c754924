import { warnOfSecrets } from '@mnemark/masking'
import type { Invocation } from '../../command.ts'
import type { Options } from '../../command-line/command-line.ts'
import { oneOf } from '../../command-line/option-values.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openNotes } from '../../memory/open/open-memory.ts'
import { type FactToRetain, retainFact } from '../../operations/retain-fact.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'

const KINDS = ['world', 'experience', 'opinion', 'observation'] as const

/** Adds one fact under today's Retain heading and reports where it is. */
export async function retain(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  if (options.has('propose')) return (await import('./retain-proposed.ts')).retainProposed(invocation)
  const lone = ['write', 'since'].find((name) => options.has(name))
  if (lone !== undefined)
    throw new CommandError('bad-use', `--${lone} goes with --propose`, { next: 'Add --propose, or leave it out.' })
  const text = words.join(' ')
  if (text.trim() === '') throw new CommandError('bad-use', 'there is no text to retain', { next: 'Give the fact in quotes.' })
  const asked = readRequest(text, options)
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const notes = await openNotes(settings)
  const { conflict, ...report } = await retainFact(asked, {
    notes,
    nowMs: Date.now(),
    timeZone: settings.timeZone,
    dateOrder: settings.memory.dateOrder,
    read: async (path) => {
      const { status, text: note } = await notes.reader.read({ path, caller: { agentId: settings.agentId } })
      return status === 'ok' ? note : undefined
    },
  })
  const written = await warnOfSecrets(report, text)
  console.document(conflict === null ? written : { ...written, conflict })
  const place = isolate(printableName(`${report.path}#L${report.startLine}-L${report.endLine}`))
  console.print(`${report.status} ${place} ^${report.factId}`)
  if (conflict !== null) {
    const kept = printableName(conflict)
    console.note(`mnemark: another program saved the note at the same moment; what it saved is kept in the history as ${kept}`)
  }
  if (written.warning !== undefined) console.note(`mnemark: ${printableName(written.warning)}`)
  return EXIT.done
}

function readRequest(text: string, options: Options): FactToRetain {
  return {
    text,
    again: options.has('again'),
    kind: oneOf(options, 'kind', KINDS),
    entities: options.all('entity'),
    confidence: options.get('confidence'),
    on: options.get('on'),
    corrects: options.get('corrects'),
    retracts: options.get('retracts'),
  }
}
