import type { Fetch } from './fetch.ts'
import { jsonOrText } from './post-json.ts'
import { failureError, type ServiceFailure } from '../failure/service-failure.ts'

/**
 * A `fetch` for SDKs whose errors lose or print the headers or body of a refusal: it throws for every status that is not a
 * success, before the SDK sees it. `refine` adds details that a service reports in its own form.
 */
export function failingFetch(fetch: Fetch, refine: (failure: ServiceFailure) => ServiceFailure = (failure) => failure): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok) return response
    const { status, headers } = response
    throw failureError(refine({ status, headers, body: jsonOrText(await response.text()) }))
  }
}
