import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { LAUNCHER } from './launcher.ts'
import type { Sandbox } from './launcher.ts'
import { TOKEN } from './serve-process.ts'
import { startServe } from './start-serve.ts'

/** The protocol of the handshake, and the one without sessions. */
export const ERAS: readonly VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }]

/** How a client reaches the same memory. */
export const TRANSPORTS = ['stdio', 'http'] as const
export type TransportName = (typeof TRANSPORTS)[number]

export interface ConnectOptions {
  readonly era?: VersionNegotiationMode
  readonly argv?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A client of the official SDK, connected; closed with the test. */
export async function connect(transport: TransportName, box: Sandbox, options: ConnectOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: options.era ?? 'legacy' } })
  onTestFinished(() => client.close())
  await client.connect(await openTransport(transport, box, options))
  return client
}

async function openTransport(
  transport: TransportName,
  box: Sandbox,
  { argv = [], environment = {}, headers = {} }: ConnectOptions,
): Promise<StdioClientTransport | StreamableHTTPClientTransport> {
  if (transport === 'stdio') {
    const env = { ...box.environment(), ...environment }
    return new StdioClientTransport({ command: LAUNCHER, args: ['mcp', ...argv], cwd: box.workspace, env, stderr: 'ignore' })
  }
  const server = await startServe(box, argv, environment)
  return new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${TOKEN}`, ...headers } },
  })
}

/** The words of a tool's answer. */
export function wordsOf(result: { readonly content?: unknown }): string {
  const [part] = Array.isArray(result.content) ? result.content : []
  return part?.type === 'text' ? String(part.text) : ''
}

/** The structured data of an answer. */
export function dataOf(result: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }): unknown {
  return result._meta?.['mnemark/data']
}

const require = createRequire(import.meta.url)
const INSPECTOR = join(
  dirname(require.resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/launcher/build/index.js',
)

/** Runs the MCP inspector's command line, a client that is not of our making, and parses what it prints. */
export function inspect(
  box: Sandbox,
  target: readonly string[],
  method: readonly string[],
): { readonly code: number | null; readonly result: unknown } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [INSPECTOR, '--cli', ...target, '--method', ...method], {
    cwd: box.workspace,
    encoding: 'utf8',
    env: { ...box.environment(), NO_COLOR: '1' },
  })
  if (stdout.trim() === '') throw new Error(`the inspector printed nothing; it said: ${stderr}`)
  return { code: status, result: JSON.parse(stdout) }
}
