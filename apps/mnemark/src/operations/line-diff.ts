/** Lines shown before and after what changed. */
const CONTEXT = 2

/** One place in which two texts differ, as a unified diff of whole lines. */
export function lineDiff(path: string, before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1
  const from = Math.max(0, start - CONTEXT)
  const tail = Math.max(0, end - CONTEXT)
  const [oldEnd, freshEnd] = [old.length - end, fresh.length - end]
  const lines = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, oldEnd).map((line) => `-${line}`),
    ...fresh.slice(start, freshEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, old.length - tail).map((line) => ` ${line}`),
  ]
  const range = (count: number): string => `${count === 0 ? 0 : from + 1},${count}`
  const head = `@@ -${range(old.length - tail - from)} +${range(fresh.length - tail - from)} @@`
  return [`--- ${before === '' ? '/dev/null' : path}`, `+++ ${path}`, head, ...lines, ''].join('\n')
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
