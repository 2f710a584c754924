import { stripVTControlCharacters } from 'node:util'
import type { Invocation } from '../command.ts'
import type { Console } from '../terminal/console.ts'

/**
 * Prints lines unchanged; on a terminal through the user's pager if they are longer than the screen, unless `--no-pager` is
 * given. Wrap text before passing it in.
 */
export async function printPaged(
  text: string,
  { console, options, environment }: Pick<Invocation, 'console' | 'options' | 'environment'>,
): Promise<void> {
  const isPlain = options.has('no-pager') || environment.TERM === 'dumb' || fits(text, console)
  if (isPlain) return console.verbatim(text)
  const { showInPager } = await import('./show-in-pager.ts')
  const isShown = await showInPager(text, environment, (note) => console.note(note))
  if (!isShown) console.verbatim(text)
}

/** Always true if stdout is not a terminal. */
function fits(text: string, { isTerminal, screen }: Pick<Console, 'isTerminal' | 'screen'>): boolean {
  if (!isTerminal) return true
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(stripVTControlCharacters(line).length / screen.columns)))
  // One line is left for the prompt.
  return lines.reduce((sum, each) => sum + each, 0) < screen.rows
}
