import type { ListedEntity, MergeReport } from '@mnemark/bank'
import type { FactState, MergeRequest } from '@mnemark/bank'
import type { CallOptions } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

/** Two names joined or parted, as all surfaces tell it. */
export interface MergeDocument extends Pick<MergeReport, 'status' | 'done' | 'conflict'> {
  readonly entity: ListedEntity
  readonly changes: readonly { readonly path: string; readonly diff: string }[]
}

export interface Merging extends CallOptions {
  readonly state: FactState
  readonly notes: Pick<Workspace, 'change'>
}

/** Joins two names, or parts them, by an edit of a page's front matter. Throws CommandError with the code of the refusal; nothing is written then. */
export async function mergeNames(asked: MergeRequest, { state, notes, signal }: Merging): Promise<MergeDocument> {
  const { mergeEntities, nearEntities, pageDiff } = await import('@mnemark/bank')
  const report = await mergeEntities(notes.change, state, { ...asked, signal })
  if ('code' in report) {
    const { code, message, next, unknown } = report
    const near = unknown === undefined ? [] : nearEntities(state, unknown)
    const hint = near.length === 0 ? next : `Near: ${near.map((name) => JSON.stringify(name)).join(', ')}. ${next}`
    throw new CommandError(code, message, { next: hint, exitCode: unknown === undefined ? EXIT.usage : EXIT.nothing })
  }
  const changes = report.changes.map(({ path, before, after }) => ({
    path,
    diff: pageDiff(path, before === '' ? undefined : before, after),
  }))
  return { ...report, changes }
}
