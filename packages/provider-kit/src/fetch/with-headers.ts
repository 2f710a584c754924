import type { Fetch } from './fetch.ts'

/** What an SDK itself has to say in headers. All else it may add comes from the environment, which is not ours to send. */
const SDK_HEADER = /^(?:accept|content-type|user-agent|x-stainless-.*)$/

/** A `fetch` that sends these headers and the SDK's own, whatever a variable such as `OPENAI_CUSTOM_HEADERS` adds. */
export function withHeaders(fetch: Fetch, ours: Readonly<Record<string, string>>): Fetch {
  return (input, init) => {
    const sdks = [...new Headers(init?.headers)].filter(([name]) => SDK_HEADER.test(name))
    return fetch(input, { ...init, headers: { ...Object.fromEntries(sdks), ...ours } })
  }
}
