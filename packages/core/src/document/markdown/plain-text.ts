import { readText } from '../../text/letters/read-text.ts'

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u
/** Matches anything but blanks and ASCII signs, which make up rules, empty tables and bullets. */
const SAID = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800!-/:-@[-`{-~]/u

const ENTITY = /&#?\w{1,32};/
const EVERY_ENTITY = new RegExp(ENTITY, 'g')

/** White space of any kind becomes single spaces, none at the ends. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** At most `limit` UTF-16 code units, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}

/** Whether anything is visible: zero-width and other characters without a shape are blank, and so are their entities. */
export function isVisible(text: string): boolean {
  return hasAny(VISIBLE, text)
}

/** Whether there is anything but blanks and signs. */
export function saysSomething(text: string): boolean {
  return hasAny(SAID, text)
}

function hasAny(characters: RegExp, text: string): boolean {
  return characters.test(text.replaceAll(EVERY_ENTITY, '')) || (ENTITY.test(text) && characters.test(readText(text).text))
}
