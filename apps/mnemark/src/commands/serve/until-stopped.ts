/** Waits for the end of `work`, Ctrl+C or a termination signal; a second signal ends the process as usual. */
export async function untilStopped(host: NodeJS.Process, work?: Promise<unknown>): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = (): void => stopped.resolve()
  host.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await Promise.race([stopped.promise, ...(work === undefined ? [] : [work])])
  } finally {
    host.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
