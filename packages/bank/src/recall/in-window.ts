import type { FactDays } from '../retain/fact.ts'

/** The days that a question is about: it asks for events of these days, and for states as they were at the end of them. */
export interface Window {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Whether something is a state, which goes on until something replaces it, or happened on its days. */
export type Lasting = 'state' | 'event'

/**
 * Whether a fact belongs to a window. An event must touch it. A state must have begun by its end, however long before:
 * who asks where she lived in November is answered by what was said in May. Undated facts belong to every window.
 */
export function isInWindow(days: FactDays | undefined, lasting: Lasting, { since, until }: Window): boolean {
  if (days === undefined) return true
  const hasBegun = until === undefined || days.from <= until
  if (!hasBegun || since === undefined || lasting === 'state' || days.isOpen === true) return hasBegun
  return (days.to ?? days.from) >= since
}
