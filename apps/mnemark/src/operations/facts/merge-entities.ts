import type { ListedEntity, MergeReport } from '@mnemark/bank'
import type { FactState, MergeRequest } from '@mnemark/bank'
import { type CallOptions, WorkspaceError } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import { EXIT } from '../../exit-code.ts'
import type { Settings } from '../../config/load-settings.ts'
import { CommandError } from '../../failure.ts'

import { appendToJournal } from './journal-files.ts'

/** Two names joined or parted, as all surfaces tell it. */
export interface MergeDocument extends Pick<MergeReport, 'status' | 'done' | 'conflict'> {
  readonly entity: ListedEntity
  readonly changes: readonly { readonly path: string; readonly diff: string }[]
  /** Why the journal does not tell of it. */
  readonly remark?: string
}

export interface Merging extends CallOptions {
  readonly state: FactState
  readonly notes: Pick<Workspace, 'change'>
  /** Where the journal lies, which notes the merge. */
  readonly settings: Pick<Settings, 'workspace' | 'stateFolder'>
}

/** Joins two names, or parts them, by an edit of a page's front matter. Throws CommandError with the code of the refusal; nothing is written then. */
export async function mergeNames(asked: MergeRequest, { state, notes, settings, signal }: Merging): Promise<MergeDocument> {
  const { mergeEntities, nearEntities, pageDiff } = await import('@mnemark/bank')
  const report = await mergeEntities(notes.change, state, { ...asked, signal })
  if ('code' in report) {
    const { code, message, next, unknown } = report
    const near = unknown === undefined ? [] : nearEntities(state, unknown)
    const hint = near.length === 0 ? next : `Near: ${near.map((name) => JSON.stringify(name)).join(', ')}. ${next}`
    throw new CommandError(code, message, { next: hint, exitCode: unknown === undefined ? EXIT.usage : EXIT.nothing })
  }
  const { done } = report
  let remark: string | undefined
  if (done !== undefined) {
    const { op, winner, loser } = done
    const noted = appendToJournal(settings, [{ op, names: [winner, loser] }], { nowMs: Date.now(), by: 'person' })
    remark = await noted.then(() => undefined, unwritten)
  }
  const changes = report.changes.map(({ path, before, after }) => ({
    path,
    diff: pageDiff(path, before === '' ? undefined : before, after),
  }))
  return { ...report, changes, ...(remark !== undefined && { remark }) }
}

/** The page says by itself that the names are one; only the day of it is lost. */
function unwritten(error: unknown): string {
  if (!WorkspaceError.isInstance(error)) throw error
  return error.message
}
