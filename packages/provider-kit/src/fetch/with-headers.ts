import type { Fetch } from './fetch.ts'

/** Headers that an SDK needs itself. Any others it adds come from the environment and are not sent. */
const SDK_HEADER = /^(?:accept|content-type|user-agent|x-stainless-.*)$/

/** A `fetch` that sends these headers and the SDK's own, whatever a variable such as `OPENAI_CUSTOM_HEADERS` adds. */
export function withHeaders(fetch: Fetch, ours: Readonly<Record<string, string>>): Fetch {
  return (input, init) => {
    const sdks = [...new Headers(init?.headers)].filter(([name]) => SDK_HEADER.test(name))
    return fetch(input, { ...init, headers: { ...Object.fromEntries(sdks), ...ours } })
  }
}
