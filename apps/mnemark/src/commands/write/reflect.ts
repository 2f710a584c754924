import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { stoppableSync } from '../../memory/fresh/stoppable-sync.ts'
import { recordKnownFacts } from '../../operations/facts/record-facts.ts'
import { type ReflectDocument, reflectOnNotes } from '../../operations/reflect/reflect-notes.ts'
import type { Console } from '../../terminal/console.ts'
import { openChatModel } from '../../providers/models/ask-chat-model.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'
import { settleFirst } from '../find/search.ts'

/** Shows what the pages of the bank should say by now, and writes it with --apply. */
export async function reflectCommand(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const isApplying = options.has('apply')
  if (isApplying && options.has('dry-run'))
    throw new CommandError('bad-use', '--apply writes and --dry-run does not', { next: 'Leave one of them out.' })
  const isAdopting = options.has('adopt')
  if (isAdopting && !isApplying)
    throw new CommandError('bad-use', '--adopt writes facts, and goes with --apply', { next: 'mnemark reflect --adopt --apply' })
  if (options.has('judge') && !isApplying)
    throw new CommandError('bad-use', '--judge keeps verdicts in the journal, and goes with --apply', {
      next: 'mnemark reflect --judge --apply',
    })
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  if (options.has('judge') && settings.models.generate === null)
    throw new CommandError('bad-use', 'no chat model is configured', {
      next: 'Name one in models.generate, or leave --judge out.',
    })
  await settleFirst(settings, { console, isAgreed: options.has('yes') })
  const open = await openMemory(settings, { vectors: 'none', isBuiltInOnly: true })
  const sync = async (): Promise<void> => {
    const report = await stoppableSync({ open, settings, console }, { reason: 'manual' })
    if (isApplying) await recordKnownFacts(open.store, settings, { report })
  }
  try {
    await sync()
    const request = {
      store: open.store,
      notes: open.notes,
      settings,
      nowMs: Date.now(),
      isApplying,
      requested: options.all('entity'),
      since: options.get('since'),
    }
    const model = options.has('judge') ? await openChatModel(settings, open.store) : undefined
    const adopted = isAdopting ? (await reflectOnNotes({ ...request, isApplying: false, isAdopting })).adopted : []
    // Adopted edits are read as facts first, so that every fact is on its page in the end.
    if (adopted.length > 0) await sync()
    const reflected = await reflectOnNotes({ ...request, ask: model?.ask })
    await model?.idle()
    const document = { ...reflected, adopted, degraded: [...(model?.problems ?? []), ...reflected.degraded] }
    if (isApplying && document.changes.length > 0) await sync()
    console.document(document)
    print(console, document)
    return document.damaged.length > 0 || document.edited.length > 0 ? EXIT.nothing : EXIT.done
  } finally {
    await open.close()
  }
}

function print(
  console: Console,
  { changes, isApplied, opinions, undecided, proposals, edited, damaged, adopted, degraded }: ReflectDocument,
): void {
  for (const { path, facts, deleted } of adopted)
    console.print(`adopted ${isolate(printableName(path))}: ${facts.length} facts, ${deleted} deleted`)
  for (const { path, diff } of changes) console.print(isApplied ? `wrote ${isolate(printableName(path))}` : printable(diff))
  for (const { statement, entities, confidence, groups, state } of opinions)
    if (state === 'turning')
      console.print(
        `turning: ${entities.map((name) => isolate(printable(name))).join(', ')}: ${isolate(printable(statement))} (${confidence.toFixed(2)}, for ${groups.for}, against ${groups.against})`,
      )
  for (const { statement, content, source } of undecided)
    console.print(
      `undecided: ${isolate(printable(statement))} / ${isolate(printable(content))} (${isolate(printableName(source))})`,
    )
  for (const { path, diff, why } of proposals)
    console.print(`proposed for ${isolate(printableName(path))}, by your hand:\n${printable(why)}\n${printable(diff)}`)
  for (const path of edited)
    console.note(
      `mnemark: ${printableName(path)} was edited inside its block and is left alone; --adopt --apply takes the edits over`,
    )
  for (const { message } of degraded) console.note(`mnemark: ${message}`)
  for (const { path, why } of damaged) console.note(`mnemark: ${printableName(path)} is left alone (${why}): mend its markers`)
  if (changes.length === 0) console.note('mnemark: the pages say what is known')
  else if (!isApplied) console.note(`mnemark: ${changes.length} pages would change; --apply writes them`)
}
