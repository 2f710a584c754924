/** A token of Copilot, and the address that GitHub names for it. */
export interface CopilotToken {
  readonly value: string
  readonly apiUrl: string
  /** By the clock of `CopilotTokens`. */
  readonly freshUntilMs: number
}

/** An exchange under way, and how many wait for it. */
interface Exchange {
  readonly promise: Promise<CopilotToken>
  readonly controller: AbortController
  waiting: number
}

export interface CopilotTokensOptions {
  /** Gets a new token. Its signal ends when nobody waits for it any more. */
  readonly exchange: (signal: AbortSignal) => Promise<CopilotToken>
  readonly nowMs: () => number
  /** Secrets besides the tokens that no error may show. */
  readonly secrets: readonly string[]
}

/** The token of the moment, and the one before it, which may still be on its way somewhere. */
const TOKENS_IN_USE = 2

/** The short-lived token that all calls share, exchanged when it is first needed, about to expire, or refused. */
export class CopilotTokens {
  /** The secrets and the tokens in use; one list that changes, since errors are made after the tokens came. */
  readonly secrets: string[]
  readonly #options: CopilotTokensOptions
  #token: CopilotToken | undefined
  #running: Exchange | undefined

  constructor(options: CopilotTokensOptions) {
    this.#options = options
    this.secrets = [...options.secrets]
  }

  /** A token that is good by the clock. Those who ask during an exchange share it. */
  async get(signal: AbortSignal): Promise<CopilotToken> {
    const token = this.#token
    if (token !== undefined && this.#options.nowMs() < token.freshUntilMs) return token
    return this.#join((this.#running ??= this.#start()), signal)
  }

  /** The token after one that was refused: the one that took its place meanwhile, or a new one. */
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
        // One that came after everybody had left takes no place.
        if (this.#running?.controller === controller) this.#keep(token)
        return token
      })
      .finally(() => this.#end(controller))
    // Whoever waits hears of it; when all have gone, nobody is left to.
    promise.catch(() => {})
    return { promise, controller, waiting: 0 }
  }

  #end(controller: AbortController): void {
    if (this.#running?.controller === controller) this.#running = undefined
  }

  /** One caller that gives up leaves the exchange to the others; the last one ends it. */
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
