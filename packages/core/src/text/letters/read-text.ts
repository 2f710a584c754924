import { type Edit, type EditedText, editedTwice, editText, unedited } from './edited-text.ts'
import { inlineEdits, mayHoldMarksInWords } from './inline-marks.ts'
import { letterEdits } from './normal-letters.ts'

const ASCII = /^[\0-\x7f]*$/

/**
 * A text as people read it, the input of word segmentation: without inline marks inside words and without entities, and
 * with one form of each letter however it is encoded. Plain ASCII, nearly all text, costs two tests.
 */
export function readText(text: string): EditedText {
  const read = mayHoldMarksInWords(text) ? edited(text, inlineEdits(text)) : unedited(text)
  return ASCII.test(read.text) ? read : editedTwice(read, edited(read.text, letterEdits(read.text)))
}

function edited(text: string, edits: readonly Edit[]): EditedText {
  return edits.length === 0 ? unedited(text) : editText(text, edits)
}
