/** `pnpm test:pages 1000`: edits the pages of generated folders by hand, ten times each, and plans and adopts after each edit. */
import { faultsOfHandEdits } from './hand-edits.ts'

const EDITS = 10
const count = Number(process.argv[2] ?? 1_000)
const first = Number(process.argv[3] ?? 1)
let faults = 0
for (let seed = first; seed < first + count / EDITS; seed += 1) {
  for (const fault of await faultsOfHandEdits(seed, EDITS)) {
    faults += 1
    if (faults <= 20) console.error(fault)
  }
}
console.log(`${count} edits by hand, ${faults} faults`)
if (faults > 0) process.exitCode = 1
