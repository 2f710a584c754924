/** `pnpm test:retain 10000`: reads, writes and reads generated and mutated Retain sections. */
import { faultsOfMutation, faultsOfSection } from './check-section.ts'

const count = Number(process.argv[2] ?? 10_000)
let faults = 0
for (let seed = 1; seed <= count; seed += 1) {
  for (const fault of [...faultsOfSection(seed), ...faultsOfMutation(seed)]) {
    faults += 1
    if (faults <= 20) console.error(fault)
  }
}
console.log(`${count} sections and ${count} mutated ones, ${faults} faults`)
if (faults > 0) process.exitCode = 1
