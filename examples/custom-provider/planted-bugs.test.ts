import type { EmbeddingProvider } from '@mnemark/spec'
import { embeddingProviderCases, openaiCompatibleWire } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createAcme } from './acme.ts'

// Bugs that are easily made in a provider: each must be caught, with a message that names the rule it breaks.

type Embed = EmbeddingProvider['embed']

const BUGS: Readonly<Record<string, { readonly plant: (embed: Embed) => Embed; readonly message: RegExp }>> = {
  'takes queries for documents': {
    plant: (embed) => (request) => embed({ ...request, inputType: 'document' }),
    message: /^E6: the input type reaches the service[^]*\[ 'document', 'document' \]/,
  },
  'does not pass the signal on': {
    plant: (embed) => (request) => embed({ ...request, signal: undefined }),
    message:
      /^E9\.before: a signal that has ended cancels before anything happens[^]*aborted before the call: [^]*succeeds instead/,
  },
  'tries again by itself': {
    plant: (embed) => (request) => embed(request).catch(() => embed(request)),
    message: /^E12: one call makes one request, also when it fails\.\n[^]*Expected 1, got 2/,
  },
  'sends more than it may': {
    plant: (embed) => async (request) => {
      const { inputs } = request
      const half = Math.ceil(inputs.length / 2)
      if (inputs.length < 2) return embed(request)
      const [first, second] = [inputs.slice(0, half), inputs.slice(half)].map((part) => embed({ ...request, inputs: part }))
      return { vectors: [...((await first)?.vectors ?? []), ...((await second)?.vectors ?? [])] }
    },
    message: /^E8: more inputs than `maxInputs` are refused before any request\.\n[^]*it succeeds/,
  },
  'counts zero for what is not told': {
    plant: (embed) => async (request) => ({ usage: { inputTokens: 0 }, ...(await embed(request)) }),
    message: /^E10: usage is what the service counted, and absent where it says nothing\.\nnever 0, never estimated/,
  },
}

test.each(Object.entries(BUGS))('a provider that %s is told which rule it breaks', async (_, { plant, message }) => {
  const wanted = /^\^([\w\\.]+):/.exec(message.source)?.[1]?.replaceAll('\\', '')
  const found = embeddingProviderCases({
    transport: 'http',
    create: ({ apiKey, baseUrl, fetch, set }) => {
      const provider = createAcme({ apiKey, baseUrl, fetch, ...set })
      return { ...provider, embed: plant(provider.embed) }
    },
    wire: openaiCompatibleWire({
      model: 'acme-embed-1',
      dimensions: 1024,
      inputType: { field: 'input_type', query: 'query', document: 'passage' },
    }),
  }).find(({ id }) => id === wanted)
  await expect(found?.run()).rejects.toThrow(message)
})
