/** A Copilot token, with the URL that GitHub states for it. */
export interface CopilotToken {
  readonly value: string
  readonly apiUrl: string
  /** On the clock of `CopilotTokens`. */
  readonly freshUntilMs: number
}

/** A running exchange, and the number of waiting callers. */
interface Exchange {
  readonly promise: Promise<CopilotToken>
  readonly controller: AbortController
  waiting: number
}

export interface CopilotTokensOptions {
  /** Gets a new token. Its signal aborts when nobody waits for the token any more. */
  readonly exchange: (signal: AbortSignal) => Promise<CopilotToken>
  readonly nowMs: () => number
  /** Secrets besides the tokens that no error may show. */
  readonly secrets: readonly string[]
}

/** The current token, and the one before it, which a running request may still use. */
const TOKENS_IN_USE = 2

/** The short-lived token that all calls share, exchanged when it is first needed, about to expire, or refused. */
export class CopilotTokens {
  /** The secrets and the tokens in use; one mutable list, since errors are made after the tokens came. */
  readonly secrets: string[]
  readonly #options: CopilotTokensOptions
  #token: CopilotToken | undefined
  #running: Exchange | undefined

  constructor(options: CopilotTokensOptions) {
    this.#options = options
    this.secrets = [...options.secrets]
  }

  /** Returns a token that is still valid. Callers during an exchange share it. */
  async get(signal: AbortSignal): Promise<CopilotToken> {
    const token = this.#token
    if (token !== undefined && this.#options.nowMs() < token.freshUntilMs) return token
    return this.#join((this.#running ??= this.#start()), signal)
  }

  /** Replaces a refused token: by one that was exchanged meanwhile, or by a new one. */
  async replacing(refused: CopilotToken, signal: AbortSignal): Promise<CopilotToken> {
    if (this.#token === refused) this.#token = undefined
    return this.get(signal)
  }

  #keep(token: CopilotToken): void {
    const fixed = this.#options.secrets.length
    this.secrets.splice(fixed + TOKENS_IN_USE - 1)
    this.secrets.splice(fixed, 0, token.value)
    this.#token = token
  }

  #start(): Exchange {
    const controller = new AbortController()
    const promise = this.#options
      .exchange(controller.signal)
      .then((token) => {
        // A token that came after everybody had left is not kept.
        if (this.#running?.controller === controller) this.#keep(token)
        return token
      })
      .finally(() => this.#end(controller))
    // Waiting callers get the error; if all have left, nobody handles it.
    promise.catch(() => {})
    return { promise, controller, waiting: 0 }
  }

  #end(controller: AbortController): void {
    if (this.#running?.controller === controller) this.#running = undefined
  }

  /** A caller that gives up leaves the exchange to the others; the last one ends it. */
  async #join(exchange: Exchange, signal: AbortSignal): Promise<CopilotToken> {
    signal.throwIfAborted()
    exchange.waiting += 1
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([exchange.promise, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
      exchange.waiting -= 1
      if (exchange.waiting === 0) {
        this.#end(exchange.controller)
        exchange.controller.abort()
      }
    }
  }
}
