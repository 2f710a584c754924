import { checkHeaders, configError, failureError, requireKey, requireText } from '@mnemark/provider-kit'
import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import type { BedrockAccessOptions, BedrockCredentials } from './options.ts'

/** The SDK's own type. */
type AwsCredentialIdentity = Exclude<BedrockRuntimeClientConfig['credentials'], undefined | ((...given: never) => unknown)>

/** How requests are authorised; nothing is looked up before the first one. */
export type BedrockAccess =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'given'; readonly provide: () => Promise<BedrockCredentials> }
  | { readonly kind: 'found'; readonly profile: string | undefined; readonly hasInstanceMetadata: boolean }

/** Throws `config` for invalid keys and names, and if more than one way is given. */
export function accessOf(provider: string, options: BedrockAccessOptions): BedrockAccess {
  const { apiKey, credentials, profile, instanceMetadata: hasInstanceMetadata = false } = options
  const ways = Object.entries({ apiKey, credentials, profile }).filter(([, value]) => value !== undefined)
  if (ways.length > 1) throw configError(provider, `${ways.map(([name]) => name).join(' and ')} are given`, 'Give one of them.')
  if (apiKey !== undefined) return { kind: 'key', apiKey: requireKey(provider, apiKey) }
  if (credentials !== undefined) return { kind: 'given', provide: providerOf(provider, credentials) }
  return {
    kind: 'found',
    profile: profile === undefined ? undefined : requireText(provider, 'profile', profile),
    hasInstanceMetadata,
  }
}

function providerOf(
  provider: string,
  given: NonNullable<BedrockAccessOptions['credentials']>,
): () => Promise<BedrockCredentials> {
  if (typeof given === 'function') return given
  const credentials = checkedCredentials(provider, given)
  return async () => credentials
}

function checkedCredentials(provider: string, given: BedrockCredentials): BedrockCredentials {
  // A caller without types may pass anything.
  const { accessKeyId, secretAccessKey, sessionToken, expiration }: Partial<BedrockCredentials> = Object(given)
  const keys = {
    accessKeyId: requireText(provider, 'credentials.accessKeyId', accessKeyId),
    secretAccessKey: requireText(provider, 'credentials.secretAccessKey', secretAccessKey),
    ...(sessionToken === undefined ? {} : { sessionToken: requireText(provider, 'credentials.sessionToken', sessionToken) }),
  }
  // Rejects keys that do not fit in a header, or that name a variable that was not replaced.
  checkHeaders(provider, keys)
  return { ...keys, ...(expiration === undefined ? {} : { expiration }) }
}

/** The API key: the given one, or the environment's, which AWS tools prefer to everything else. */
export const bearerKey = (access: BedrockAccess): string | undefined =>
  access.kind === 'key'
    ? access.apiKey
    : access.kind === 'found' && access.profile === undefined
      ? process.env['AWS_BEARER_TOKEN_BEDROCK']?.trim() || undefined
      : undefined

/**
 * Gets credentials and passes them to `learn`, so that no error shows them. The SDK's chain asks the machine's metadata service
 * last; this one only if that is configured.
 */
export function credentialsOf(
  access: Exclude<BedrockAccess, { readonly kind: 'key' }>,
  learn: (secrets: readonly string[]) => void,
): () => Promise<AwsCredentialIdentity> {
  const provide = access.kind === 'given' ? access.provide : chainOf(access)
  return async () => {
    const { accessKeyId, secretAccessKey, sessionToken, expiration }: Partial<BedrockCredentials> = Object(
      await had(provide, access),
    )
    if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string') throw notFound(access)
    const session = typeof sessionToken === 'string' ? { sessionToken } : {}
    learn([secretAccessKey, ...Object.values(session)])
    return { accessKeyId, secretAccessKey, ...session, ...(expiration === undefined ? {} : { expiration }) }
  }
}

/** Catches every failure on the way, also of a function that throws before it awaits. */
async function had(provide: () => Promise<BedrockCredentials>, access: BedrockAccess): Promise<BedrockCredentials> {
  try {
    return await provide()
  } catch (error) {
    throw notFound(access, error)
  }
}

function chainOf({ profile, hasInstanceMetadata }: Extract<BedrockAccess, { readonly kind: 'found' }>) {
  return async (): Promise<BedrockCredentials> => {
    const sdk = await import('@aws-sdk/credential-providers')
    const named = profile ?? process.env['AWS_PROFILE']?.trim()
    // As in all AWS tools, a named profile comes before the keys of the environment.
    const environment = named ? [] : [sdk.fromEnv()]
    const files = sdk.fromIni(named ? { profile: named } : {})
    // A profile named in the options must not be replaced by other credentials where it has no keys.
    const elsewhere = profile === undefined ? [sdk.fromTokenFile(), sdk.fromHttp()] : []
    const machine = hasInstanceMetadata ? [sdk.fromInstanceMetadata()] : []
    return sdk.createCredentialChain(...environment, files, ...elsewhere, ...machine)()
  }
}

function notFound(access: BedrockAccess, cause?: unknown): Error {
  if (access.kind === 'given')
    return failureError(
      { code: 'auth', summary: 'the given credentials could not be had', nextStep: 'See the cause; check where they come from.' },
      cause,
    )
  return failureError(
    {
      code: 'auth',
      summary: 'no AWS credentials were found',
      nextStep:
        'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE or AWS_BEARER_TOKEN_BEDROCK, or sign in with `aws sso login`; on an EC2 machine with a role, set instanceMetadata.',
    },
    cause,
  )
}
