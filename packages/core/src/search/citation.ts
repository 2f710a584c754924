export function citationOf(path: string, startLine: number, endLine: number): string {
  return `${path}#L${startLine}-L${endLine}`
}
