// Files that agents take for instructions of their owner. An agent must not write there: a note that it has read could
// be the cause.

/** Names at any depth, in any case. */
const ANYWHERE: ReadonlySet<string> = new Set(['agents', 'agents.override', 'claude', 'claude.local', 'gemini'])
/** Names at the top level, in any case. */
const AT_TOP: ReadonlySet<string> = new Set(['bootstrap', 'heartbeat', 'identity', 'soul'])
/** In lower case these are names of people's own notes, where a file system is case-sensitive. */
const IN_CAPITALS_ANYWHERE: ReadonlySet<string> = new Set(['SKILL'])
const IN_CAPITALS_AT_TOP: ReadonlySet<string> = new Set(['BOOT', 'DREAMS', 'TOOLS', 'USER'])

/**
 * Whether the note at `path` instructs an agent: `SOUL.md`, `USER.md`, `AGENTS.md`, `CLAUDE.md`, `SKILL.md` and the like.
 * @param path relative to the workspace, with `/`, without `.` and `..`
 * @param ignoresCase whether `user.md` is the file `USER.md`; default: as on this system
 */
export function isAgentInstruction(path: string, ignoresCase: boolean = FILES_IGNORE_CASE): boolean {
  const isTop = !path.includes('/')
  const name = path
    .replace(/^.*\//su, '')
    .replace(/\.(?:md|markdown)$/iu, '')
    .normalize('NFC')
  // Compared in capitals, as file systems do: the long s of "ſoul" is an s then.
  const capitals = name.toUpperCase()
  const folded = capitals.toLowerCase()
  const exact = ignoresCase ? capitals : name
  if (ANYWHERE.has(folded) || IN_CAPITALS_ANYWHERE.has(exact)) return true
  return isTop && (AT_TOP.has(folded) || IN_CAPITALS_AT_TOP.has(exact))
}

/** By default, macOS and Windows ignore case. */
const FILES_IGNORE_CASE = typeof process !== 'undefined' && (process.platform === 'darwin' || process.platform === 'win32')
