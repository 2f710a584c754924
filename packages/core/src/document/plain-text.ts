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
