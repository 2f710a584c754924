const DIGITS = '零一二三四五六七八九'

/** One character of a number in Chinese or Western digits, for a pattern. */
export const CHINESE_DIGIT: string = `[0-9〇${DIGITS}十廿卅两兩]`

/** A number below 100 as read aloud (十二, 二十一, 廿三), or digits one by one (二〇二六); NaN for anything else. */
export function chineseNumber(text: string): number {
  const plain = [
    ...text
      .replace(/[两兩]/gu, '二')
      .replace('廿', '二十')
      .replace('卅', '三十')
      .replace(/〇/gu, '零'),
  ]
  const values = plain.map((character) => (/\d/u.test(character) ? Number(character) : DIGITS.indexOf(character)))
  const ten = plain.indexOf('十')
  if (ten < 0) return values.includes(-1) || values.length === 0 ? Number.NaN : Number(values.join(''))
  const [tens, units] = [values.slice(0, ten), values.slice(ten + 1)]
  if (tens.length > 1 || units.length > 1 || units.includes(-1)) return Number.NaN
  return (tens[0] ?? 1) * 10 + (units[0] ?? 0)
}
