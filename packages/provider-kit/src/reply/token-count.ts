/** A number of tokens as a service counted it: a whole number from 1; undefined for anything else, so that unknown is never 0. */
export function tokenCount(tokens: unknown): number | undefined {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined
}
