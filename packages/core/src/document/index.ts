// Reads the lines and headings, title, aliases, properties and days of a Markdown note. Pure.
export type { HeadingLine, LineKind, Outline } from './markdown/outline.ts'
export type { TextRange } from './markdown/hidden-blocks.ts'
export { datedBy } from './names/dated-by.ts'
export type { DateReason, NoteDate } from './names/dated-by.ts'
export { parseDocument } from './parse-document.ts'
export type { ParsedDocument, ParseOptions } from './parse-document.ts'
export { plainHeading } from './markdown/plain-heading.ts'
export { entityKey } from './properties/labels.ts'
