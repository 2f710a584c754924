/** Patterns that the checker of `pnpm check:patterns` cannot decide, or that it finds fault with, and why they are kept. */

export interface KnownPattern {
  readonly file: string
  /** Text that the pattern contains; absent = any pattern of the file. */
  readonly holds?: string
  readonly why: string
}

const HOSTILE = 'bounded repeats; its hostile-text.test.ts repeats every beginning of a shape'
const NAME = 'of a name or path, as long as the system lets one be'
const QUERY = 'of a query, which check-query.ts bounds'
const PROGRAM = 'of what an installed program of the user prints'
const LINEAR = 'undecided; document/hostile-notes.test.ts compares a length with its double'

export const KNOWN_PATTERNS: readonly KnownPattern[] = [
  { file: 'apps/mnemark/src/doctor/check-notes.ts', holds: '[^/]*$', why: NAME },
  { file: 'packages/masking/src/labelled-secrets.ts', why: HOSTILE },
  { file: 'packages/masking/src/private-keys.ts', why: HOSTILE },
  { file: 'packages/masking/src/secret-shapes.ts', why: HOSTILE },
  { file: 'packages/masking/src/secrets-around.ts', why: 'anchored, with bounded repeats' },
  { file: 'packages/masking/src/secrets-below.ts', why: HOSTILE },
  { file: 'apps/mnemark/src/printing/format-hit.ts', why: 'of the first line of a snippet' },
  {
    file: 'packages/core/src/dates/forms/date-matcher.ts',
    why: 'undecided; read-dates.test.ts compares a length with its double',
  },
  { file: 'packages/core/src/document/names/copy-name.ts', why: NAME },
  {
    file: 'packages/core/src/document/markdown/hidden-blocks.ts',
    why: 'undecided; document/hostile-notes.test.ts compares a length with its double',
  },
  { file: 'packages/core/src/document/properties/inline-tags.ts', why: 'bounded repeats' },
  { file: 'packages/core/src/document/markdown/plain-heading.ts', why: 'of at most 1,000 characters' },
  {
    file: 'packages/core/src/document/names/template.ts',
    holds: '\\{\\{(?!',
    why: 'of at most 20,000 characters, in bounded repeats',
  },
  { file: 'packages/core/src/keywords/terms/query-syntax.ts', why: QUERY },
  { file: 'packages/core/src/query/query-fields.ts', why: QUERY },
  { file: 'packages/core/src/repeats/entries.ts', holds: '[^.!?…:。！？।]\\s*$', why: 'of eight characters' },
  { file: 'packages/core/src/repeats/wording.ts', why: LINEAR },
  { file: 'packages/core/src/search/versions/gather-versions.ts', why: NAME },
  { file: 'packages/core/src/snippet/excerpt-bounds.ts', why: 'of the part of a text that a snippet may show' },
  { file: 'packages/core/src/text/detect-language.ts', why: 'of at most 4,000 characters' },
  { file: 'packages/core/src/text/letters/inline-marks.ts', why: LINEAR },
  { file: 'packages/core/src/text/runs.ts', why: LINEAR },
  { file: 'packages/core/src/text/letters/spellings.ts', why: 'of one word' },
  { file: 'packages/provider-kit/src/request/prompt-prefixes.ts', why: 'of the name of a model' },
  { file: 'packages/store-qmd/src/parse/parse-reports.ts', why: PROGRAM },
  { file: 'packages/store-qmd/src/parse/parse-results.ts', why: PROGRAM },
  { file: 'packages/store-qmd/src/program/program-failure.ts', why: PROGRAM },
  { file: 'packages/workspace/src/reading/detect-encoding.ts', why: 'of one word' },
  {
    file: 'packages/workspace/src/writing/escaped-newlines.ts',
    why: 'of at most 200 characters, or undecided; its test compares a length with its double',
  },
  {
    file: 'packages/workspace/src/writing/repeated-block.ts',
    why: 'undecided; of one line, and a test of hostile text compares a length with its double',
  },
  {
    file: 'packages/workspace/src/paths/extra-paths.ts',
    holds: '[*?]',
    why: 'of a path of the configuration, in bounded repeats',
  },
  { file: 'packages/spec/src/rules/visible-name.ts', why: 'single characters, with the one or two beside them' },
]
