const MAX_DEPTH = 8

/** The error, its causes, and the members of aggregates, outermost first. The depth is bounded, so that a cycle ends. */
export function errorChain(error: unknown, depth: number = MAX_DEPTH): readonly object[] {
  if (typeof error !== 'object' || error === null || depth === 0) return []
  const members = error instanceof AggregateError ? error.errors : []
  const cause = 'cause' in error ? error.cause : undefined
  return [error, ...[cause, ...members].flatMap((next) => errorChain(next, depth - 1))]
}

/** A text member of an object of unknown shape; undefined if there is none. */
export function textMember(value: object, name: string): string | undefined {
  const member: unknown = Reflect.get(value, name)
  return typeof member === 'string' ? member : undefined
}
