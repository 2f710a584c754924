import { visibleName } from '@mnemark/workspace'

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const CONTROLS = /(?![\t\n])\p{Cc}/gu
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Text from a file, safe to print: control characters cannot drive the terminal and direction controls cannot affect other lines.
 * Each character is replaced by one character, so that positions in the text stay valid.
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, '\uFFFD').replace(DIRECTION_CONTROLS, '\u200B')
}

/** Isolates text with right-to-left letters, so that it does not reorder its neighbours. */
export function isolate(piece: string): string {
  return RIGHT_TO_LEFT.test(piece) ? `${FIRST_STRONG_ISOLATE}${piece}${POP_ISOLATE}` : piece
}

/** A name or path, safe to print: invisible characters are written out, and the printed form can be used in requests. */
export function printableName(path: string): string {
  return printable(visibleName(path))
}
