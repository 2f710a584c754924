import { ConfigError } from '@mnemark/spec'

const ABSOLUTE = /^(?:[/\\]|~\/|[A-Za-z]:[/\\])/
const WILDCARD = /[*?]/
const BRACKET = /[[\]{}()!+@]/
/** `\[` escapes a bracket; any other backslash is a folder separator of Windows. */
const ESCAPE = /\\[*?[\]{}()!+@\\]/
const CITED_LINES = /#L\d{1,9}(?:-L?\d{1,9})?$/

/** Shown path of a place on disk: see `DocumentSource.shownPath`. */
export type ShownPath = (place: string) => string | undefined

/**
 * Globs for a path as people write it: a folder matches its content (`decisions/`, `memory`, `./memory/`, an absolute
 * one inside a source), a citation its file, a glob itself. Throws ConfigError for a glob that would keep a server
 * busy.
 */
export function pathPatterns(path: string, shownPath?: ShownPath): readonly string[] {
  const shown = placeInSources(path.trim().normalize('NFC').replace(CITED_LINES, ''), shownPath)
  const slashed = ESCAPE.test(shown) ? shown : shown.replaceAll('\\', '/')
  const name = slashed.replace(/^(?:\.?\/+)+/, '').replace(/(?<!\/)\/+$/, '')
  if (name === '' || name === '.') return ['**']
  if (isCostly(name)) throw new ConfigError('invalid-value', COSTLY)
  const isFolder = slashed.endsWith('/')
  if (WILDCARD.test(name)) return [isFolder ? `${name}/**` : name]
  const inside = `${escaped(name)}/**`
  return isFolder ? [...(BRACKET.test(name) ? [`${name}/**`] : []), inside] : [name, inside]
}

/** `file:router` matches names that contain it, in any case; a glob or a path matches as it is, in any folder. */
export function filePattern(name: string): string {
  if (isCostly(name)) throw new ConfigError('invalid-value', COSTLY)
  const slashed = name.replaceAll('\\', '/').replace(/^(?:\.?\/+)+/, '')
  if (WILDCARD.test(slashed) || slashed.includes('/')) return `**/${slashed}`
  return `**/*${Array.from(slashed.normalize('NFC'), inAnyCase).join('')}*`
}

function placeInSources(path: string, shownPath: ShownPath | undefined): string {
  if (!ABSOLUTE.test(path)) return path
  return shownPath?.(path) ?? path
}

function escaped(name: string): string {
  return ESCAPE.test(name) ? name : name.replaceAll(new RegExp(BRACKET, 'g'), '\\$&')
}

function inAnyCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  const isPair = lower !== upper && lower.length === 1 && upper.length === 1
  return isPair ? `[${lower}${upper}]` : escaped(letter)
}

const MOST_IN_NAME = 3
const MOST_IN_ALL = 8
const COSTLY = `paths: a glob may have ${MOST_IN_NAME} wildcards in a name and ${MOST_IN_ALL} in all, and no groups in parentheses`

/**
 * A glob becomes a regular expression: each further wildcard multiplies its time by the length of a path, and groups do
 * so without limit.
 */
function isCostly(glob: string): boolean {
  const wildcards = glob.split('/').map((name) => name.match(/\*+|[\])}]\+/g)?.length ?? 0)
  const isGrouped = glob.includes('(') && /[*+?|{[]/.test(glob)
  return (
    isGrouped || wildcards.some((count) => count > MOST_IN_NAME) || wildcards.reduce((sum, count) => sum + count, 0) > MOST_IN_ALL
  )
}
