/** Whether work on eight times the input takes nowhere near the square of it: compared within one run, so that a busy machine slows both sides. */
export function isLinear(work: (size: number) => void, size: number): boolean {
  const time = (of: number) => {
    const started = process.cpuUsage()
    work(of)
    const { user, system } = process.cpuUsage(started)
    return user + system
  }
  time(size)
  // Squared it would be 64 times; what is too short to tell is short enough.
  return Math.min(time(8 * size), time(8 * size)) < 32 * time(size) + 100_000
}
