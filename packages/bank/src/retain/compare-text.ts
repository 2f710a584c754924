/** Order of two texts by their code units: the same on every machine, whatever its language. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1
}
