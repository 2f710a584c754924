/** The same texts through the bare SDK and through what Mnemark puts around it, in turn. */
import { embedEach } from '@mnemark/core/embed'
import { createOpenAI } from '@mnemark/embed-openai'
import { defineEmbeddingProvider } from '@mnemark/provider-kit'
import type { EmbeddingProvider } from '@mnemark/spec'
import { OpenAI } from 'openai'
import { median } from '../speed/statistics.ts'
import { DIMENSIONS, vectorOf } from './instant-answer.ts'

export const REQUEST_TEXTS = 100

const WORKLOADS = ['planning and checking alone', 'bare SDK', 'adapter', 'adapter, planned by core'] as const
export type Workload = (typeof WORKLOADS)[number]

/** Embeds all texts and gives the number of vectors. */
type Run = (texts: readonly string[]) => Promise<number>

export interface OverheadSetup {
  /** Where the instant server is. */
  readonly origin: string
  readonly texts: readonly string[]
  readonly rounds: number
}

export interface WorkloadResult {
  readonly workload: Workload
  readonly textsPerSecond: number
  /** Time by the time of the bare SDK in the same round. */
  readonly ratio: number
}

/** Medians over the rounds. Throws where a run does not bring a vector for each text. */
export async function measureOverhead({ origin, texts, rounds }: OverheadSetup): Promise<readonly WorkloadResult[]> {
  const runs = runsAgainst(origin)
  const times = new Map<Workload, number[]>(WORKLOADS.map((workload) => [workload, []]))
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const workload of rotated(round)) {
      const ms = await timeOf(runs[workload], texts)
      if (round > 0) times.get(workload)?.push(ms)
    }
  }
  const bare = times.get('bare SDK') ?? []
  return [...times].map(([workload, each]) => ({
    workload,
    textsPerSecond: texts.length / (median(each) / 1000),
    ratio: median(each.map((ms, round) => ms / (bare[round] ?? Number.NaN))),
  }))
}

/** Each goes first in turn, so that none always runs after the same one. */
const rotated = (round: number): readonly Workload[] => {
  const start = round % WORKLOADS.length
  return [...WORKLOADS.slice(start), ...WORKLOADS.slice(0, start)]
}

async function timeOf(run: Run, texts: readonly string[]): Promise<number> {
  const started = performance.now()
  const count = await run(texts)
  const ms = performance.now() - started
  if (count !== texts.length) throw new Error(`${count} vectors for ${texts.length} texts`)
  return ms
}

function runsAgainst(origin: string): Readonly<Record<Workload, Run>> {
  const settings = { apiKey: 'sk-instant', baseUrl: origin, model: 'instant' }
  const provider = createOpenAI({ ...settings, limits: { maxInputs: REQUEST_TEXTS, concurrency: 1 } })
  const client = new OpenAI({ apiKey: settings.apiKey, baseURL: `${origin}/v1`, maxRetries: 0 })
  return {
    'planning and checking alone': (texts) => planned(instantProvider(), texts),
    'bare SDK': (texts) =>
      inRequests(
        texts,
        async (input) => (await client.embeddings.create({ model: settings.model, input: [...input] })).data.length,
      ),
    adapter: (texts) =>
      inRequests(texts, async (input) => {
        const inputs = input.map((text) => ({ type: 'text', text }) as const)
        return (await provider.embed({ inputs, inputType: 'document' })).vectors.length
      }),
    'adapter, planned by core': (texts) => planned(provider, texts),
  }
}

/** A model that answers at once, in this process. */
const instantProvider = (): EmbeddingProvider =>
  defineEmbeddingProvider({
    space: { provider: 'instant', endpoint: null, model: 'instant', requestedDimensions: DIMENSIONS, variant: {} },
    limits: { maxInputs: REQUEST_TEXTS, maxInputTokens: 8192, maxRequestTokens: 300_000, concurrency: 1 },
    traits: { isLocal: true },
    embed: async ({ texts }) => ({ embeddings: texts.map((_, index) => ({ index, values: vectorOf(index) })) }),
  })

/** One after the other, as a plain loop around an SDK does. */
async function inRequests(texts: readonly string[], embed: (texts: readonly string[]) => Promise<number>): Promise<number> {
  let count = 0
  for (let start = 0; start < texts.length; start += REQUEST_TEXTS)
    count += await embed(texts.slice(start, start + REQUEST_TEXTS))
  return count
}

async function planned(provider: EmbeddingProvider, texts: readonly string[]): Promise<number> {
  const inputs = texts.map((text) => ({ type: 'text', text }) as const)
  const summary = await embedEach(provider, inputs, { inputType: 'document', onResults: () => {} })
  return summary.embedded
}
