// `pnpm test:histories [COUNT] [SEED]`: makes indexes by random histories and compares how they rank with clean ones.
import { runHistory } from './histories.ts'

const count = Number(process.argv[2] ?? 1_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
console.log(`${count} histories, seed ${seed}`)

let [failed, kills, searches, leastDead] = [0, 0, 0, 1]
for (let number = 0; number < count; number++) {
  const report = await runHistory(seed + number)
  kills += report.kills
  searches += report.searches
  leastDead = Math.min(leastDead, report.deadShare)
  if (report.problems.length > 0) {
    failed++
    console.log(`seed ${seed + number}:\n  ${report.problems.slice(0, 10).join('\n  ')}`)
  }
  if ((number + 1) % 100 === 0) console.log(`${number + 1} histories`)
}
console.log(`${searches} searches, ${kills} processes killed, at least ${Math.round(100 * leastDead)} % of each index dead`)
console.log(failed === 0 ? 'every index ranks as a clean one, scores to 1e-6' : `${failed} histories failed`)
process.exitCode = failed === 0 ? 0 : 1
