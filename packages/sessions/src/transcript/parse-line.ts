import type { Entry, SessionHeader } from './entry.ts'

/** A line that is a JSON object; null for anything else, such as a torn one. */
export function parseLine(bytes: Buffer): Record<string, unknown> | null {
  // A cut inside a character would otherwise read as a replacement character.
  if (bytes.length < 2 || bytes[0] !== 0x7b) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** An entry of the tree: a line with an id that is no header. */
export function asEntry(line: Record<string, unknown> | null): Entry | null {
  if (line === null || line['type'] === 'session' || typeof line['id'] !== 'string' || typeof line['type'] !== 'string')
    return null
  const { message } = line
  if (line['type'] === 'message' && !isMessage(message)) return null
  // The fields that readers use are checked where they are used; unknown types are kept in the tree and left out of everything else.
  return line as unknown as Entry
}

function isMessage(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('role' in message) || !('content' in message)) return false
  return typeof message.role === 'string' && (typeof message.content === 'string' || Array.isArray(message.content))
}

export function asHeader(line: Record<string, unknown> | null): SessionHeader | null {
  if (line === null || line['type'] !== 'session' || typeof line['id'] !== 'string') return null
  // The two fields that make a header are checked; the others are optional in files of other programs.
  return line as unknown as SessionHeader
}
