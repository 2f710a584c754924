import type { Reranker, RerankRequest } from '@mnemark/spec'

export interface SampleReranker extends Reranker {
  readonly requests: RerankRequest[]
}

/** A reranker in memory. Its scores count how often a passage says `best`, unless `answer` says otherwise. */
export function sampleReranker(
  answer: (request: RerankRequest, call: number) => ReturnType<Reranker['rerank']> = async ({ passages }) =>
    passages.map(countBest),
  more: Partial<Reranker> = {},
): SampleReranker {
  const requests: RerankRequest[] = []
  return {
    specVersion: 'v1',
    provider: 'sample',
    model: 'judge',
    ...more,
    requests,
    rerank: (request) => {
      requests.push(request)
      return answer(request, requests.length)
    },
  }
}

export const countBest = (passage: string): number => passage.split('best').length - 1

/** Answers nothing until it is given up. */
export const never = ({ signal }: RerankRequest): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
