import { plainLines } from './plain-lines.ts'

/**
 * Equal for texts that differ only in white space, bullets, letter case and the date or clock time at the beginning of
 * lines. A text of nothing else is its own key.
 */
export function repeatKey(text: string): string {
  const key = plainLines(text).toLowerCase()
  return key === '' ? text : key
}
