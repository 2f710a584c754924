import type { Range } from './ranges.ts'

const MARK =
  /----[ -]?(BEGIN|END) (?:[A-Z\d]{1,20} ){0,4}(?:(?:PRIVATE|ENCRYPTED|SECRET) KEY(?: BLOCK)?|PGP MESSAGE|AGE ENCRYPTED FILE)[ -]?----/gu
/** A PuTTY key file states how many lines its private part has. */
const PUTTY = /^Private-Lines: ?(\d{1,3})\r?\n/gmu
/** A line inside a key: base64, or a header such as `Proc-Type: 4,ENCRYPTED`. */
const MATERIAL = /^[\s>]{0,40}(?:[A-Za-z\d+/=\\…]{12,2000}|[A-Z][A-Za-z-]{2,20}: [^\n]{1,200}|=[\w+/]{4})\s{0,40}$/u
const LONGEST_LINE = 2_000

/** Finds private keys from begin marker to end marker; where one marker is missing, the key-like lines beside the other one. */
export function privateKeys(text: string): readonly Range[] {
  const ranges: Range[] = []
  let open: RegExpExecArray | null = null
  for (const mark of text.matchAll(MARK)) {
    const end = mark.index + mark[0].length
    if (mark[1] === 'BEGIN') {
      if (open !== null) ranges.push([open.index, endBelow(text, open.index + open[0].length)])
      open = mark
    } else {
      ranges.push([open?.index ?? startAbove(text, mark.index), end])
      open = null
    }
  }
  if (open !== null) ranges.push([open.index, endBelow(text, open.index + open[0].length)])
  return [...ranges, ...puttyKeys(text)]
}

function endBelow(text: string, from: number): number {
  let end = lineEnd(text, from)
  while (end < text.length) {
    const next = lineEnd(text, end + 1)
    if (!isMaterial(text, end + 1, next)) break
    end = next
  }
  return end
}

function startAbove(text: string, mark: number): number {
  let start = text.lastIndexOf('\n', mark) + 1
  while (start > 0) {
    const above = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
    if (!isMaterial(text, above, start - 1)) break
    start = above
  }
  return start
}

function isMaterial(text: string, start: number, end: number): boolean {
  return end - start < LONGEST_LINE && MATERIAL.test(text.slice(start, end))
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function puttyKeys(text: string): readonly Range[] {
  const ranges: Range[] = []
  for (const match of text.matchAll(PUTTY)) {
    const start = match.index + match[0].length
    if (start <= (ranges.at(-1)?.[1] ?? -1)) continue
    let end = start
    for (let line = 0; line < Number(match[1]) && end < text.length; line += 1) end = lineEnd(text, end) + 1
    ranges.push([start, Math.min(end, text.length)])
  }
  return ranges
}
