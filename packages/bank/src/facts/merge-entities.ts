import type { Entity } from '../entities/entities.ts'
import { type MergePlan, type MergeReading, type MergeRefusal, planMerge, planUnmerge } from '../entities/plan-merge.ts'
import type { FactState } from './fact-registry.ts'
import { linkLabels, withLabels } from './link-labels.ts'
import { type ListedEntity, listEntity } from './list-entities.ts'

/** Two names to join or to part. */
export interface MergeRequest {
  readonly op: 'merge' | 'unmerge'
  readonly names: readonly [string, string]
  /** Joins also names that differ in digits, and pages of different `type:`. Default false. */
  readonly isSure?: boolean | undefined
}

/** The part of a workspace that writes notes; `change` of `@mnemark/workspace` fits. */
export type ChangePage = (
  path: string,
  change: (text: string) => string | null,
  options: { readonly creates: boolean; readonly signal?: AbortSignal },
) => Promise<{ readonly status: string; readonly conflict: string | null }>

/** The result of a merge; a journal may note `done`. */
export interface MergeReport {
  /** `unchanged`: they were one, or two, already. */
  readonly status: 'merged' | 'parted' | 'unchanged'
  /** The entity that has the page, as it is now. */
  readonly entity: ListedEntity
  /** The pages written, with the text before and after; '' where there was no page. */
  readonly changes: readonly { readonly path: string; readonly before: string; readonly after: string }[]
  /** Absent where nothing was written. */
  readonly done?: { readonly op: 'merge' | 'unmerge'; readonly winner: string; readonly loser: string; readonly path: string }
  /** The entry in the history with text that another program saved at the same moment; null where none did. */
  readonly conflict: string | null
}

/**
 * Joins two names, or parts them, by one edit of one page; ids of facts stay as they are. Rejects as `Workspace.change` does.
 * Resolves with a refusal where nothing was written.
 */
export async function mergeEntities(
  change: ChangePage,
  state: FactState,
  { op, names, isSure, signal }: MergeRequest & { readonly signal?: AbortSignal | undefined },
): Promise<MergeReport | MergeRefusal> {
  const plan = planOf(state, { op, names, isSure })
  if (plan === 'unchanged') return unchanged(state, names[0])
  if ('code' in plan) return plan
  const { path, creates, winner, loser } = plan
  let edited: ReturnType<MergePlan['edit']> | undefined
  let before = ''
  const { conflict } = await change(
    path,
    (text) => {
      before = text
      edited = plan.edit(text)
      return 'code' in edited || edited.text === text ? null : edited.text
    },
    { creates, ...(signal !== undefined && { signal }) },
  )
  if (edited === undefined) return pageGone(path)
  if ('code' in edited) return edited
  const { text, entities } = edited
  const isWritten = text !== before
  return {
    ...unchanged({ ...state, entities }, winner),
    ...(isWritten && {
      status: op === 'merge' ? 'merged' : 'parted',
      changes: [{ path, before, after: text }],
      done: { op, winner, loser, path },
    }),
    conflict,
  }
}

function planOf(state: FactState, { op, names, isSure }: MergeRequest): MergeReading {
  if (op === 'unmerge') return planUnmerge(state.entities, names)
  return planMerge(withLabels(state.entities, linkLabels(state)), names, { factsOf: countIn(state), isSure })
}

function countIn(state: FactState): (entity: Entity) => number {
  return (entity) => listEntity(state, entity).facts
}

function unchanged(state: FactState, name: string): MergeReport {
  const found = state.entities.find(name)
  if (found === undefined) throw new TypeError('a name that was found before is there no more')
  return { status: 'unchanged', entity: listEntity(state, found), changes: [], conflict: null }
}

function pageGone(path: string): MergeRefusal {
  return { code: 'unreadable-page', message: `${path} is not there any more.`, next: 'Run mnemark index, and try again.' }
}
