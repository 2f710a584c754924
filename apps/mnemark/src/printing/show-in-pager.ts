import { spawn } from 'node:child_process'
import type { Environment } from '../config/expand-variables.ts'
import { programWords } from '../editor/program-words.ts'

/**
 * Shows a text in the program of `PAGER`, else `less`, and waits until the reader leaves it. False if nothing was shown: no such
 * program, or `PAGER` is blank or `cat`. As with git, `less` gets `FRX` if `LESS` is not set: colours, and the text stays on the
 * screen.
 */
export async function showInPager(text: string, environment: Environment, note: (text: string) => void): Promise<boolean> {
  const isNamed = environment.PAGER !== undefined
  if (isNamed && ['', 'cat'].includes(environment.PAGER?.trim() ?? '')) return false
  const [program = 'less', ...argv] = isNamed ? programWords('PAGER', environment) : ['less']
  const env = { ...environment, LESS: environment.LESS ?? 'FRX', LESSCHARSET: environment.LESSCHARSET ?? 'utf-8' }
  // Ctrl+C belongs to the pager, from its first moment on.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  const pager = spawn(program, argv, { stdio: ['pipe', 'inherit', 'inherit'], env })
  // A reader who leaves early does not read the rest.
  pager.stdin.on('error', ignore)
  try {
    return await new Promise<boolean>((resolve) => {
      pager
        .once('exit', () => resolve(true))
        .once('error', () => {
          // Many small systems have no less; only a configured program is reported as missing.
          if (isNamed) note(`mnemark: PAGER names ${JSON.stringify(program)}, which cannot be started`)
          resolve(false)
        })
      pager.stdin.end(`${text}\n`)
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}
