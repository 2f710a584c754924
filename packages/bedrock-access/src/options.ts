export interface BedrockCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** With temporary credentials. */
  readonly sessionToken?: string | undefined
  /** A function is called again before then. */
  readonly expiration?: Date | undefined
}

/** Options of every adapter of Bedrock: where it calls, and with which credentials. */
export interface BedrockAccessOptions {
  /**
   * Default: the one in the ARN or the host; else, with the first request, AWS_REGION, the profile's, AWS_DEFAULT_REGION. There is no
   * other default.
   */
  readonly region?: string | undefined
  /**
   * Keys, or a function that gets them, called with the first request and again when they end. Default: with the first request, where
   * AWS tools look, in their order: AWS_BEARER_TOKEN_BEDROCK, environment or profile (SSO, roles, processes), web identity, container.
   */
  readonly credentials?: BedrockCredentials | (() => Promise<BedrockCredentials>) | undefined
  /** An API key of Bedrock, in place of credentials. */
  readonly apiKey?: string | undefined
  /** A profile of the shared AWS files, in place of credentials; the environment's keys are then not looked at. */
  readonly profile?: string | undefined
  /** Whether the metadata service of an EC2 machine is asked for credentials where nothing else has any. Default false. */
  readonly instanceMetadata?: boolean | undefined
  /** A private, FIPS or proxy endpoint. Default: the service's own in the region. AWS_ENDPOINT_URL is not looked at. */
  readonly baseUrl?: string | undefined
  /** Sent with every request, not signed. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof fetch | undefined
}
