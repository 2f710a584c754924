/** The code of a documentation page: its fenced blocks, and the code spans in its text. */

/** The directives of an HTML comment directly above a block. */
export interface BlockNotes {
  /** `<!-- not run: needs a terminal; tested by apps/mnemark/test/find/pick.test.ts -->` */
  readonly notRun?: { readonly why: string; readonly testedBy: string }
  /** `<!-- exits 1: why -->`: the last command of the block ends with this code. Default 0. */
  readonly exits?: number
  /** `<!-- in ~/agent -->`: where it is typed, when not where the rest of the page is. */
  readonly folder?: string
  /** `<!-- file ~/notes/mnemark.json5 -->`: the block is this file. */
  readonly file?: string
}

export interface Block extends BlockNotes {
  readonly language: string
  readonly text: string
  /** The line of the opening fence, from 1. */
  readonly line: number
}

export interface Page {
  readonly blocks: readonly Block[]
  /** Code spans, in order, each once. */
  readonly spans: readonly string[]
}

const FENCE = /^(?<indent> *)```(?<language>\w*)\s*$/u
const COMMENT = /^ *<!-- (?<text>.+) -->\s*$/u

export function readPage(markdown: string): Page {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  const prose: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const opening = FENCE.exec(lines[at] ?? '')?.groups
    if (opening === undefined) {
      prose.push(lines[at] ?? '')
      continue
    }
    const { indent = '', language = '' } = opening
    const end = lines.findIndex((line, index) => index > at && line.trim() === '```')
    if (end === -1) throw new Error(`The block in line ${at + 1} does not end.`)
    const text = lines
      .slice(at + 1, end)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n')
    blocks.push({ language, text, line: at + 1, ...notesAbove(lines, at) })
    at = end
  }
  const spans = [...prose.join('\n').matchAll(/(?<!`)`(?<code>[^`\n]+)`(?!`)/gu)].map((match) => match.groups?.['code'] ?? '')
  return { blocks, spans: [...new Set(spans)] }
}

function notesAbove(lines: readonly string[], fence: number): BlockNotes {
  let notes: BlockNotes = {}
  for (let at = fence - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? ''
    const text = COMMENT.exec(line)?.groups?.['text']
    if (text === undefined && line.trim() !== '') break
    if (text !== undefined) notes = { ...notes, ...readNote(text) }
  }
  return notes
}

function readNote(text: string): BlockNotes {
  const [, why, testedBy] = /^not run: (.+); tested by (\S+)$/u.exec(text) ?? []
  if (why !== undefined && testedBy !== undefined) return { notRun: { why, testedBy } }
  const [, exits] = /^exits (\d+): .+$/u.exec(text) ?? []
  if (exits !== undefined) return { exits: Number(exits) }
  const [, folder] = /^in (\S+)$/u.exec(text) ?? []
  if (folder !== undefined) return { folder }
  const [, file] = /^file (\S+)$/u.exec(text) ?? []
  return file === undefined ? {} : { file }
}
