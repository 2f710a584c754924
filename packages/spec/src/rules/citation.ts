/** `path#L12-L14`, lines from 1, both inclusive: how a place is cited, and read again. */
export function citationOf(path: string, startLine: number, endLine: number): string {
  return `${path}#L${startLine}-L${endLine}`
}
