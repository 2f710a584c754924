import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Invocation } from '../../command.ts'
import { expandHome } from '../../config/files/home-path.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'

const NAME = 'mnemark'
const CHECKOUT = fileURLToPath(new URL('../../../../../', import.meta.url))

/** Puts the command of this checkout on PATH: a link in `~/.local/bin`, or in the folder of `--to`. Replaces nothing. */
export async function install(invocation: Invocation): Promise<ExitCode> {
  const { console, environment } = invocation
  const { launcher, folder, link } = placesOf(invocation, 'npm install --global mnemark')
  const isThere = lstatSync(link, { throwIfNoEntry: false }) !== undefined
  if (isThere && !isOurs(link, launcher)) {
    throw new CommandError('name-taken', `${link} is there already, and is no link to ${launcher}`, {
      next: 'Take it away yourself if it is not needed, or name another folder with --to DIR.',
    })
  }
  if (!isThere) {
    mkdirSync(folder, { recursive: true })
    symlinkSync(launcher, link)
  }
  const other = firstOnPath(environment.PATH)
  const isOnPath = other !== null && realpathSync(other) === realpathSync(link)
  console.document({ link, target: launcher, status: isThere ? 'exists' : 'linked', isOnPath, ...(isOnPath ? {} : { other }) })
  console.print(`${shown(link)} ${isThere ? 'is a link to this checkout already' : `leads to ${shown(launcher)}`}`)
  if (isOnPath) return EXIT.done
  if (other !== null) console.note(`mnemark: ${shown(other)} comes first on PATH, so it is the one that a shell starts`)
  if (!foldersOf(environment.PATH).includes(folder)) {
    console.note(
      `mnemark: ${shown(folder)} is not on PATH. Add it, then open a new shell:\n  ${lineFor(environment.SHELL, folder)}`,
    )
  }
  return EXIT.done
}

/** Removes the link, if it leads to this checkout. */
export async function uninstall(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const { launcher, link } = placesOf(invocation, 'npm uninstall --global mnemark')
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) {
    console.document({ link, status: 'not-there' })
    console.note(`mnemark: there is no ${shown(link)}`)
    return EXIT.nothing
  }
  if (!isOurs(link, launcher)) {
    throw new CommandError('not-ours', `${link} is no link to ${launcher}, so it stays`, {
      next: 'Name the folder of the link with --to DIR, or run the command of the checkout that it leads to.',
    })
  }
  rmSync(link)
  console.document({ link, status: 'removed' })
  console.print(`${shown(link)} is gone; the checkout, the notes and their indexes stay`)
  return EXIT.done
}

interface Places {
  readonly launcher: string
  readonly folder: string
  readonly link: string
}

/** Throws CommandError outside a checkout: npm creates its own links. */
function placesOf({ options, currentFolder }: Invocation, npm: string): Places {
  const launcher = join(CHECKOUT, NAME)
  const isCheckout = isFile(launcher) && existsSync(join(CHECKOUT, 'apps/mnemark/start.mjs'))
  if (!isCheckout || process.platform === 'win32') {
    throw new CommandError(
      'not-a-checkout',
      'the link is for a checkout of Mnemark; npm puts an installed package on PATH itself',
      {
        next: `Run: ${npm}`,
      },
    )
  }
  const to = options.get('to')?.trim()
  const folder = resolve(currentFolder, expandHome(to === undefined || to === '' ? '~/.local/bin' : to))
  return { launcher, folder, link: join(folder, NAME) }
}

/** Compares the target, or the link's text if the target is gone. */
function isOurs(link: string, launcher: string): boolean {
  if (!lstatSync(link).isSymbolicLink()) return false
  const target = resolve(dirname(link), readlinkSync(link))
  return target === launcher || (existsSync(target) && realpathSync(target) === realpathSync(launcher))
}

function firstOnPath(path: string | undefined): string | null {
  return (
    foldersOf(path)
      .map((folder) => join(folder, NAME))
      .find(isFile) ?? null
  )
}

function foldersOf(path: string | undefined): readonly string[] {
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** The line for the user's shell; quoted, since a folder may contain blanks. */
function lineFor(shell: string | undefined, folder: string): string {
  const quoted = `'${folder.replaceAll("'", `'\\''`)}'`
  if (shell?.endsWith('/fish') === true) return `fish_add_path ${quoted}`
  const file = shell?.endsWith('/zsh') === true ? '~/.zshrc' : shell?.endsWith('/bash') === true ? '~/.bashrc' : '~/.profile'
  return `export PATH=${quoted}:"$PATH"    # in ${file}`
}

function shown(path: string): string {
  return isolate(printableName(path))
}
