import { cutText, squeeze } from './plain-text.ts'

const SIMPLE = /^[A-Za-z0-9 ,.'()/&+?!"-]*$/
const TAGS =
  /<!--.*?-->|(?<![\p{Script=Latin}\p{Nd}%'"`\\=<{&$])%%(?!%)[^%]*%%(?!%)|<\/?(?:a|abbr|b|big|br|center|cite|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|label|mark|p|q|rp|rt|ruby|s|samp|small|span|strike|strong|sub|summary|sup|tt|u|var|wbr)(?:\s[^<>]*)?\/?>/giu
const EMOJI =
  /[[\p{Extended_Pictographic}--[\u{a9}\u{ae}\u{2122}]]\p{Regional_Indicator}](?:\u{fe0f}|\u{200d}|\u{20e3}|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}])*/gv
const TIMES =
  /(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])(?:\s?[ap]\.?m\b\.?)?(?:\s?\(?(?:UTC|GMT|Z\b)(?:[+-]\d{1,2}(?::?\d{2})?)?\)?)?/gi
const LIMIT = 200

/**
 * A heading or bullet as people say it: without markup, HTML tags, emoji or clock times; at most 200 characters,
 * possibly none.
 */
export function plainHeading(raw: string): string {
  const bounded = raw.slice(0, 1_000)
  if (SIMPLE.test(bounded)) return cutText(squeeze(bounded), LIMIT)
  const text = withoutMarkup(bounded)
    .replace(EMOJI, ' ')
    .replace(TIMES, ' ')
    .replace(/\(\s*\)|\[\s*\]|（\s*）/g, ' ')
  return cutText(squeeze(text).replace(/^[-–—:|·,\s]+|(?<![-–—:|·,\s])[-–—:|·,\s]+$/g, ''), LIMIT)
}

/** Removes inline Markdown and HTML, and keeps the text they mark. */
export function withoutMarkup(text: string): string {
  return text
    .replace(TAGS, '')
    .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
    .replace(/`+|~~|==/g, '')
    .replace(/\*{1,3}(?=\S)([^*]*[^*\s])\*{1,3}/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])([^_]*[^_\s])_{1,3}(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
