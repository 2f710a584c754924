import { WorkspaceError } from '@mnemark/spec'
import { type ChangeContext, changeNote, type ChangeOptions, type ChangeReport, locateForChange } from './change.ts'
import { type EditChange, type EditedText, editText } from './edit-text.ts'
import { hasEscapedNewlines } from './escaped-newlines.ts'
import { requireNote } from './require-note.ts'
import type { Revise } from './revise.ts'

export type EditOptions = EditChange &
  Omit<ChangeOptions, 'creates'> & {
    /** Changes the new text of the note before it is written, without adding or taking away lines. Gets the line ends of the file. */
    readonly revise?: Revise
  }

export interface EditReport extends Omit<ChangeReport, 'status'> {
  /** `unchanged`: the new text is the old one, and nothing was written. */
  readonly status: 'edited' | 'unchanged' | 'not-found'
  /** Where the new text stands, in lines from 1. */
  readonly startLine: number
  readonly endLine: number
}

/** See `Workspace.edit`. */
export async function editNote(path: string, options: EditOptions, context: ChangeContext): Promise<EditReport> {
  checkChange(options)
  const located = locateForChange(path, context)
  requireNote({ path: located.path, stats: located.file?.stats, rootPath: context.snapshot.workspace.realBase })
  let edited: EditedText | undefined
  const report = await changeNote(
    path,
    {
      options,
      make: ({ text, format }) => {
        edited = editText(text, wellFormed(options), format.lineEnds)
        const { startLine, endLine } = edited
        return options.revise?.(edited.text, { path: located.path, before: text, startLine, endLine }) ?? edited.text
      },
    },
    context,
  )
  const { startLine, endLine } = report.status === 'not-found' || edited === undefined ? { startLine: 0, endLine: 0 } : edited
  const { status } = report
  return { ...report, status: status === 'changed' || status === 'created' ? 'edited' : status, startLine, endLine }
}

/** @throws WorkspaceError `refused` for a change that cannot be meant */
function checkChange(change: EditChange): void {
  const added = 'replace' in change ? change.replace.new : change.insert.text
  if ('replace' in change && change.replace.old === '') {
    throw new WorkspaceError('refused', 'The text to replace is empty: name the text that is to go.')
  }
  if ('insert' in change && (added === '' || !Number.isSafeInteger(change.insert.afterLine) || change.insert.afterLine < 0)) {
    throw new WorkspaceError('refused', 'To insert takes some text and a line number from 0, which is the beginning.')
  }
  if (hasEscapedNewlines(added) && !('replace' in change && change.replace.old.includes('\\n'))) {
    const message =
      'The new text holds the characters \\n where line breaks should be. Send real line breaks, or put a meant \\n in `code`.'
    throw new WorkspaceError('refused', message)
  }
}

/** Half a character would be written as another one. */
function wellFormed(change: EditChange): EditChange {
  if ('replace' in change) return { replace: { old: change.replace.old, new: change.replace.new.toWellFormed() } }
  return { insert: { ...change.insert, text: change.insert.text.toWellFormed() } }
}
