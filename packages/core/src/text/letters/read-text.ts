import { type Edit, type EditedText, editedTwice, editText, unedited } from './edited-text.ts'
import { inlineEdits, mayHoldMarksInWords } from './inline-marks.ts'
import { letterEdits } from './normal-letters.ts'

const ASCII = /^[\0-\x7f]*$/

/**
 * A text as a person reads it, which is what words are cut from: inline marks inside words and entities are gone, and letters have
 * one form however they are encoded. Text in plain ASCII, nearly all there is, costs two looks.
 */
export function readText(text: string): EditedText {
  const read = mayHoldMarksInWords(text) ? edited(text, inlineEdits(text)) : unedited(text)
  return ASCII.test(read.text) ? read : editedTwice(read, edited(read.text, letterEdits(read.text)))
}

function edited(text: string, edits: readonly Edit[]): EditedText {
  return edits.length === 0 ? unedited(text) : editText(text, edits)
}
