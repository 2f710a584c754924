import { isolate, printableName } from '../terminal/isolate.ts'

/** ` Did you mean memory/a.md or memory/b.md?`, with a leading space; empty without suggestions. */
export function nearText(paths: readonly string[]): string {
  const names = paths.map((path) => isolate(printableName(path)))
  if (names.length === 0) return ''
  const all = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return ` Did you mean ${all}?`
}
