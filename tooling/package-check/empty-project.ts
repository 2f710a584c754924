/** A project with nothing in it but packed packages of ours, installed by npm as a stranger would, and the Nodes to try it on. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Tarballs = ReadonlyMap<string, string>

/** A project in which `name` is installed with all that it depends on; ours from the tarballs, others from the registry. Throws where npm fails. */
export class EmptyProject implements Disposable {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'mnemark-project-'))

  constructor(name: string, tarballs: Tarballs) {
    const [own, ...others] = [name, ...[...tarballs.keys()].filter((each) => each !== name)].map((each): [string, string] => [
      each,
      `file:${tarballs.get(each) ?? ''}`,
    ])
    if (own === undefined) return
    const manifest = {
      name: 'project',
      private: true,
      dependencies: Object.fromEntries([own]),
      overrides: Object.fromEntries(others),
    }
    writeFileSync(join(this.directory, 'package.json'), JSON.stringify(manifest))
    npm(['install', '--ignore-scripts'], this.directory)
  }

  /** The size of all installed files, in bytes. */
  get size(): number {
    return sizeOf(join(this.directory, 'node_modules'))
  }

  run(node: string, commandLine: readonly string[], environment: Readonly<Record<string, string>> = {}): ProjectRun {
    const { NODE_OPTIONS: _, ...env } = process.env
    const { status, stdout, stderr } = spawnSync(node, commandLine, {
      cwd: this.directory,
      encoding: 'utf8',
      env: { ...env, HOME: this.directory, USERPROFILE: this.directory, ...environment },
      timeout: 60_000,
    })
    return { status, stdout, stderr }
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

export interface ProjectRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function npm(commandLine: readonly string[], cwd: string): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  execFileSync('npm', [...commandLine, ...quiet], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
}

function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.isFile() ? found.size : 0
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** The program of a Node version, as npm has it for this machine; null where it does not install. */
export function fetchNode(version: string, folder: string): string | null {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const directory = join(folder, version)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'a-node', private: true }))
  try {
    npm(['install', `${name}@${version}`], directory)
  } catch {
    return null
  }
  const places = ['bin/node', 'bin/node.exe'].map((file) => join(directory, 'node_modules', name, file))
  return places.find((file) => existsSync(file)) ?? null
}
