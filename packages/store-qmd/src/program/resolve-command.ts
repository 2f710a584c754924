import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** A program and the arguments before its own, ready to be started without a shell. */
export interface ResolvedCommand {
  readonly program: string
  readonly args: readonly string[]
}
export type CommandResolution =
  | { readonly isFound: true; readonly command: ResolvedCommand }
  | { readonly isFound: false; readonly reason: string }

/** Inputs of the resolution beside the command itself. */
export interface CommandPlace {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The Node that runs scripts. */
  readonly node: string
  readonly isRunnable: (path: string) => boolean
  readonly readText: (path: string) => string | null
}

export function ownPlace(environment: CommandPlace['environment']): CommandPlace {
  return { platform: process.platform, environment, node: process.execPath, isRunnable, readText }
}

/**
 * Finds the program of a configured command: a name on the PATH, or a path, with or without arguments after it. Nothing
 * is unescaped, so that a backslash is a backslash; quotes only group text with blanks.
 */
export function resolveCommand(command: string, place: CommandPlace): CommandResolution {
  const whole = command.trim()
  if (whole === '') return { isFound: false, reason: 'the command is blank' }
  const [name = '', ...args] = place.isRunnable(whole) ? [whole] : splitCommand(whole)
  const path = isPath(name, place) ? existing(name, place) : onPath(name, place)
  if (path === null) {
    return { isFound: false, reason: isPath(name, place) ? `there is no program at ${name}` : `${name} is not on the PATH` }
  }
  return runnable(path, args, place)
}

/** Splits at blanks outside quotes. */
function splitCommand(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_, double: string | undefined, single: string | undefined) => double ?? single ?? '',
    ),
  )
}

function isPath(name: string, { platform }: CommandPlace): boolean {
  return name.includes('/') || (platform === 'win32' && /[\\:]/.test(name))
}

/** On Windows a program may be named without its extension, and a file without one is a script for other shells. */
function existing(path: string, place: CommandPlace): string | null {
  const endings = place.platform !== 'win32' || /\.[^.\\/]+$/.test(path) ? [''] : ['.exe', '.cmd', '.bat']
  return endings.map((ending) => path + ending).find((candidate) => place.isRunnable(candidate)) ?? null
}

function onPath(name: string, place: CommandPlace): string | null {
  const { delimiter, join } = place.platform === 'win32' ? win32 : posix
  const key = Object.keys(place.environment).find((candidate) => candidate.toUpperCase() === 'PATH') ?? 'PATH'
  // Never the current folder: a program among the notes is not the intended one.
  const folders = (place.environment[key] ?? '').split(delimiter).filter((folder) => folder !== '' && folder !== '.')
  for (const folder of folders) {
    const found = existing(join(folder, name), place)
    if (found !== null) return found
  }
  return null
}

function runnable(path: string, args: readonly string[], place: CommandPlace): CommandResolution {
  if (/\.[cm]?js$/i.test(path)) return { isFound: true, command: { program: place.node, args: [path, ...args] } }
  if (place.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return { isFound: true, command: { program: path, args } }
  // A batch file runs in a shell, which would interpret `&` and `%` in a query: its target is started instead.
  const script = scriptOfShim(path, place)
  if (script !== null) return { isFound: true, command: { program: place.node, args: [script, ...args] } }
  return { isFound: false, reason: `${path} is a batch file that leads to no script of Node; name the script or an .exe` }
}

/** The script that a shim of npm, pnpm or yarn starts: the last existing path relative to the shim. */
function scriptOfShim(shim: string, place: CommandPlace): string | null {
  const text = place.readText(shim) ?? ''
  const folder = win32.dirname(shim)
  const paths = [...text.matchAll(/"%(?:~dp0|dp0%)\\?([^"%]+)"/gi)]
    .map(([, relative = '']) => win32.normalize(win32.join(folder, relative)))
    .filter((path) => !/\.exe$/i.test(path) && place.readText(path) !== null)
  return paths.at(-1) ?? null
}

function isRunnable(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false
    // A script needs no execute permission: Node runs it.
    accessSync(path, /\.[cm]?js$/i.test(path) ? constants.R_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
