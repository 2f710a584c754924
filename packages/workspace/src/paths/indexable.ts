/**
 * The rules of the default ignore list:
 * `hidden` files and folders whose name begins with a dot · `node_modules` · `virtual-environments` of Python ·
 * `logseq-bins`: `logseq/bak` and `logseq/.recycle` · `excalidraw`: drawings stored as `*.excalidraw.md`.
 */
export type IgnoreRule = 'hidden' | 'node_modules' | 'virtual-environments' | 'logseq-bins' | 'excalidraw'

/** The default rules: all of them. */
export const DEFAULT_IGNORE: readonly IgnoreRule[] = [
  'hidden',
  'node_modules',
  'virtual-environments',
  'logseq-bins',
  'excalidraw',
]

/** Why something was left out: a rule of the list, or a reason that cannot be switched off. */
export type LeftOutReason = IgnoreRule | 'git' | 'state' | 'machine-files' | 'other-files' | 'same-file'

const MARKDOWN_NAME = /.\.(?:md|markdown)$/iu
const MACHINE_NAME = /\.(?:jsonl?|ndjson|sqlite3?|db|log|lance|pid|lock)(?:-wal|-shm|-journal)?$/iu
const ENVIRONMENT_NAMES: ReadonlySet<string> = new Set(['venv', '.venv', 'env', '.env', 'virtualenv'])
const ENVIRONMENT_PARTS = ['bin', 'lib', 'Scripts', 'Lib']

/** Judges a file by its name alone: a note, or why it is not. */
export function judgeFile(name: string, rules: ReadonlySet<IgnoreRule>): 'note' | LeftOutReason {
  if (!MARKDOWN_NAME.test(name)) return MACHINE_NAME.test(name) ? 'machine-files' : 'other-files'
  if (rules.has('hidden') && name.startsWith('.')) return 'hidden'
  if (rules.has('excalidraw') && name.toLowerCase().endsWith('.excalidraw.md')) return 'excalidraw'
  return 'note'
}

export function isMarkdownName(name: string): boolean {
  return MARKDOWN_NAME.test(name)
}

/**
 * Why a folder below a root is not entered, or null when it is. Both the scan and every read ask this function.
 * @param has whether the folder holds an entry of that name
 */
export function judgeFolder(
  path: string,
  rules: ReadonlySet<IgnoreRule>,
  has: (name: string) => boolean = () => false,
): LeftOutReason | null {
  const [name = '', parent = ''] = path.toLowerCase().split('/').reverse()
  if (name === '.git') return 'git'
  if (name === '.mnemark') return 'state'
  if (rules.has('logseq-bins') && parent === 'logseq' && (name === 'bak' || name === '.recycle')) return 'logseq-bins'
  if (rules.has('virtual-environments') && isEnvironment(name, has)) return 'virtual-environments'
  if (rules.has('node_modules') && name === 'node_modules') return 'node_modules'
  if (rules.has('hidden') && name.startsWith('.')) return 'hidden'
  return null
}

function isEnvironment(name: string, has: (name: string) => boolean): boolean {
  return has('pyvenv.cfg') || has('conda-meta') || (ENVIRONMENT_NAMES.has(name) && ENVIRONMENT_PARTS.some(has))
}
