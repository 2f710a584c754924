import { plainLines } from './plain-lines.ts'

/**
 * Equal for texts that say the same: that differ in nothing but white space, bullets, letter case and the date or clock time their
 * lines begin with. A text of nothing else stands for itself.
 */
export function repeatKey(text: string): string {
  const key = plainLines(text).toLowerCase()
  return key === '' ? text : key
}
