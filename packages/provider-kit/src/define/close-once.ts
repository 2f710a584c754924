/** Calls `close` the first time only; later calls wait for the same end. */
export function closeOnce(close: () => Promise<void> | undefined): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => (closing ??= Promise.resolve(close()))
}
