import { warnOfSecrets } from '@mnemark/masking'
import { WorkspaceError } from '@mnemark/spec'
import type { EditChange, EditOptions, EditReport, Workspace } from '@mnemark/workspace'
import type { Invocation } from '../../command.ts'
import type { Options } from '../../command-line/command-line.ts'
import { wholeNumber } from '../../command-line/option-values.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openNotes } from '../../memory/open/open-memory.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { nearText } from '../../printing/near-text.ts'
import { commandSettings } from '../command-settings.ts'
import { nearNotes } from '../../memory/open/near-notes.ts'

/** Replaces text in a note, or inserts lines, and reports where they are. The next search finds them. */
export async function edit(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  const path = words[0] ?? ''
  const change = { ...readChange(options), ...readExpected(options) }
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  const notes = await openNotes(settings)
  const report = await editNote(notes, path, change)
  if (report.status === 'not-found') {
    const near = await nearNotes(notes, path)
    console.document({ ...report, ...(near.length === 0 ? {} : { near }) })
    console.note(`mnemark: there is no note ${printableName(path)}.${nearText(near)}`)
    return EXIT.nothing
  }
  const written = await warnOfSecrets(report, 'replace' in change ? change.replace.new : change.insert.text)
  console.document(written)
  const place = isolate(printableName(`${written.path}#L${written.startLine}-L${written.endLine}`))
  console.print(`${written.status} ${place}`)
  if (written.conflict !== null) {
    const kept = printableName(written.conflict)
    console.note(`mnemark: another program saved the note at the same moment; what it saved is kept in the history as ${kept}`)
  }
  if (written.warning !== undefined) console.note(`mnemark: ${printableName(written.warning)}`)
  return EXIT.done
}

function readChange(options: Options): EditChange {
  const isInsert = options.has('insert') || options.has('after')
  if (isInsert && (options.has('replace') || options.has('with'))) {
    throw new CommandError('bad-use', '--insert and --replace are two edits', { next: 'Give one of them.' })
  }
  if (!isInsert) return { replace: { old: required('replace', options), new: required('with', options) } }
  const text = required('insert', options)
  const afterLine = wholeNumber(options, 'after', 0)
  if (afterLine !== undefined) return { insert: { afterLine, text } }
  throw missing('after')
}

function readExpected(options: Options): Pick<EditOptions, 'expected' | 'quote'> {
  const [expected, hash] = [options.get('expect'), options.get('quote')]
  return { ...(expected ? { expected } : {}), ...(hash ? { quote: { hash } } : {}) }
}

function required(name: 'replace' | 'with' | 'insert', options: Options): string {
  const value = options.get(name)
  if (value !== undefined) return value
  throw missing(name)
}

function missing(name: 'replace' | 'with' | 'insert' | 'after'): CommandError {
  const isInsert = name === 'insert' || name === 'after'
  const form = isInsert ? '--insert TEXT --after LINE' : '--replace OLD --with NEW'
  return new CommandError('bad-use', `--${name} is missing`, { next: `mnemark edit PATH ${form}` })
}

async function editNote(notes: Workspace, path: string, change: EditOptions): Promise<EditReport> {
  try {
    return await notes.edit(path, change)
  } catch (error) {
    if (!WorkspaceError.isInstance(error) || error.code !== 'conflict') throw error
    throw new CommandError('conflict', error.message, {
      exitCode: EXIT.nothing,
      next: `mnemark get ${printableName(path)} shows the note as it is now.`,
    })
  }
}
