import type { PlacedFact } from '@mnemark/bank'
import { warnOfSecrets } from '@mnemark/masking'
import { StoreError } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import type { Options } from '../../command-line/command-line.ts'
import { oneOf } from '../../command-line/option-values.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError, toMaskedFailure } from '../../failure.ts'
import type { Settings } from '../../config/load-settings.ts'
import type { Console } from '../../terminal/console.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { findIndexPlace } from '../../memory/index/index-place.ts'
import { openNotes, openStore } from '../../memory/open/open-memory.ts'
import { type FactToRetain, notesWithFact, retainFact } from '../../operations/facts/retain-fact.ts'
import { wholeText } from '../../operations/whole-text.ts'
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
    read: (path) => wholeText(notes.reader, path, { agentId: settings.agentId }),
    notesWith: (fact) => notesInIndex(fact, settings, console),
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

/** A fact is written also where the index cannot be asked. */
async function notesInIndex(fact: PlacedFact, settings: Settings, console: Console): Promise<readonly string[]> {
  const place = settings.storeModule === null ? findIndexPlace(settings) : null
  if (place === null) return []
  try {
    const store = await openStore(place.file)
    try {
      return await notesWithFact(store, fact)
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
    console.note(`mnemark: the index was not asked whether another note has this fact: ${(await toMaskedFailure(error)).message}`)
    return []
  }
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
