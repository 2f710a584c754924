import type { ProviderErrorCode } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { isAISDKError } from './ai-sdk-error.ts'
import { failureError, notedFailure, type ServiceFailure } from './service-failure.ts'

/** Errors that the AI SDK throws before any request. */
const BEFORE_REQUESTS: readonly (readonly [name: string, code: ProviderErrorCode, summary: string, nextStep: string])[] = [
  [
    'AI_LoadAPIKeyError',
    'config',
    'the model has no API key',
    'Give it one where the model is made, or in its environment variable.',
  ],
  ['AI_LoadSettingError', 'config', 'the model lacks a setting', 'Check the settings of the model.'],
  ['AI_InvalidArgumentError', 'config', 'the model refuses the options', 'Check the provider options.'],
  ['AI_NoSuchModelError', 'not-found', 'the AI SDK knows no such model', 'Check the name of the model.'],
  ['AI_TooManyEmbeddingValuesForCallError', 'invalid-input', 'the model takes fewer inputs at a time', 'Lower limits.maxInputs.'],
  ['AI_UnsupportedFunctionalityError', 'invalid-input', 'the model cannot do this', 'Check the provider options.'],
]

/** Members of an error body that hold codes for programs, not text for people. */
const CODE_MEMBERS = ['code', 'type', 'status', 'error_type', 'param', 'loc']
const MAX_DEPTH = 8

/**
 * Classifies what a model of the AI SDK throws by the symbols, statuses and codes in it. Its message, requests and replies are left out
 * unless they may be shown: they hold texts, and possibly keys.
 */
export function aiSDKFailure(error: unknown, { canShowWords }: { readonly canShowWords: boolean }): unknown {
  const chain = chainOf(error)
  const own = chain.find((link) => ProviderError.isInstance(link))
  if (own !== undefined) return own
  const cause = canShowWords ? error : undefined
  const noted = chain.map(notedFailure).find((failure) => failure !== undefined)
  if (noted !== undefined) return failureError(shownAs(noted, canShowWords), cause)
  const answered = chain.find((link) => isAISDKError(link, 'AI_APICallError') && isRefusal(Reflect.get(link, 'statusCode')))
  if (answered !== undefined) return failureError(shownAs(refusalOf(answered), canShowWords), cause)
  const connection = chain.map((link) => Reflect.get(link, 'code')).find((code) => typeof code === 'string' && code !== '')
  if (connection !== undefined) return withCode(connection, cause)
  const known = BEFORE_REQUESTS.find(([name]) => chain.some((link) => isAISDKError(link, name)))
  if (known !== undefined) return failureError({ code: known[1], summary: known[2], nextStep: known[3] }, cause)
  const isUnconnected = chain.some(
    (link) => isAISDKError(link, 'AI_APICallError') && Reflect.get(link, 'statusCode') === undefined,
  )
  if (isUnconnected) return failureError({ code: 'unavailable', summary: 'the connection failed' }, cause)
  if (chain.some((link) => ['TimeoutError', 'AbortError'].includes(Reflect.get(link, 'name'))))
    return failureError({ code: 'unavailable', summary: 'no answer in time' }, cause)
  return failureError({ code: 'bad-response', summary: 'the model failed on the answer' }, cause)
}

/** The error and its causes, `lastError` of the AI SDK's own retries among them. */
function chainOf(error: unknown, depth: number = MAX_DEPTH): readonly object[] {
  if (typeof error !== 'object' || error === null || depth === 0) return []
  return [error, ...['cause', 'lastError'].flatMap((name) => chainOf(Reflect.get(error, name), depth - 1))]
}

const isRefusal = (status: unknown): boolean => typeof status === 'number' && status >= 300

function refusalOf(error: object): ServiceFailure {
  const headers: unknown = Reflect.get(error, 'responseHeaders')
  return {
    status: Number(Reflect.get(error, 'statusCode')),
    headers: new Headers(headers instanceof Object ? Object.entries(headers).map(([name, value]) => [name, String(value)]) : []),
    body: jsonOrText(Reflect.get(error, 'responseBody')),
  }
}

const shownAs = (failure: ServiceFailure, canShowWords: boolean): ServiceFailure =>
  canShowWords ? failure : { ...failure, body: codesOf(failure.body) }

function jsonOrText(body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The same body with its codes only. */
function codesOf(body: unknown, depth: number = MAX_DEPTH): unknown {
  if (depth === 0 || typeof body !== 'object' || body === null) return undefined
  if (Array.isArray(body)) return body.map((entry) => codesOf(entry, depth - 1))
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (CODE_MEMBERS.includes(name)) return [[name, value]]
      return name === 'error' || name === 'detail' ? [[name, codesOf(value, depth - 1)]] : []
    }),
  )
}

/** An error with the connection's code, which provider-kit classifies. */
const withCode = (code: unknown, cause: unknown): Error =>
  Object.assign(new Error('the request of the model failed', cause === undefined ? undefined : { cause }), { code })
