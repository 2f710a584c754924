export interface SessionCommand {
  readonly name: 'new' | 'reset' | 'compact'
  /** The text behind it: the first words of the new session, or the things a summary is to keep. */
  readonly rest: string
}

const COMMAND = /^\s*\/(?<name>new|reset|compact)(?:\s+(?<rest>[\s\S]*))?$/iu

/** A message that is a command to the session; null for every other, such as `/newest` or a sentence about `/new`. */
export function readCommand(text: string): SessionCommand | null {
  const groups = COMMAND.exec(text)?.groups
  const name = groups?.['name']?.toLowerCase()
  if (name !== 'new' && name !== 'reset' && name !== 'compact') return null
  return { name, rest: (groups?.['rest'] ?? '').trim() }
}
