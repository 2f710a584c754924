import type { ReadReply } from '@mnemark/spec'

/** Cuts a reading to at most so many characters, after a whole line; `nextFrom` is the line to continue at. */
export function limitLines(reply: ReadReply, maxCharacters: number): ReadReply {
  if (reply.text.length <= maxCharacters) return reply
  const lastEnd = reply.text.lastIndexOf('\n', maxCharacters - 1)
  if (lastEnd < 0) {
    const note = `Line ${reply.startLine} is longer than ${maxCharacters.toLocaleString('en')} characters; this is its beginning.`
    const rest = reply.endLine > reply.startLine ? { nextFrom: reply.startLine + 1 } : {}
    return { ...reply, text: reply.text.slice(0, maxCharacters).toWellFormed(), endLine: reply.startLine, note, ...rest }
  }
  const text = reply.text.slice(0, lastEnd)
  const endLine = reply.startLine + (text.match(/\n/gu)?.length ?? 0)
  return { ...reply, text, endLine, nextFrom: endLine + 1 }
}
