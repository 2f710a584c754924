/** Members of the answers of the routes for sessions; which are there is what the tests assert. */
export interface SessionAnswer {
  readonly id: string
  readonly sessionId: string
  readonly previous: string
  readonly sessions: readonly { readonly id: string }[]
  readonly total: number
  readonly next?: string
  readonly written: readonly { readonly id: string; readonly isNew: boolean }[]
  readonly messages: readonly { readonly text: string; readonly citation: string }[]
  readonly earlier?: string
  readonly deleted: readonly string[]
  readonly text: string
  readonly data: unknown
  readonly status?: string
  readonly error: { readonly code: string; readonly next: string }
}

export function answerOf({ body }: { readonly body: unknown }): SessionAnswer {
  // Safe: a member that is not there fails the assertion on it.
  return body as SessionAnswer
}

/** The address of a session, or of what is below it. */
export function at(session: string, rest = ''): string {
  return `/v1/sessions/${encodeURIComponent(session)}${rest}`
}
