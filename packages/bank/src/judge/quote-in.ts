const FEWEST_LETTERS = 3

/** Whether a quote stands in a text, but for white space and Unicode form; a bare sign or letter is no quote. */
export function quoteIn(text: string, quote: string): boolean {
  const [whole, part] = [plain(text), plain(quote)]
  const letters = part.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  // In scripts whose characters are words one is enough.
  const isEnough = letters >= FEWEST_LETTERS || /\p{Script=Han}/u.test(part) || (letters > 0 && part === whole)
  return isEnough && whole.includes(part)
}

function plain(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}
