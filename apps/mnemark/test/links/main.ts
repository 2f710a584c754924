// `pnpm test:links [ROUNDS]`: writes, reads and deletes notes while a process swaps folders and notes with links that lead outside.
import { runLinkRounds } from './link-rounds.ts'

const report = await runLinkRounds(Number(process.argv[2] ?? 10_000))
console.log(`${report.rounds} rounds: ${report.done} operations done, ${report.refused} refused or found nothing`)
console.log(`${report.readOutside} readings held text from outside, ${report.writtenOutside} files outside were made or changed`)
for (const failure of new Set(report.unexpected)) console.log(`unexpected: ${failure}`)
process.exitCode = report.readOutside + report.writtenOutside + report.unexpected.length === 0 ? 0 : 1
