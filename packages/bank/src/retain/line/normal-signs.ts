import { foldWord } from '@mnemark/core/text'

const PLAIN = /^[\0-\x7f]*$/
const SIGN = /[\u00a0\u2000-\u200a\u202f\u205f\u3000\uff01-\uff5e\u066a\u066b\u066c]|\p{Nd}/gu
const SIGNS: Readonly<Record<string, string>> = { '٪': '%', '٫': '.', '٬': ',' }

/**
 * A line with its signs, blanks and digits in ASCII, unit by unit: what is found in it stands at the same place in the
 * line itself. Letters of scripts stay, but for those of full width.
 */
export function normalSigns(line: string): string {
  if (PLAIN.test(line)) return line
  return line.replace(SIGN, (sign) => {
    const code = sign.charCodeAt(0)
    if (sign.length > 1) return sign
    if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
    if (SIGNS[sign] !== undefined) return SIGNS[sign]
    return /\p{Nd}/u.test(sign) ? foldWord(sign) : ' '
  })
}

/** Reads a line from left to right, in its normal signs. */
export class LineReader {
  readonly raw: string
  readonly text: string
  at = 0

  constructor(raw: string) {
    this.raw = raw
    this.text = normalSigns(raw)
  }

  /** Takes what a sticky pattern matches here, or nothing. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match !== null) this.at += match[0].length
    return match
  }

  /** Whether a sticky pattern matches here. */
  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    return pattern.test(this.text)
  }

  skipBlanks(): void {
    while (this.at < this.text.length && (this.text[this.at] === ' ' || this.text[this.at] === '\t')) this.at += 1
  }
}
