import { killBatches, measureBatchMemory } from './batch-rounds.ts'

const TEXTS = 10_000
const KILLS = 30
const LARGE = 50_000
const MOST_MEGABYTES = 200

/** Each service with processes that are killed at its batch jobs, and the memory of one large job. True where all is well. */
export async function runBatchFaults(seed: number): Promise<boolean> {
  let isSound = true
  for (const service of ['openai', 'gemini', 'voyage', 'mistral']) {
    const { killed, jobs, problems } = await killBatches({ service, texts: TEXTS, kills: KILLS, seed, maxRequests: 1_000 })
    console.log(`${service.padEnd(8)} ${TEXTS} texts in ${jobs} batch jobs, ${killed} processes killed`)
    for (const problem of problems) console.log(`  ${problem}`)
    isSound &&= problems.length === 0
  }
  const { filled, peakMegabytes } = await measureBatchMemory(LARGE)
  console.log(`openai   ${filled} texts of 1536 dimensions in one batch job: ${peakMegabytes} MB above idle`)
  isSound &&= filled === LARGE && peakMegabytes < MOST_MEGABYTES
  console.log(isSound ? 'every text in one job only, nothing left at a service' : 'batch jobs failed')
  return isSound
}

if (import.meta.main) process.exitCode = (await runBatchFaults(Number(process.argv[2] ?? Date.now() % 1_000_000))) ? 0 : 1
