import { errorChain } from './error-chain.ts'
import { notedFailure } from './service-failure.ts'

/** The HTTP status behind anything an SDK throws; undefined where the service did not answer. */
export function statusOf(error: unknown): number | undefined {
  return errorChain(error)
    .map((link) => notedFailure(link)?.status)
    .find((status) => status !== undefined)
}

/** For `catch`: lets refusals with one of these statuses pass, and throws everything else. */
export function exceptStatus(...statuses: readonly number[]): (error: unknown) => undefined {
  return (error) => {
    const status = statusOf(error)
    if (status === undefined || !statuses.includes(status)) throw error
  }
}
