// Files that agents take for words of their owner. What an agent writes does not belong there: a note that it has read could be behind it.

/** Wherever they lie and however they are spelled. */
const ANYWHERE: ReadonlySet<string> = new Set(['agents', 'agents.override', 'claude', 'claude.local', 'gemini'])
/** At the top, however they are spelled. */
const AT_TOP: ReadonlySet<string> = new Set(['bootstrap', 'heartbeat', 'identity', 'soul'])
/** In other letters than capitals these are names that people give their own notes, where a file system tells the two apart. */
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
  // Over capitals, as file systems compare: the long s of "ſoul" is an s then.
  const capitals = name.toUpperCase()
  const folded = capitals.toLowerCase()
  const exact = ignoresCase ? capitals : name
  if (ANYWHERE.has(folded) || IN_CAPITALS_ANYWHERE.has(exact)) return true
  return isTop && (AT_TOP.has(folded) || IN_CAPITALS_AT_TOP.has(exact))
}

/** macOS and Windows, as they come. */
const FILES_IGNORE_CASE = typeof process !== 'undefined' && (process.platform === 'darwin' || process.platform === 'win32')
