import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { LAUNCHER } from './launcher.ts'
import type { Json, Run, Sandbox } from './launcher.ts'

/** Runs the real launcher while this process goes on, so that a server in it can answer; `input` is its stdin. */
export async function runBeside(
  box: Sandbox,
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Run> {
  const child = spawn(LAUNCHER, argv, { cwd: box.workspace, env: { ...box.environment(), ...environment }, stdio: 'pipe' })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

export async function jsonBeside(
  box: Sandbox,
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly document: Json; readonly output: string }> {
  const { code, stdout, stderr } = await runBeside(box, ['--json', ...argv], environment)
  return { code, document: JSON.parse(stdout), output: stdout + stderr }
}
