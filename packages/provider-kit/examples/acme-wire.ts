import { countWireTokens, type EmbeddingWire, httpDate, recordOf, textsOf, unknownField, type WireReply } from '@mnemark/testkit'

const says = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): WireReply => ({
  status,
  headers,
  body: { message },
})

/** The imaginary service's side, for the contract suite: vectors in the order of the texts, without positions. */
export const acmeWire: EmbeddingWire = {
  name: 'Acme',
  basePath: '',
  inputTypes: 'distinct',
  hasIndexes: false,
  reportsUsage: true,
  lenient: [],
  read({ path, method, headers, body }, apiKey) {
    if (method !== 'POST' || path !== '/embed') return says(404, 'no such page')
    if (headers['authorization'] !== `Bearer ${apiKey}`) return says(401, 'who are you?')
    const fields = recordOf(body) ?? {}
    const texts = textsOf(fields['texts'])
    const { model, type, size = 16 } = fields
    const isKnown = unknownField(fields, ['model', 'texts', 'type', 'size']) === undefined
    if (!isKnown || texts === undefined || typeof size !== 'number') return says(400, 'not a request')
    if (typeof model !== 'string' || (type !== 'query' && type !== 'document')) return says(400, 'not a request')
    if (!texts.every((text) => text.isWellFormed())) return says(400, 'not UTF-8')
    return { texts, model, dimensions: size, inputType: type }
  },
  answer: ({ texts }, vectors, { hasUsage }) => ({
    status: 200,
    body: { vectors, ...(hasUsage ? { tokens: countWireTokens(texts) } : {}) },
  }),
  refusal: (words) => says(400, words),
  failures: {
    auth: [{ title: 'a wrong key', reply: says(401, 'who are you?') }],
    'not-found': [{ title: 'an unknown model', reply: says(404, 'no such model') }],
    quota: [{ title: 'an empty account', reply: says(402, 'add credit') }],
    'rate-limit': [
      { title: 'too many, seconds', reply: says(429, 'slow down', { 'retry-after': '3' }), retryAfterMs: 3000 },
      {
        title: 'too many, a date',
        // A date counts from when it is said, so the reply is made each time.
        get reply() {
          return says(429, 'slow down', { 'retry-after': httpDate(60_000) })
        },
        retryAfterMs: 60_000,
      },
      { title: 'too many, milliseconds', reply: says(429, 'slow down', { 'retry-after-ms': '250' }), retryAfterMs: 250 },
    ],
    'invalid-input': [{ title: 'a refused request', reply: says(400, 'not a request') }],
    'input-too-long': [{ title: 'too large', reply: says(413, 'too large') }],
    unavailable: [{ title: 'its own fault', reply: says(500, 'sorry') }],
  },
}
