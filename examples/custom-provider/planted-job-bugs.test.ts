import type { EmbeddingBatch } from '@mnemark/spec'
import { embeddingProviderCases, openAIWire } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createBatchedAcme } from './batched-acme.ts'

// Bugs that are easily made in offline jobs: each must be caught, by the case named, with a message that names the rule it breaks.

const BUGS: Readonly<
  Record<string, { readonly caught: RegExp; readonly plant: (batch: EmbeddingBatch) => Partial<EmbeddingBatch> }>
> = {
  'leaves its files at the service': {
    caught: /^E16\.life: [^]*no file and no job is left at the service/,
    plant: () => ({ cleanUp: async () => {} }),
  },
  'makes the job before its caller has written that down': {
    caught: /^E16\.intent: `beforeJob` is awaited when the texts are there and no job is/,
    plant: ({ submit }) => ({ submit: (items, options) => submit(items, { ...options, beforeJob: async () => {} }) }),
  },
  'finds any job, not the one of the marker': {
    caught: /^E16\.find: [^]*a marker that begins alike is another/,
    plant: ({ find }) => ({ find: (marker, options) => find(marker.slice(0, -1), options) }),
  },
  'cannot find a job again': {
    caught: /^E16\.lag: a list that lags shows no job yet, and then does/,
    plant: () => ({ find: async () => null }),
  },
  'takes a failed job for one that is done': {
    caught: /^E16\.failed: a job whose file is refused has failed, says so/,
    plant: ({ poll }) => ({
      poll: async (...call) => {
        const state = await poll(...call)
        return state.status === 'failed' ? { status: 'done' } : state
      },
    }),
  },
}

test.each(Object.entries(BUGS))('a provider that %s is told which rule it breaks', async (_, { plant, caught }) => {
  const wanted = /^\^([\w\\.]+):/.exec(caught.source)?.[1]?.replaceAll('\\', '')
  const found = embeddingProviderCases({
    transport: 'http',
    create: ({ apiKey, baseUrl, fetch, set }) => {
      const provider = createBatchedAcme({ apiKey, baseUrl, fetch, ...set })
      const { batch } = provider
      return batch === undefined ? provider : { ...provider, batch: { ...batch, ...plant(batch) } }
    },
    wire: openAIWire,
  }).find(({ id }) => id === wanted)
  await expect(found?.run()).rejects.toThrow(caught)
})
