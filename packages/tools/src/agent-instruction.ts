/** By these agents are instructed, wherever they lie and however they are spelled. */
const ANYWHERE: ReadonlySet<string> = new Set(['agents', 'claude', 'claude.local', 'gemini', 'skill'])
const AT_TOP: ReadonlySet<string> = new Set(['soul', 'user', 'identity', 'heartbeat', 'bootstrap', 'boot', 'tools', 'dreams'])

/** Whether an agent takes the file for words of its owner: a note that it has read could be behind what it writes there. */
export function isAgentInstruction(path: string): boolean {
  const name = path.replace(/^[\s\S]*\//u, '').replace(/\.(?:md|markdown)$/iu, '')
  // Over capitals, as file systems compare.
  const folded = name.toUpperCase().toLowerCase()
  return ANYWHERE.has(folded) || (!path.includes('/') && AT_TOP.has(folded))
}
