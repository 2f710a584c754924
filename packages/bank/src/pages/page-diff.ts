import { createTwoFilesPatch } from 'diff'

/** The change as a unified diff with three lines around each place; empty where nothing changes. `before` absent: the file is new. */
export function pageDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return ''
  const name = /[\t\n\r"\\]/.test(path) ? JSON.stringify(path) : path
  const patch = createTwoFilesPatch(before === undefined ? '/dev/null' : `a/${name}`, `b/${name}`, before ?? '', after, '', '', {
    context: 3,
    stripTrailingCr: false,
  })
  return patch.replace(/^=+\n/, '')
}
