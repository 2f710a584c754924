import type { Fetch } from './fetch.ts'
import { jsonOrText } from './post-json.ts'
import { failureError, type ServiceFailure } from '../failure/service-failure.ts'

/**
 * A `fetch` for SDKs whose errors lose the headers or the body of a refusal, or print them: it throws for every status that is not a
 * success, before the SDK sees it. `refine` adds what a service says in its own form.
 */
export function failingFetch(fetch: Fetch, refine: (failure: ServiceFailure) => ServiceFailure = (failure) => failure): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok) return response
    const { status, headers } = response
    throw failureError(refine({ status, headers, body: jsonOrText(await response.text()) }))
  }
}
