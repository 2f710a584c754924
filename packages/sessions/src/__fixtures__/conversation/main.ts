/** `pnpm test:sessions 5000`: a conversation of so many turns over 40 days, said by processes that are killed every 200 turns and in the middle of flushes. */
import { killConversation } from './kill-conversation.ts'

const turns = Number(process.argv[2] ?? 5_000)
const report = await killConversation({ turns, turnsPerDay: Math.max(1, Math.ceil(turns / 40)), turnsPerKill: 200 })
for (const fault of report.faults.slice(0, 20)) console.error(fault)
const { kills, sessions, compactions, flushed, faults } = report
console.log(
  `${turns} turns, ${kills} kills, ${sessions} sessions, ${compactions} compactions, ${flushed} flushed texts, ${faults.length} faults`,
)
if (faults.length > 0) process.exitCode = 1
