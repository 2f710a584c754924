import type * as v from 'valibot'
import type { ServeConfig } from '../config.ts'
import { classed, flag, key, object, text, texts, whole } from '../schema-values.ts'

/** The keys of `serve`. */
export const serve: v.GenericSchema<unknown, ServeConfig> = object({
  host: key(text, {
    means: 'the address to listen on; any other than this machine is open to the network',
    default: '`"127.0.0.1"`',
  }),
  port: key(whole(0, 65_535), { means: '`0` takes any free one', default: '`4774`' }),
  token: key(text, { means: 'the bearer token, best as `"${NAME}"`; at least 16 characters', default: 'made once and kept' }),
  allowedHosts: key(texts, { means: 'names under which the server is reached, besides those of this machine', default: '`[]`' }),
  allowedOrigins: key(texts, {
    means: 'web pages that may call it, such as `"https://notes.example"`, besides pages it serves itself',
    default: '`[]`',
  }),
  readOnly: classed('trusted', key(flag, { means: '`true`: nothing can be written, over HTTP or MCP', default: '`false`' }), [
    true,
  ]),
  mask: classed(
    'trusted',
    key(flag, { means: '`false`: passwords and keys in notes are shown, over HTTP and MCP', default: '`true`' }),
    [true],
  ),
  connector: key(flag, {
    means: '`true`: MCP has `search` and `fetch` too, as connectors of ChatGPT want them',
    default: '`false`',
  }),
  maxConnections: key(whole(1, 100_000), { means: 'connections at a time', default: '`512`' }),
  maxBodyBytes: key(whole(1_024, 100_000_000), { means: 'the largest request', default: '`1048576`' }),
  requestsPerMinute: key(whole(1), { means: 'requests a minute; more are refused for a moment', default: '`1200`' }),
  requestTimeoutSeconds: key(whole(1, 3_600), { means: 'how long one request may take', default: '`120`' }),
})
