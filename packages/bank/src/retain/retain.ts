import { WorkspaceError } from '@mnemark/spec'
import { placeFact } from './place-fact.ts'
import type { ReadFactsOptions } from './read-facts.ts'
import { type WritableFact, writeFact } from './write-fact.ts'

/** Where a fact stands, in lines from 1. */
export interface FactPlace {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

export interface RetainReport extends FactPlace {
  readonly factId: string
  /** `exists`: the same fact stands there already, and nothing was written. */
  readonly status: 'written' | 'exists'
  /** The entry in the history with text that another program saved at the same moment; null where none did. */
  readonly conflict: string | null
}

/** The part of a workspace that writes notes; `change` of `@mnemark/workspace` fits. */
export type ChangeNote = (
  path: string,
  change: (text: string) => string | null,
  options: { readonly creates: true; readonly signal?: AbortSignal },
) => Promise<{ readonly conflict: string | null }>

export interface RetainOptions extends ReadFactsOptions {
  /** The day of the note, YYYY-MM-DD: the title of a new one. */
  readonly day: string
  /** Writes a fact that stands there already once more. */
  readonly again?: boolean | undefined
  /** Finds a fact in other notes by its id. */
  readonly find?: ((factId: string) => FactPlace | undefined) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes one fact, on one line, into the Retain section of the note `path`: behind its last fact, or into a new section at the end.
 * Nothing else in the note changes. A fact that the note holds already, struck out or not as this one, is reported.
 * @throws WorkspaceError `refused` where no place in the note would be read as a fact, and as `Workspace.change` does
 */
export async function retain(change: ChangeNote, fact: WritableFact, options: RetainOptions): Promise<RetainReport> {
  const { path, signal } = options
  const line = writeFact(fact)
  let found: Omit<RetainReport, 'conflict'> | undefined
  const { conflict } = await change(
    path,
    (text) => {
      const placed = placeFact(text, line, options)
      if (placed === undefined) throw noPlace(path)
      const { id: factId, state, startLine, endLine } = placed.fact
      const same = placed.others.find((other) => other.id === factId && other.state === state)
      const known = same === undefined ? options.find?.(factId) : { path, startLine: same.startLine, endLine: same.endLine }
      const isKnown = known !== undefined && options.again !== true
      found = isKnown ? { ...known, factId, status: 'exists' } : { path, startLine, endLine, factId, status: 'written' }
      return isKnown ? null : placed.text
    },
    { creates: true, ...(signal !== undefined && { signal }) },
  )
  if (found === undefined) throw noPlace(path)
  return { ...found, conflict }
}

function noPlace(path: string): WorkspaceError {
  const why = 'a code block that is not closed, or a heading such as Format'
  return new WorkspaceError(
    'refused',
    `${path} has no place where a fact would be read as one: look for ${why}. Nothing was written.`,
  )
}
