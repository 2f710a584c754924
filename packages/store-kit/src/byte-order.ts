/**
 * Orders strings by their UTF-8 bytes, like keyword keys. JavaScript compares UTF-16 units, which puts emoji
 * (surrogates, D800 to DFFF) before the characters from E000 to FFFF; by bytes they come after.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const first = left.charCodeAt(index)
    const second = right.charCodeAt(index)
    if (first !== second) return rank(first) - rank(second)
  }
  return left.length - right.length
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
