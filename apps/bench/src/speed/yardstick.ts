/** CPU milliseconds of a fixed loop: when it drifts between two moments, so do all other times. */
export function yardstickMs(): number {
  const before = process.cpuUsage()
  let value = 1
  for (let step = 0; step < 30_000_000; step += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0
  const { user, system } = process.cpuUsage(before)
  // The value is used, so that the loop cannot be left out.
  return (user + system) / 1000 + (value === 0 ? 1e-9 : 0)
}
