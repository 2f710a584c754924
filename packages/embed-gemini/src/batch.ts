import type { BatchHandle, InputType } from '@mnemark/spec'
import {
  type EmbeddingBatchDefinition,
  exceptStatus,
  failureError,
  type Fields,
  fieldsOf,
  filledText,
  jsonLines,
  type RawBatchHandle,
  type RawBatchOutcome,
  type RawBatchState,
  type RawBatchSubmission,
  type ServiceFailure,
} from '@mnemark/provider-kit'
import type { GeminiClient } from './client.ts'

/**
 * 2026-11, https://ai.google.dev/gemini-api/docs/batch-mode: 2 GB a file, and tokens by the tier of the account, so that smaller jobs
 * are taken where one large job would not be. The file is held in memory while it is sent.
 */
const LIMITS = { maxRequests: 10_000, maxBytes: 64 * 2 ** 20, minRequests: 1, windowHours: 48 } as const
const PRICE_FACTOR = 0.5
const JSONL = 'application/jsonl'
/** How many entries of a list are searched: at most 100 jobs run at a time, and files live for two days. */
const MOST_LISTED = 4_000
const PAGE = 100
/** A file that is missing, or belongs to another account: the service does not distinguish them. */
const NO_FILE = [403, 404]

/**
 * Jobs by file and key: inline requests have no keys, and their results come in no fixed order. `requestOf` is the request for
 * one text. Jobs are created and read by plain requests: the SDK prints while creating one, and drops the reason of a failure.
 */
export function geminiBatch(
  client: GeminiClient,
  model: string,
  requestOf: (text: string, inputType: InputType) => unknown,
): EmbeddingBatchDefinition {
  return {
    limits: LIMITS,
    priceFactor: PRICE_FACTOR,
    line: ({ id, text, inputType }) => ({ key: id, request: requestOf(text, inputType) }),
    submit: (submission) => submit(client, model, submission),
    find: (marker, signal) => find(client, marker, signal),
    poll: async ({ jobId }, signal) => stateOf(await operationOf(client, jobId, signal)),
    results: (handle, signal) => results(client, handle, signal),
    cancel: async ({ jobId }, signal) => {
      const { batches } = await client.sdkUnder(signal)
      // Already over, or gone.
      await batches.cancel({ name: jobId }).catch(exceptStatus(400, 404, 409))
    },
    cleanUp: (job, signal) => cleanUp(client, job, signal),
  }
}

async function submit(
  client: GeminiClient,
  model: string,
  { file, marker, beforeJob, signal }: RawBatchSubmission,
): Promise<RawBatchHandle> {
  const { files } = await client.sdkUnder(signal)
  const { name } = await files.upload({ file, config: { mimeType: JSONL, displayName: marker } })
  if (name === undefined) throw failureError({ code: 'bad-response', summary: 'the service names no file it took' })
  await beforeJob()
  const batch = { inputConfig: { file_name: name }, displayName: marker }
  const body = JSON.stringify({ batch })
  const reply = await json(client.send(`models/${model}:asyncBatchEmbedContent`, { method: 'POST', body, signal }))
  return handleOf(reply, { marker, inputFile: name })
}

function handleOf(operation: Fields, extra: Readonly<Record<string, string>>): RawBatchHandle {
  const createdAtMs = Date.parse(filledText(fieldsOf(operation['metadata'])['createTime']) ?? '')
  return {
    jobId: filledText(operation['name']) ?? '',
    ...(Number.isNaN(createdAtMs) ? {} : { submittedAtMs: createdAtMs }),
    extra,
  }
}

async function find(client: GeminiClient, marker: string, signal: AbortSignal): Promise<RawBatchHandle | null> {
  const { batches } = await client.sdkUnder(signal)
  let looked = 0
  for await (const { displayName, name, createTime } of await batches.list({ config: { pageSize: PAGE } })) {
    if (displayName === marker && name !== undefined) {
      const inputFile = await filesNamed(client, marker, signal)
      return handleOf({ name, metadata: { createTime } }, { marker, inputFile: inputFile[0] ?? '' })
    }
    if (++looked >= MOST_LISTED) break
  }
  return null
}

const operationOf = (client: GeminiClient, jobId: string, signal: AbortSignal): Promise<Fields> =>
  json(client.send(jobId, { method: 'GET', signal }))

const RUNNING = new Set(['PENDING', 'RUNNING'])
const DONE = new Set(['SUCCEEDED', 'CANCELLED', 'EXPIRED'])

function stateOf(operation: Fields): RawBatchState {
  const metadata = fieldsOf(operation['metadata'])
  const state = filledText(metadata['state'])?.replace(/^(?:BATCH|JOB)_STATE_/, '') ?? ''
  if (RUNNING.has(state)) {
    const { requestCount, successfulRequestCount = 0, failedRequestCount = 0 } = fieldsOf(metadata['batchStats'])
    return {
      status: 'running',
      completed: Number(successfulRequestCount) + Number(failedRequestCount),
      total: Number(requestCount),
    }
  }
  if (DONE.has(state)) return { status: 'done' }
  if (state === 'FAILED') return { status: 'failed', failure: jobFailure(operation['error']) }
  if (state === '' && 'error' in operation)
    throw failureError({ code: 'not-found', summary: 'the service knows no such job', body: operation })
  throw failureError({ code: 'bad-response', summary: 'the job is in a state that is not known' })
}

function jobFailure(error: unknown): ServiceFailure {
  const code = httpStatus(fieldsOf(error)['code']) === 429 ? 'rate-limit' : 'invalid-input'
  return { code, summary: 'the job failed', body: { error: fieldsOf(error) }, nextStep: 'Check model and dimensions.' }
}

async function* results(client: GeminiClient, { jobId }: BatchHandle, signal: AbortSignal): AsyncGenerator<RawBatchOutcome> {
  const file = responsesFile(await operationOf(client, jobId, signal))
  if (file === undefined) return
  const { body } = await client.send(`${file}:download?alt=media`, { method: 'GET', signal })
  if (body !== null) for await (const line of jsonLines(body)) yield outcomeOf(fieldsOf(line))
}

/** In the metadata while the operation is there, and in its response once it is done. */
function responsesFile({ metadata, response }: Fields): string | undefined {
  const output = fieldsOf(fieldsOf(metadata)['output'])
  return filledText(output['responsesFile']) ?? filledText(fieldsOf(response)['responsesFile'])
}

function outcomeOf({ key: id, response, error, status }: Fields): RawBatchOutcome {
  if (response === undefined || response === null) {
    const failure = fieldsOf(error ?? status)
    return { id, failure: { status: httpStatus(failure['code']), body: { error: failure } } }
  }
  const { embedding, embeddings } = fieldsOf(response)
  const first: unknown = Array.isArray(embeddings) ? embeddings[0] : undefined
  return { id, embedding: { values: fieldsOf(embedding ?? first)['values'] } }
}

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto: what HTTP says for each. */
const BY_RPC_CODE: Readonly<Record<number, number>> = { 3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 11: 400, 16: 401 }

/** Lines carry codes of gRPC or of HTTP. gRPC codes that do not concern the request concern the service, and may be retried. */
function httpStatus(code: unknown): number {
  const number = typeof code === 'number' ? code : 0
  return number >= 100 ? number : (BY_RPC_CODE[number] ?? 503)
}

async function cleanUp(client: GeminiClient, job: BatchHandle | { readonly marker: string }, signal: AbortSignal): Promise<void> {
  const { files, batches } = await client.sdkUnder(signal)
  const names = 'jobId' in job ? await filesOf(client, job, signal) : await filesNamed(client, job.marker, signal)
  for (const name of names) await files.delete({ name }).catch(exceptStatus(...NO_FILE))
  // Last, because it names the files.
  if ('jobId' in job) await batches.delete({ name: job.jobId }).catch(exceptStatus(404))
}

async function filesOf(client: GeminiClient, { jobId, extra }: BatchHandle, signal: AbortSignal): Promise<readonly string[]> {
  const operation = (await operationOf(client, jobId, signal).catch(exceptStatus(404))) ?? {}
  const names = [filledText(extra?.['inputFile']), responsesFile(operation)]
  return names.filter((name) => name !== undefined)
}

async function filesNamed(client: GeminiClient, displayName: string, signal: AbortSignal): Promise<readonly string[]> {
  const { files } = await client.sdkUnder(signal)
  const names: string[] = []
  let looked = 0
  for await (const file of await files.list({ config: { pageSize: PAGE } })) {
    if (file.displayName === displayName && file.name !== undefined) names.push(file.name)
    if (++looked >= MOST_LISTED) break
  }
  return names
}

async function json(reply: Promise<Response>): Promise<Fields> {
  const words = await (await reply).text()
  try {
    return fieldsOf(JSON.parse(words))
  } catch {
    throw failureError({ code: 'bad-response', summary: 'the answer about a job is not JSON' })
  }
}
