import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { LAUNCHER } from './launcher.ts'

/** A token of the tests, given by the configuration. */
export const TOKEN = 'token-of-the-tests-0123456789'

/** The sections of a configuration that tests of servers change. */
export function serveConfig(serve: object = {}, memorySearch: object = {}): string {
  return JSON.stringify({ agents: { defaults: { memorySearch } }, serve: { port: 0, token: TOKEN, ...serve } })
}

/** Where a server runs, and what it sees of this machine. */
export interface ServePlace {
  readonly workspace: string
  environment(): Readonly<Record<string, string>>
}

/** A running `mnemark serve`. */
export class ServeProcess {
  readonly url: string
  readonly pid: number
  readonly #child: ChildProcess
  readonly #stderr: Promise<string>
  readonly #exited: Promise<number | null>

  private constructor(
    child: ChildProcess,
    url: string,
    ends: { readonly exited: Promise<number | null>; readonly stderr: Promise<string> },
  ) {
    this.url = url
    this.pid = child.pid ?? 0
    this.#child = child
    this.#exited = ends.exited
    this.#stderr = ends.stderr
  }

  static async start(
    place: ServePlace,
    argv: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ServeProcess> {
    const child = spawn(LAUNCHER, ['serve', '--json', ...argv], {
      cwd: place.workspace,
      env: { ...place.environment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const stderr = text(child.stderr)
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        const { event, url: address } = JSON.parse(line)
        if (event === 'serving') resolve(String(address))
      })
      void exited.then(async (code) => reject(new Error(`serve ended with ${code}: ${await stderr}`)))
    })
    return new ServeProcess(child, url, { exited, stderr })
  }

  /** A request with the token, unless `headers` brings another. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return fetch(`${this.url}${path}`, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
    })
  }

  async post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await this.fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
    return { status: response.status, body: await response.json() }
  }

  async get(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await this.fetch(path, { headers })
    return { status: response.status, body: await response.json() }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async stop(signal: 'SIGINT' | 'SIGTERM'): Promise<{ readonly code: number | null; readonly stderr: string }> {
    this.#child.kill(signal)
    return { code: await this.#exited, stderr: await this.#stderr }
  }
}
