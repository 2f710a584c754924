import { failureError } from '@mnemark/provider-kit'
import type { Library } from './library.ts'
import type { ModelReference } from './model-reference.ts'

export interface FetchSettings {
  readonly modelCacheDir: string | undefined
  readonly huggingFaceEndpoint: string
  readonly huggingFaceToken: string | undefined
}

const ANSWER_MS = 30_000

/** The path of the model's file, fetched if it is not there yet. Files of this machine are not looked at. */
export async function fetchModel(
  library: Library,
  model: ModelReference,
  { settings, signal }: { readonly settings: FetchSettings; readonly signal: AbortSignal },
): Promise<string> {
  if (model.kind === 'file') return model.path
  const options = {
    ...(settings.modelCacheDir === undefined ? {} : { directory: settings.modelCacheDir }),
    endpoints: { huggingFace: settings.huggingFaceEndpoint },
    // null, which its types do not name, keeps the library from looking for a token in the environment and the home folder.
    tokens: { huggingFace: settings.huggingFaceToken ?? (null as unknown as string) },
    cli: false,
    ...(model.fileName === undefined ? {} : { fileName: model.fileName }),
  }
  // With downloads off it throws for whatever is not there.
  const kept = await library.resolveModelFile(model.reference, { ...options, download: false }).catch(() => undefined)
  if (kept !== undefined) return kept
  await assertReachable(model.url, signal)
  const fetching = library.resolveModelFile(model.reference, { ...options, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw refusal(error)
  })
  // The library listens to the signal only while the file itself comes in.
  return Promise.race([fetching, rejectionOf(signal)])
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

/** The library tries a host that does not answer 150 times, longer and longer apart. */
async function assertReachable(url: string, signal: AbortSignal): Promise<void> {
  const { status, headers } = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  })
  if (status >= 500) throw failureError({ status, headers, summary: 'the model could not be fetched' })
}

function refusal(error: unknown): Error {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  const summary = 'the model could not be fetched'
  const nextStep = 'Check the reference, and whether the model may be fetched without a token.'
  return typeof status === 'number'
    ? failureError({ status, summary, nextStep })
    : failureError({ code: 'not-found', summary, nextStep }, error)
}
