import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
export const LAUNCHER: string = join(ROOT, 'mnemark')
export const TOKEN = 'token-of-the-clients-0123456789'

/** A folder of notes with a home of its own: nothing of the machine's settings is seen. */
export interface MemoryPlace {
  readonly workspace: string
  readonly environment: Readonly<Record<string, string>>
  remove(): void
}

export function makePlace(files: Readonly<Record<string, string>>): MemoryPlace {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-clients-'))
  const [workspace, home] = [join(root, 'notes'), join(root, 'home')]
  mkdirSync(home)
  const config = { serve: { port: 0, token: TOKEN } }
  for (const [path, text] of Object.entries({ ...files, 'mnemark.json5': JSON.stringify(config) })) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TZ: 'UTC',
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/mnemark-test'),
  }
  spawnSync(LAUNCHER, ['trust', '--yes'], { cwd: workspace, env: environment })
  return { workspace, environment, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** A running `mnemark serve` of the place. */
export async function serve({ workspace, environment }: MemoryPlace): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(LAUNCHER, ['serve', '--json'], { cwd: workspace, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { event, url: address } = JSON.parse(line)
      if (event === 'serving') resolve(String(address))
    })
    void exited.then(() => reject(new Error('serve ended before it listened')))
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  return { url, stop }
}
