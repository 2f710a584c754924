/**
 * Runs in the small process between ours and the program: starts the program in its own process group, reports how it
 * ended through descriptor 3, and ends the whole group when the program has ended or our end of its input closes, even
 * after a crash. Its text is passed to `node -e`, since a bundled application has no file for it, so it must not use
 * anything outside itself.
 */
export function supervise(): void {
  const { spawn, spawnSync } = process.getBuiltinModule('node:child_process')
  const { writeSync } = process.getBuiltinModule('node:fs')
  const [program = '', ...args] = process.argv.slice(1)
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true })
  const endGroup = (): never => {
    if (process.platform === 'win32' && child.pid !== undefined) {
      spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
    } else if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL')
    process.exit(0)
  }
  const tell = (ending: object): never => {
    try {
      writeSync(3, JSON.stringify(ending))
    } catch {
      // The parent is gone.
    }
    return endGroup()
  }
  child.on('error', (error) => tell({ problem: 'code' in error ? String(error.code) : 'unknown' }))
  child.on('exit', (code, signal) => tell({ code, signal }))
  process.stdin.on('error', endGroup).on('close', endGroup).on('end', endGroup).resume()
}
