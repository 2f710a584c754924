import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as valibot from 'valibot'

const usageSchema = valibot.object({ cpuMs: valibot.number(), peakRssBytes: valibot.number() })

export interface ProcessResult extends valibot.InferOutput<typeof usageSchema> {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly wallMs: number
  readonly isTimedOut: boolean
}
export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly currentFolder?: string
}

const REPORT_USAGE = pathToFileURL(join(import.meta.dirname, 'report-usage.mjs')).href
/** Longest stdout and stderr kept, in characters. */
const OUTPUT_LIMIT = 10_000_000

/**
 * Runs a Node program in a process of its own to its end. CPU time is that of the whole process, start of Node included;
 * children of the program are not counted. After `timeoutMs` (ten minutes) it is killed.
 */
export async function runNode(args: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-usage-'))
  const usageFile = join(folder, 'usage.json')
  try {
    const ended = await runToEnd(['--import', REPORT_USAGE, ...args], {
      ...options,
      environment: { ...options.environment, MNEMARK_BENCH_USAGE: usageFile },
    })
    const usage = existsSync(usageFile)
      ? valibot.parse(usageSchema, JSON.parse(readFileSync(usageFile, 'utf8')))
      : { cpuMs: Number.NaN, peakRssBytes: Number.NaN }
    return { ...ended, ...usage }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runToEnd(args: readonly string[], options: ProcessOptions): Promise<Omit<ProcessResult, 'cpuMs' | 'peakRssBytes'>> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now()
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.currentFolder !== undefined && { cwd: options.currentFolder }),
    })
    let [stdout, stderr, isTimedOut] = ['', '', false]
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout = (stdout + piece).slice(-OUTPUT_LIMIT)))
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr = (stderr + piece).slice(-OUTPUT_LIMIT)))
    const timer = setTimeout(() => {
      isTimedOut = true
      child.kill('SIGKILL')
    }, options.timeoutMs ?? 600_000)
    child.on('error', reject)
    child.on('close', (exitCode) => {
      clearTimeout(timer)
      resolve({ exitCode, stdout, stderr, wallMs: performance.now() - startedMs, isTimedOut })
    })
  })
}
