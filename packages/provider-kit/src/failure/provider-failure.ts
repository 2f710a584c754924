import { ProviderError, type ProviderErrorCode, type ProviderErrorDetails } from '@mnemark/spec'
import { readErrorBody } from './error-body.ts'
import { errorChain, textMember } from './error-chain.ts'
import { failureCode } from './failure-code.ts'
import { redact, repeatsInput } from './redact.ts'
import { retryAfterMs } from './retry-after.ts'
import { notedFailure, type ServiceFailure } from './service-failure.ts'
import { isTimeout, transportFailure } from './transport-failure.ts'

/** The provider that failed, and the secrets and texts that its error must not show. */
export interface FailureContext {
  readonly provider: string
  readonly model: string
  readonly secrets: readonly string[]
  readonly texts: readonly string[]
  /** Reads a failure from an error of the adapter's SDK. */
  readonly readFailure?: ((error: unknown) => ServiceFailure | undefined) | undefined
  /** Next steps that replace the general ones, some of which are about embeddings. */
  readonly nextSteps?: Readonly<Partial<Record<ProviderErrorCode, string>>>
}

const GENERAL: Readonly<Record<ProviderErrorCode, readonly [what: string, nextStep: string]>> = {
  config: ['the settings cannot be used', 'Correct the settings.'],
  auth: ['the key was refused', 'Check the API key and what it may be used for.'],
  'not-found': ['the model or the address is not known there', 'Check the model name and the base URL.'],
  'refused-redirect': ['the service sent the request elsewhere, which is not followed', 'Set the base URL to the right address.'],
  tls: ['the connection is not trusted', 'Check the certificate of the service and the time of this machine.'],
  quota: ['the account has nothing left to spend', 'Check the plan and the billing of the account.'],
  'rate-limit': ['too many requests', 'Try again later, or with fewer requests at a time.'],
  'invalid-input': ['the request was refused', 'Check model, dimensions and inputs against what the service takes.'],
  'input-too-long': ['the request is too large', 'Send fewer or shorter inputs.'],
  unavailable: ['the service did not answer', 'Try again later; check that the service runs at the configured address.'],
  'bad-response': ['the answer cannot be used', 'Check that the base URL leads to an embedding service, and the model.'],
  cancelled: ['cancelled', ''],
}

/** Turns anything thrown into a `ProviderError` with the next step, without secrets and input texts. */
export function toProviderError(error: unknown, context: FailureContext): ProviderError {
  const chain = errorChain(error)
  const own = chain.find((link) => ProviderError.isInstance(link))
  if (own !== undefined) return rebuilt(own, context)
  const noted = chain.map(notedFailure).find((failure) => failure !== undefined)
  const failure = noted ?? context.readFailure?.(error) ?? transportFailure(error) ?? unknownFailure(error)
  return failureToError(failure, context, failure.status === undefined ? error : undefined)
}

const unknownFailure = (error: unknown): ServiceFailure =>
  isTimeout(error) ? { code: 'unavailable', summary: 'no answer in time' } : { code: 'bad-response' }

function failureToError(failure: ServiceFailure, context: FailureContext, cause: unknown): ProviderError {
  const body = readErrorBody(failure.body)
  const code = failure.code ?? failureCode(failure.status ?? 0, body)
  const [what, generalStep] = GENERAL[code]
  const nextStep = failure.nextStep ?? context.nextSteps?.[code] ?? generalStep
  const facts = [
    ...(failure.status === undefined ? [] : [`HTTP ${failure.status}`]),
    ...body.codes.filter((word) => word !== String(failure.status)).map((word) => safe(word, context)),
  ]
  const said = shortened(safe(body.text, context))
  const message = [
    `${context.provider} (${context.model}): ${failure.summary ?? what}`,
    facts.length === 0 ? '' : ` (${facts.filter((fact) => fact !== '').join(', ')})`,
    said === '' ? '.' : /[.!?…]$/.test(said) ? `: "${said}"` : `: "${said}".`,
    ` ${nextStep}`,
  ]
  const indexes = failure.inputIndexes ?? body.inputIndexes.filter((index) => index < context.texts.length)
  return new ProviderError(code, message.join('').trim(), {
    ...detailsOf(failure, code, context),
    ...(indexes.length > 0 && (code === 'invalid-input' || code === 'input-too-long') ? { inputIndexes: indexes } : {}),
    ...(failure.isUnordered === true ? { isUnordered: true } : {}),
    ...(cause === undefined ? {} : { cause: safeCause(cause, context) }),
  })
}

function detailsOf(failure: ServiceFailure, code: ProviderErrorCode, context: FailureContext): ProviderErrorDetails {
  const requestId = failure.headers?.get('x-request-id') ?? ''
  const waitMs = failure.retryAfterMs ?? (failure.headers === undefined ? undefined : retryAfterMs(failure.headers))
  return {
    provider: context.provider,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(/^[\w.:-]{1,128}$/.test(requestId) && safe(requestId, context) === requestId ? { requestId } : {}),
    ...(waitMs !== undefined && (code === 'rate-limit' || code === 'unavailable') ? { retryAfterMs: waitMs } : {}),
  }
}

const MAX_SAID = 500

/** Cut only after the check: a piece of an input at the cut would be too short to be recognised. */
const shortened = (text: string): string => (text.length > MAX_SAID ? `${text.slice(0, MAX_SAID)}…` : text)

/** The message of a service or library, fit to be shown: empty if it repeats an input. */
function safe(text: string, { secrets, texts }: FailureContext): string {
  const redacted = redact(text, secrets)
  return repeatsInput(redacted, texts) ? '' : redacted
}

/** Errors of SDKs hold requests, replies and headers; only name, code and message of the chain are kept. */
function safeCause(error: unknown, context: FailureContext): Error | undefined {
  const links = typeof error === 'object' ? errorChain(error) : [new Error(String(error))]
  return links.reduceRight<Error | undefined>((cause, link) => {
    const copy = new Error(safe(textMember(link, 'message') ?? '', context), cause === undefined ? undefined : { cause })
    copy.name = safe(textMember(link, 'name') ?? 'Error', context)
    // The stack frames of this copy mean nothing; logs show only the first line.
    copy.stack = `${copy.name}: ${copy.message}`
    const code = textMember(link, 'code')
    return code === undefined ? copy : Object.assign(copy, { code: safe(code, context) })
  }, undefined)
}

/** An adapter's own error is checked like any other. */
function rebuilt(error: ProviderError, context: FailureContext): ProviderError {
  if (error.code === 'cancelled') return error
  const message = safe(error.message, context)
  const { status, requestId, retryAfterMs: waitMs, inputIndexes, isUnordered } = error
  return new ProviderError(error.code, message === '' ? `${context.provider}: ${GENERAL[error.code].join('. ')}` : message, {
    provider: error.provider,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(inputIndexes === undefined ? {} : { inputIndexes }),
    ...(isUnordered === undefined ? {} : { isUnordered }),
    ...(error.cause === undefined ? {} : { cause: safeCause(error.cause, context) }),
  })
}
