import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import { createApp } from '../../src/serve/create-app.ts'
import { AgentMemory } from '../../src/operations/agent-memory.ts'
import { TOKEN } from './serve-process.ts'

export interface InProcessApp {
  readonly root: string
  readonly app: Hono
  readonly memory: AgentMemory
  /** Moves the clock of the limits. */
  wait(ms: number): void
  /** A request with the token from the machine at `address`; `headers` may bring another token. */
  ask(path: string, init?: RequestInit & { readonly address?: string }): Promise<Response>
}

/** The HTTP surface over a memory of these files, in this process; closed with the test. `config` gets the absolute path of the root for ROOT. */
export async function openApp(
  files: Readonly<Record<string, string>>,
  config: object = {},
  { isRemote = true }: { readonly isRemote?: boolean } = {},
): Promise<InProcessApp> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark in process-')))
  const all = { ...files, '../mnemark.json5': JSON.stringify(config).replaceAll('ROOT', root) }
  for (const [path, text] of Object.entries(all)) {
    const file = join(root, 'notes', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const options = { workspace: join(root, 'notes'), config: join(root, 'mnemark.json5'), state: join(root, 'state') }
  const settings = await loadSettings(options, root, { HOME: root })
  const memory = await AgentMemory.open(settings, { isReadOnly: false, isMasking: true, isWatching: false, isRemote })
  const stopping = new AbortController()
  let nowMs = 0
  const serving = { memory, token: TOKEN, version: '0', stopping: stopping.signal, log: () => {}, now: () => nowMs }
  const { app, close } = createApp(serving)
  onTestFinished(async () => {
    stopping.abort()
    await close()
    await memory.close()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    root,
    app,
    memory,
    wait: (ms) => void (nowMs += ms),
    ask: async (path, { address = '127.0.0.1', ...init } = {}) => {
      const given = new Headers(init.headers)
      const headers = new Headers({ host: '127.0.0.1', authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' })
      given.forEach((value, name) => headers.set(name, value))
      return app.request(`http://127.0.0.1${path}`, { ...init, headers }, { incoming: messageFrom(address) })
    },
  }
}

function messageFrom(address: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  return new IncomingMessage(socket)
}
