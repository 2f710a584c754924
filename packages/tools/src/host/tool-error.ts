export type ToolErrorCode = 'bad-input' | 'read-only' | 'denied' | 'unknown-tool'

const STAMP = Symbol.for('mnemark.error.ToolError')

/** A tool was called in a way it cannot follow. `next` is the next step. */
export class ToolError extends Error {
  readonly code: ToolErrorCode
  readonly next: string

  constructor(code: ToolErrorCode, message: string, details: { readonly next: string; readonly cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ToolError'
    this.code = code
    this.next = details.next
    Object.defineProperty(this, STAMP, { value: true })
  }

  /** Also true for errors of another copy of this package. */
  static isInstance(error: unknown): error is ToolError {
    return typeof error === 'object' && error !== null && STAMP in error
  }
}
