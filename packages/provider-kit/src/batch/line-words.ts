import { hash } from 'node:crypto'
import { readErrorBody } from '../failure/error-body.ts'
import type { ServiceFailure } from '../failure/service-failure.ts'

/**
 * What services say of lines that failed. The texts of a job are not at hand when its results are read, days later perhaps, so words
 * that might repeat a note are told by their number: those said of two lines are the service's own, and shown; others are not.
 */
export class LineWords {
  readonly #seen = new Set<string>()

  fitToShow(failure: ServiceFailure): ServiceFailure {
    const { text, codes } = readErrorBody(failure.body)
    if (text === '') return failure
    const key = hash('sha256', text)
    const isCommon = this.#seen.has(key)
    this.#seen.add(key)
    return isCommon ? failure : { ...failure, body: { error: codes.map((code) => ({ code })) } }
  }
}
