import { ProviderError, type Reranker, type TextGenerator } from '@mnemark/spec'

/** The result of asking a chat model or a reranker one small thing. */
export interface AskedModel {
  readonly kind: 'generator' | 'reranker'
  readonly provider: string
  readonly model: string
  readonly host: string
  readonly ms: number
  /** Why there was no answer. */
  readonly problem?: { readonly code: string; readonly message: string }
}

const WAIT_MS = 30_000
/** A question without any text of notes. */
const QUESTION = { query: 'mnemark asks which is first', passages: ['the first', 'the second'] }
const REQUEST = { system: 'Answer with one word.', prompt: 'Say yes.', maxOutputTokens: 16 }

/** Asks each for a few tokens, all at once. Never rejects. */
export function askModels(generators: readonly TextGenerator[], reranker: Reranker | null): Promise<readonly AskedModel[]> {
  return Promise.all([
    ...generators.map((each) => ask('generator', each, (signal) => each.generate({ ...REQUEST, signal }))),
    ...(reranker === null ? [] : [ask('reranker', reranker, (signal) => reranker.rerank({ ...QUESTION, signal }))]),
  ])
}

async function ask(
  kind: AskedModel['kind'],
  model: Pick<TextGenerator | Reranker, 'provider' | 'model' | 'endpoint'>,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<AskedModel> {
  const startedAtMs = performance.now()
  const problem = await problemOf(call)
  return {
    kind,
    provider: model.provider ?? model.model,
    model: model.model,
    host: modelHost(model),
    ms: Math.round(performance.now() - startedAtMs),
    ...(problem !== undefined && { problem }),
  }
}

/** Where a model runs, for people. */
export function modelHost({ provider, model, endpoint }: Pick<Reranker, 'provider' | 'model' | 'endpoint'>): string {
  return endpoint === undefined || endpoint === null || !URL.canParse(endpoint) ? (provider ?? model) : new URL(endpoint).host
}

async function problemOf(call: (signal: AbortSignal) => Promise<unknown>): Promise<AskedModel['problem']> {
  const signal = AbortSignal.timeout(WAIT_MS)
  try {
    await call(signal)
    return undefined
  } catch (error) {
    if (signal.aborted) return { code: 'unavailable', message: `no answer within ${WAIT_MS / 1000} s` }
    if (!ProviderError.isInstance(error)) throw error
    return { code: error.code, message: error.message }
  }
}
