import type { ServiceFailure } from '@mnemark/provider-kit'

/**
 * AWS error types for credentials that were valid once; https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
const EXPIRED = /^Expired(?:Token)?(?:Exception)?$/
const UNSIGNED = /^(?:InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|RequestExpired|RequestTimeTooSkewed)/
const UNKNOWN = /^(?:UnrecognizedClient|InvalidClientTokenId|MissingAuthenticationToken|InvalidToken)/

/** `ValidationException` covers all other refusals. Words of Titan, Cohere, Anthropic and the schema before them, 2023 to 2026-11. */
const TOO_LONG = /too many input tokens|(?:input|prompt) is too long|expected maxLength|exceeds? the max|exceed context limit/i
const LONG_TEXT = /#\/texts\/(\d+): expected maxLength/g
const NO_MODEL = /model identifier is invalid|on-demand throughput/i

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** `ThrottlingException:http://…` in the header, `com.amazon.coral.service#ThrottlingException` in the body. */
const shortType = (type: unknown): string => (typeof type === 'string' ? (type.split(':')[0]?.split('#').at(-1) ?? '') : '')

/** Refines a refusal of Bedrock: its type decides, and for the one ambiguous type, its message. */
export function refineFailure(failure: ServiceFailure, model: string): ServiceFailure {
  const { headers, body, status } = failure
  const fields = isRecord(body) ? body : {}
  const type = shortType(headers?.get('x-amzn-errortype') ?? fields['__type'])
  const message = fields['message'] ?? fields['Message'] ?? (typeof body === 'string' ? body : '')
  const told: ServiceFailure = {
    ...failure,
    body: type === '' ? body : { code: type, message },
    headers: { get: (name) => headers?.get(name === 'x-request-id' ? 'x-amzn-requestid' : name) },
  }
  return {
    ...told,
    ...(type === 'ValidationException' ? meaningOfWords(String(message), model) : meaningOf(type, status, model)),
  }
}

function meaningOf(type: string, status: number | undefined, model: string): Partial<ServiceFailure> {
  if (EXPIRED.test(type))
    return { code: 'auth', summary: 'the credentials have expired', nextStep: 'Get new ones, `aws sso login` for instance.' }
  if (UNSIGNED.test(type))
    return {
      code: 'auth',
      nextStep: 'Check the secret access key, and the time of this machine, which is part of the signature.',
    }
  if (UNKNOWN.test(type)) return { code: 'auth', nextStep: 'Check access key and session token; they belong together.' }
  if (type === 'ServiceQuotaExceededException') return { code: 'quota', nextStep: 'Ask for a higher quota in Service Quotas.' }
  if (type === 'ModelNotReadyException') return { code: 'unavailable', summary: 'the model is not ready yet' }
  if (type === 'ResourceNotFoundException') return elsewhere(model)
  return status === 403
    ? { nextStep: `Allow bedrock:InvokeModel for ${model}, and see that the account has access to it in this region.` }
    : {}
}

function meaningOfWords(words: string, model: string): Partial<ServiceFailure> {
  if (NO_MODEL.test(words)) return elsewhere(model)
  if (!TOO_LONG.test(words)) return {}
  const inputIndexes = [...words.matchAll(LONG_TEXT)].map((match) => Number(match[1]))
  return { code: 'input-too-long', ...(inputIndexes.length === 0 ? {} : { inputIndexes }) }
}

const elsewhere = (model: string): Partial<ServiceFailure> => ({
  code: 'not-found',
  summary: 'the model is not offered there under this id',
  nextStep: `Check in which regions ${model} is offered, and whether it is called through an inference profile, such as us.${model} or eu.${model}.`,
})
