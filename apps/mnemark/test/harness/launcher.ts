import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
export const LAUNCHER: string = join(ROOT, 'mnemark')
const CONFIG = 'mnemark.json5'

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A home and a workspace of one test, removed with it. */
export class Sandbox {
  readonly root: string = mkdtempSync(join(tmpdir(), 'mnemark-app-'))
  readonly workspace: string = join(this.root, 'notes')
  readonly home: string = join(this.root, 'home')

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }))
    mkdirSync(this.workspace)
    mkdirSync(this.home)
    for (const [path, content] of Object.entries(files)) {
      if (path === CONFIG) this.configure(String(content))
      else this.write(path, content)
    }
  }

  /** Writes the workspace's own configuration as its user would: trusted. What `write` puts there came with the folder. */
  configure(text: string): void {
    this.write(CONFIG, text)
    this.run(['trust', '--yes'])
  }

  write(path: string, content: string | Uint8Array): void {
    const file = join(this.workspace, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }

  /** The folder of the user's state that belongs to the workspace: the only one there is. */
  state(): string {
    const root = join(this.home, '.local/share/mnemark/workspaces')
    const [name, ...others] = readdirSync(root)
    if (name === undefined || others.length > 0) throw new Error(`expected one folder in ${root}`)
    return join(root, name)
  }

  /** The environment of a program started for this test: nothing of the machine's own settings. */
  environment(): Readonly<Record<string, string>> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      TZ: 'UTC',
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/mnemark-test'),
    }
  }

  /** Runs the real launcher inside the workspace; nothing of the machine's own settings is seen. */
  run(
    argv: readonly string[],
    options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
  ): Run {
    const { status, stdout, stderr } = spawnSync(LAUNCHER, argv, {
      ...(options.input !== undefined && { input: options.input }),
      cwd: options.cwd ?? this.workspace,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...this.environment(), ...options.env },
    })
    return { code: status, stdout, stderr }
  }

  /** Runs with --json and parses the one document; its shape is what the test asserts. */
  json(
    argv: readonly string[],
    options: Parameters<Sandbox['run']>[1] = {},
  ): { readonly code: number | null; readonly document: Json } {
    const { code, stdout } = this.run(['--json', ...argv], options)
    return { code, document: JSON.parse(stdout) }
  }
}

/** A JSON document whose members are looked up freely and checked by the assertions. */
export interface Json {
  readonly [key: string]: Json | undefined
}
