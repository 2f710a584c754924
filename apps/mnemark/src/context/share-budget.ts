/**
 * Divides a budget: a section that needs less than an equal share gets all it needs and leaves the rest to the others. In the
 * order of `needs`.
 */
export function shareBudget(needs: readonly number[], budget: number): readonly number[] {
  const shares = needs.map(() => 0)
  const order = [...needs.keys()].toSorted((left, right) => (needs[left] ?? 0) - (needs[right] ?? 0))
  let left = budget
  for (const [position, index] of order.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (order.length - position)))
    shares[index] = share
    left -= share
  }
  return shares
}
