import { readDayArgument } from '@mnemark/core/dates'
import type { LineReader } from './normal-signs.ts'

/** Bullet, and the marks that may stand between it and the letter. */
export interface LeadingMarks {
  readonly isBullet: boolean
  /** A box of any state: `[ ]`, `[x]`. */
  readonly isTask: boolean
  readonly clock?: string
  /** A date in brackets, as a calendar day. */
  readonly day?: string
  readonly words: readonly string[]
}

const BULLET = /[ \t]*(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+|$)/y
const BOX = /\[[ \t]?[ xX\-/][ \t]?\][ \t]+/y
const CLOCK = /[([]?([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?[)\]]?[ \t]+(?:[-–—][ \t]+)?/y
const DATE = /\[(\d{4}-\d{2}-\d{2})\][ \t]*/y
const WORD = /\[([\p{L}\p{N}][\p{L}\p{M}\p{N} :_.-]{0,30})\](?=[ \t[])[ \t]*/uy
const EMOJI = /(?!\p{Nd})\p{Extended_Pictographic}(?:[\ufe0f\u200d]|\p{Emoji_Modifier}|\p{Extended_Pictographic}){0,12}[ \t]*/uy
const MOST = 10

/** Whether a text is YYYY-MM-DD and names a day of the calendar. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && readDayArgument(text, 'first', { nowMs: 0, timeZone: 'UTC' }) === text
}

export function readMarks(reader: LineReader): LeadingMarks {
  const isBullet = reader.take(BULLET) !== null
  if (!isBullet) reader.skipBlanks()
  const words: string[] = []
  let clock: string | undefined
  let day: string | undefined
  let isTask = false
  for (let count = 0; count < MOST; count += 1) {
    const { at } = reader
    if (reader.take(BOX) !== null) isTask = true
    else if (clock === undefined && reader.sees(CLOCK)) clock = clockOf(reader.take(CLOCK))
    else if (reader.sees(DATE)) {
      const found = reader.take(DATE)?.[1] ?? ''
      if (isDay(found)) day ??= found
      else words.push(found)
    } else if (reader.sees(WORD)) {
      const found = reader.take(WORD)
      const word = reader.raw.slice(at + 1, at + 1 + (found?.[1]?.length ?? 0))
      if (/^x$/i.test(word)) isTask = true
      else words.push(word)
    } else if (reader.take(EMOJI) === null) break
  }
  return { isBullet, isTask, words, ...(clock !== undefined && { clock }), ...(day !== undefined && { day }) }
}

function clockOf(match: RegExpExecArray | null): string {
  const [, hours = '', minutes = '', seconds] = match ?? []
  return `${hours.padStart(2, '0')}:${minutes}${seconds === undefined ? '' : `:${seconds}`}`
}
