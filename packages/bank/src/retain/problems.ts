export type FactProblemCode =
  | 'unknown-kind'
  | 'two-kinds'
  | 'bad-confidence'
  | 'empty-content'
  | 'empty-entity'
  | 'unclosed'
  | 'literal-newline'
  | 'conflict-marker'
  | 'too-long'
  | 'unquoted-name'
  | 'bad-day'
  | 'range-order'
  | 'relation-target'
  | 'unused-confidence'

/** A line of a note that could not be read as its author meant it. The text stays where it is and is found as before. */
export interface FactProblem {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units of the line. */
  readonly column: number
  readonly code: FactProblemCode
  /** `error`: the line is no fact. `warning`: it is one, without the part that is named. */
  readonly severity: 'error' | 'warning'
  /** Says what is wrong and what to write instead; quotes nothing from the note. */
  readonly message: string
  /** The line as it would be read. */
  readonly proposed?: string
}

const ERRORS = {
  'unknown-kind': 'This letter is no kind of fact. Write W (world), B (experience), O (opinion) or S (observation).',
  'two-kinds': 'A fact has one kind. Write one letter of W, B, O and S.',
  'bad-confidence': 'A confidence is a number from 0 to 1 or a percentage: O(c=0.80).',
  'empty-content': 'Nothing stands after the head of this fact.',
  'empty-entity': 'An entity has no name. Write @Name, @"Two Words" or [[Page]].',
  unclosed: 'A bracket, quote or ~~ of this fact is not closed.',
  'literal-newline': 'The line holds the two characters \\n where a line break was meant.',
} as const

const WARNINGS = {
  'conflict-marker': 'A merge left its marker here. Keep one side and delete the markers.',
  'too-long': 'The fact is longer than 2,000 characters. Split it, or move the text to a note and cite that.',
  'unquoted-name': 'Only the first word is taken as the name. Quote a name of several words.',
  'bad-day': 'The trailer names no day of the calendar. Write YYYY-MM-DD, or YYYY-MM-DD..YYYY-MM-DD.',
  'range-order': 'The range ends before it begins.',
  'relation-target': 'The relation names nothing. Write ^id, path#L12 or "the quoted text".',
  'unused-confidence': 'Only an opinion has a confidence; it is kept and not used.',
} as const

export type FactErrorCode = keyof typeof ERRORS
export type FactWarningCode = keyof typeof WARNINGS

/** A problem whose column counts from 0 in its line, before its line is known. */
export type Finding = Omit<FactProblem, 'line'>

export function errorAt(code: FactErrorCode, at: number, proposed?: string): Finding {
  return { column: at + 1, code, severity: 'error', message: ERRORS[code], ...(proposed !== undefined && { proposed }) }
}

export function warningAt(code: FactWarningCode, at: number, proposed?: string): Finding {
  return { column: at + 1, code, severity: 'warning', message: WARNINGS[code], ...(proposed !== undefined && { proposed }) }
}
