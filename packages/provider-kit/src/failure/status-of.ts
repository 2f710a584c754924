import { errorChain } from './error-chain.ts'
import { notedFailure } from './service-failure.ts'

/** The HTTP status behind anything an SDK throws; undefined if the service did not answer. */
export function statusOf(error: unknown): number | undefined {
  return errorChain(error)
    .map((link) => notedFailure(link)?.status)
    .find((status) => status !== undefined)
}

/** For `catch`: ignores refusals with one of these statuses and rethrows everything else. */
export function exceptStatus(...statuses: readonly number[]): (error: unknown) => undefined {
  return (error) => {
    const status = statusOf(error)
    if (status === undefined || !statuses.includes(status)) throw error
  }
}
