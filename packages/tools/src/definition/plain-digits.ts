/** Replaces digits of any script by 0 to 9. */
export function plainDigits(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
}

/** Unicode keeps the ten digits of a script in a row, and never more than two such rows side by side. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return value % 10
}
