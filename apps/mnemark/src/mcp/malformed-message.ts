import { parseJSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** The answer to an invalid message; `id` is null if the request is unknown. */
export interface MalformedAnswer {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/**
 * The answer to a message, or a list of them, that a transport would refuse or drop; null for a well-formed message, and for a
 * response, which has no answer.
 */
export function answerToMalformed(text: string): MalformedAnswer | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed(null, ProtocolErrorCode.ParseError, 'Parse error: this is no JSON.')
  }
  for (const message of Array.isArray(value) ? value : [value]) {
    const answer = answerTo(message)
    if (answer !== null) return answer
  }
  return null
}

export function malformed(id: MalformedAnswer['id'], code: number, message: string): MalformedAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function answerTo(message: unknown): MalformedAnswer | null {
  try {
    parseJSONRPCMessage(message)
    return null
  } catch {
    const { id, ...members } = typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : {}
    // Ids of responses are our own: the other side may use the same id for its requests.
    if (!('method' in members) && ('result' in members || 'error' in members)) return null
    const isKnown = typeof id === 'string' || typeof id === 'number'
    const expected =
      'Invalid request: expected jsonrpc "2.0", a method, params that are an object, and an id that is a string or a whole number.'
    return malformed(isKnown ? id : null, ProtocolErrorCode.InvalidRequest, expected)
  }
}
