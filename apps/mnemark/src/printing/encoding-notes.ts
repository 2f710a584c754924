import type { OtherEncoding } from '@mnemark/workspace'
import { isolate, printableName } from '../terminal/isolate.ts'

const NAMED_FILES = 10

/** Names the notes that were not read as plain UTF-8: only a person can see a wrong guess. */
export function encodingNotes(others: readonly OtherEncoding[]): readonly string[] {
  const named = others.slice(0, NAMED_FILES).map(({ path, encoding, hasLostBytes }) => {
    const how = hasLostBytes ? 'holds bytes that are not UTF-8; they are shown as �' : `is not UTF-8; it was read as ${encoding}`
    return `${isolate(printableName(path))} ${how}. Save it as UTF-8 to write to it.`
  })
  const rest = others.length - NAMED_FILES
  return rest > 0 ? [...named, `${rest} more notes are not plain UTF-8; --json names all.`] : named
}
