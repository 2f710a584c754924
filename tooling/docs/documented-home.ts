import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The root of the checkout. */
export const ROOT: string = dirname(dirname(import.meta.dirname))
/** The port that the pages print; a test has another one. */
const PRINTED_PORT = '4774'
/** Commands that run until they are stopped: a server, or a watch. */
const STAYS = /^(?:\.\/)?mnemark (?:serve(?! token)|watch)\b/u

/** The result of a block. */
export interface ShellRun {
  readonly code: number | null
  readonly output: string
}

/**
 * A reader's home folder: `~/notes` holds the example notes, `~/checkout` is this checkout with example notes of its own, `mnemark` is on
 * PATH, and there is no terminal.
 */
export class DocumentedHome implements AsyncDisposable {
  readonly path: string
  readonly #port: number
  readonly #environment: NodeJS.ProcessEnv
  readonly #staying: ChildProcess[] = []

  private constructor(path: string, port: number, environment: NodeJS.ProcessEnv) {
    this.path = path
    this.#port = port
    this.#environment = environment
  }

  /** `files` lie in it, by their paths below the home folder. */
  static async make(files: Readonly<Record<string, string>> = {}): Promise<DocumentedHome> {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-docs-')))
    copyNotes(join(path, 'notes'))
    linkCheckout(join(path, 'checkout'))
    mkdirSync(join(path, 'programs'))
    symlinkSync(join(ROOT, 'mnemark'), join(path, 'programs/mnemark'))
    // The editor of the pages.
    symlinkSync('/bin/true', join(path, 'programs/code'))
    const home = new DocumentedHome(path, await freePort(), {
      PATH: [join(path, 'programs'), join(path, '.local/bin'), process.env['PATH']].join(':'),
      HOME: path,
      LANG: 'C.UTF-8',
      EDITOR: 'true',
      SHELL: '/bin/bash',
      // npm would check its registry for updates now and then.
      npm_config_update_notifier: 'false',
      // Compiled sources are the same for every home; each would take twice the time without them.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/mnemark-docs'),
    })
    for (const [name, text] of Object.entries(files)) home.write(`~/${name}`, text)
    return home
  }

  /** Where `~/notes`, or a path below the root of the checkout, is. */
  place(written: string): string {
    return written.startsWith('~') ? join(this.path, written.slice(1)) : join(this.path, 'checkout', written)
  }

  write(written: string, text: string): void {
    mkdirSync(dirname(this.place(written)), { recursive: true })
    writeFileSync(this.place(written), text)
  }

  /** Runs a block of shell as it is printed; a server or watch in it stays until the end. */
  async run(script: string, folder: string): Promise<ShellRun> {
    const lines = script.replaceAll(PRINTED_PORT, String(this.#port)).split('\n')
    for (const line of lines.filter((text) => STAYS.test(text))) await this.#start(line.replace(/\s+#.*$/u, ''), folder)
    const rest = lines.filter((text) => !STAYS.test(text)).join('\n')
    const child = spawn('bash', ['-euo', 'pipefail', '-c', rest], {
      cwd: this.place(folder),
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece) => (output += String(piece)))
    await once(child, 'close')
    return { code: child.exitCode, output }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#staying) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGINT')
      await once(child, 'exit')
    }
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Resolves when it has printed that it is ready. */
  async #start(line: string, folder: string): Promise<void> {
    const command = line.includes('mnemark serve') ? `${line} --port ${this.#port}` : line
    const child = spawn('bash', ['-c', `exec ${command}`], {
      cwd: this.place(folder),
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#staying.push(child)
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (piece) => (output += String(piece)))
    const first = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => undefined)])
    if (first === undefined) throw new Error(`${line} did not stay: ${output}`)
    child.stdout.resume()
  }
}

function copyNotes(to: string): void {
  cpSync(join(ROOT, 'examples/workspace'), to, { recursive: true, filter: (source) => !source.endsWith('.mnemark') })
}

/** Links to the files of the checkout, in folders of its own where commands write. */
function linkCheckout(to: string): void {
  const own = ['examples', ...readdirSync(join(ROOT, 'examples')).map((name) => `examples/${name}`)]
  copyNotes(join(to, 'examples/workspace'))
  for (const folder of ['', ...own.filter((name) => !/\.md$|workspace$/u.test(name))]) {
    mkdirSync(join(to, folder), { recursive: true })
    for (const name of readdirSync(join(ROOT, folder))) {
      if (!own.includes(join(folder, name)) || name.endsWith('.md')) symlinkSync(join(ROOT, folder, name), join(to, folder, name))
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
