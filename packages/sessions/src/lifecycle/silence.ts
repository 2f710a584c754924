/** The answer of a model that has nothing to say. */
export const SILENT_TOKEN = 'NO_REPLY'

export interface HeardReply {
  /** `silent`: nothing is to be shown. `empty`: the model gave no answer at all, which is a fault. */
  readonly kind: 'text' | 'silent' | 'empty'
  /** Without the token. */
  readonly text: string
}

/** Marks that models put around the token. */
const DECORATION = ' \t\r\n*_`"\'~.!'
const WHOLE = /^[\s*_`"'~.!]*(?:NO_REPLY[\s*_`"'~.!]*)+$/iu

/** A reply with the silent token read as it is meant: alone it is silence, at the end of a text it goes, and in a sentence about it stays. */
export function hearReply(reply: string): HeardReply {
  if (reply.trim() === '') return { kind: 'empty', text: '' }
  if (WHOLE.test(reply)) return { kind: 'silent', text: '' }
  const text = withoutToken(reply)
  return text.trim() === '' ? { kind: 'silent', text: '' } : { kind: 'text', text }
}

/** Takes the token off the end, where it stands on a line of its own or behind the end of a sentence. */
function withoutToken(reply: string): string {
  let text = reply.trimEnd()
  for (;;) {
    const lineStart = text.lastIndexOf('\n') + 1
    if (lineStart > 0 && WHOLE.test(text.slice(lineStart))) text = text.slice(0, lineStart).trimEnd()
    else if (endsWithToken(text)) text = text.slice(0, -SILENT_TOKEN.length).trimEnd()
    else return text === reply.trimEnd() ? reply : text
  }
}

function endsWithToken(text: string): boolean {
  if (text.slice(-SILENT_TOKEN.length).toUpperCase() !== SILENT_TOKEN) return false
  return /[.!?…。！？]\s{1,8}$/u.test(text.slice(0, -SILENT_TOKEN.length).slice(-8))
}

/** Shows a streamed reply without ever showing a part of the token. */
export interface SilenceFilter {
  /** Returns the text that may be shown now. */
  push(piece: string): string
  /** Returns text that was held back; empty for silence. */
  end(): string
}

export function createSilenceFilter(): SilenceFilter {
  let held = ''
  let shown = ''
  return {
    push(piece) {
      held += piece
      const from = startOfHeld(held)
      const out = held.slice(0, from)
      held = held.slice(from)
      shown += out
      return out
    },
    end() {
      const heard = hearReply(shown + held)
      held = ''
      return heard.kind === 'text' ? heard.text.slice(shown.length) : ''
    },
  }
}

/** Where the end of a text begins that may still become tokens and decoration. */
function startOfHeld(text: string): number {
  let at = text.length
  for (let length = Math.min(SILENT_TOKEN.length, at); length > 0; length -= 1) {
    const isPart = SILENT_TOKEN.startsWith(text.slice(at - length).toUpperCase())
    if (!isPart || /[\p{L}\p{N}_]$/u.test(text.slice(0, at - length).slice(-1))) continue
    at -= length
    break
  }
  for (;;) {
    const before = text.slice(0, at)
    const bare = withoutDecoration(before)
    const isToken = bare.slice(-SILENT_TOKEN.length).toUpperCase() === SILENT_TOKEN
    if (!isToken) return bare.length
    at = bare.length - SILENT_TOKEN.length
  }
}

function withoutDecoration(text: string): string {
  let end = text.length
  while (end > 0 && DECORATION.includes(text[end - 1]!)) end -= 1
  return text.slice(0, end)
}
