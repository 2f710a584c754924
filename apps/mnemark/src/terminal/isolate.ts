import { visibleName } from '@mnemark/workspace'

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const CONTROLS = /(?![\t\n])\p{Cc}/gu
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Text from a file, safe to print: control characters cannot drive the terminal and direction controls cannot reach past their
 * line. Every character is replaced by one character, so that positions in the text stay true.
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, '\uFFFD').replace(DIRECTION_CONTROLS, '\u200B')
}

/** One printed piece with right-to-left letters, kept from turning around what stands beside it. */
export function isolate(piece: string): string {
  return RIGHT_TO_LEFT.test(piece) ? `${FIRST_STRONG_ISOLATE}${piece}${POP_ISOLATE}` : piece
}

/** A name or a place, safe to print: what cannot be seen in it is spelt out, and what is printed can be asked for. */
export function printableName(path: string): string {
  return printable(visibleName(path))
}
