import { hash } from 'node:crypto'
import { readErrorBody } from '../failure/error-body.ts'
import type { ServiceFailure } from '../failure/service-failure.ts'

/**
 * Decides which of a service's messages about failed lines may be shown. When results are read, perhaps days later, the texts of
 * the job are no longer at hand, so a message that might repeat a note is recognised by counting: a message about two lines is
 * the service's own and is shown, any other is not.
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
