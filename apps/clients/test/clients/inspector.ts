import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ForeignClient, Target } from './foreign-client.ts'

const require = createRequire(import.meta.url)
const PROGRAM = join(dirname(require.resolve('@modelcontextprotocol/inspector/package.json')), 'clients/launcher/build/index.js')

/** The command line of the MCP inspector, one process a call. It has no model: what it prints is the whole result. */
export async function connectInspector(target: Target): Promise<ForeignClient> {
  const run = async (method: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const headers =
      'url' in target ? Object.entries(target.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]) : []
    const server = 'url' in target ? [target.url, '--transport', 'http', ...headers] : [target.command, ...target.args]
    const options = 'url' in target ? {} : { cwd: target.cwd, env: target.env }
    const child = spawn(process.execPath, [PROGRAM, '--cli', ...server, '--method', ...method], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (stdout.trim() === '') throw new Error(`the inspector printed nothing; it said: ${stderr}`)
    return JSON.parse(stdout)
  }
  return {
    tools: async () => {
      const { tools } = await run(['tools/list', '--strict'])
      return Array.isArray(tools) ? tools.map(({ name }) => String(name)) : []
    },
    call: async (name, input) => {
      const args = Object.entries(input).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ])
      return JSON.stringify(await run(['tools/call', '--tool-name', name, ...args]))
    },
    close: async () => {},
  }
}
