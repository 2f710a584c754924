/**
 * What runs in the small process between ours and the program: it starts the program in its own process group, tells how it ended
 * through descriptor 3, and ends the whole group when the program has ended or when our end of its input closes, however we went.
 * Its text is handed to `node -e`, so that a bundled application has no file to lose: it uses nothing but itself.
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
      // Nobody is left to be told.
    }
    return endGroup()
  }
  child.on('error', (error) => tell({ problem: 'code' in error ? String(error.code) : 'unknown' }))
  child.on('exit', (code, signal) => tell({ code, signal }))
  process.stdin.on('error', endGroup).on('close', endGroup).on('end', endGroup).resume()
}
