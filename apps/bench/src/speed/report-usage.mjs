// Preloaded with `node --import`: any Node program then tells at its end what it used. Plain JavaScript, so that loading it costs nothing.
import { writeFileSync } from 'node:fs'

const file = process.env.MNEMARK_BENCH_USAGE
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const usage = { cpuMs: (user + system) / 1000, peakRssBytes: process.resourceUsage().maxRSS * 1024 }
  if (file) writeFileSync(file, JSON.stringify(usage))
})
