// A stand-in for the program that follows the file beside its configuration (`fake.json`), since failures cannot be
// ordered from the real one. Every call is recorded in `calls.log`.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const config = process.env.XDG_CONFIG_HOME ?? '.'
const words = process.argv.slice(2)
const command = words.includes('--version') ? 'version' : (words.find((word) => !word.startsWith('-') && word !== 'index') ?? '')
const told = existsSync(join(config, 'fake.json')) ? JSON.parse(readFileSync(join(config, 'fake.json'), 'utf8')) : {}
const plan = told[command] ?? told['*'] ?? {}
if (existsSync(config)) appendFileSync(join(config, 'calls.log'), `${JSON.stringify({ command, words, pid: process.pid, atMs: Date.now() })}\n`)

if (plan.refuses !== undefined && words.includes(plan.refuses)) {
  console.error(`error: unknown option '${plan.refuses}'`)
  process.exit(2)
}
if (plan.forks) {
  // Leaves a process behind that holds the program's output open.
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  writeFileSync(join(config, 'left.pid'), String(left.pid))
}
if (plan.delayMs) await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
if (plan.error !== undefined) process.stderr.write(plan.error)
if (plan.floods) for (let line = 0; line < 200_000; line += 1) process.stdout.write(`${'x'.repeat(99)}\n`)
await new Promise((resolve) => process.stdout.write(plan.output ?? defaultOutput(), resolve))
if (plan.hangs) setInterval(() => {}, 1000)
else if (plan.kills) process.kill(process.pid, plan.kills)
else process.exit(plan.code ?? 0)

function defaultOutput() {
  if (command === 'version') return 'qmd 2.8.3 (fake)\n'
  if (command === 'search' || command === 'vsearch' || command === 'query') return '[]\n'
  if (command === 'update') return 'Indexed: 0 new, 0 updated, 0 unchanged, 0 removed\n'
  if (command === 'status') return 'Documents\n  Total:    0 files indexed\n  Vectors:  0 embedded\n'
  return ''
}
