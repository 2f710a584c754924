import type { EmbeddingProvider, SyncReport } from '@mnemark/spec'
import type { OpenMemory } from '../memory/open/open-memory.ts'
import { hostOf } from '../providers/use/consent.ts'
import type { Console } from '../terminal/console.ts'
import { isolate, printable, printableName } from '../terminal/isolate.ts'
import { dollars, tokensText } from '../terminal/tokens-text.ts'

const NAMED_FILES = 10

/** Further counts of a dry run, besides the chunks the first link lacks. */
interface EstimateOptions {
  readonly isKeptWarm: boolean
  readonly reEmbed: string | undefined
}

/** Prints for people what a sync did, or would do. */
export function printIndexReport(
  console: Console,
  report: SyncReport,
  {
    isDryRun,
    open,
    ...estimate
  }: EstimateOptions & {
    readonly isDryRun: boolean
    readonly open: Pick<OpenMemory, 'indexFile' | 'chain'>
  },
): void {
  const { total, indexed, unchanged, removed, chunks, ms } = report
  const verb = isDryRun ? 'would be indexed' : 'indexed'
  console.print(
    `${total} documents: ${indexed} ${verb}, ${unchanged} unchanged, ${removed} removed; ${chunks} chunks, ${(ms / 1000).toFixed(1)} s`,
  )
  if (isDryRun) printEstimate(console, report, { chain: open.chain, ...estimate })
  else printVectors(console, report)
  if (!isDryRun && open.indexFile !== null) console.print(`index: ${open.indexFile}`)
  nameFiles(
    console,
    'skipped',
    report.skipped.map(({ path, skipped }) => ({ path, reason: skipped })),
  )
  nameFiles(console, 'failed', report.failed)
}

function printEstimate(
  console: Console,
  report: SyncReport,
  { chain, isKeptWarm, reEmbed }: Pick<OpenMemory, 'chain'> & EstimateOptions,
): void {
  const [first, second] = chain.providers
  if (first === undefined) return
  const { usdByBatch } = report
  const byBatch = usdByBatch === undefined || report.tokens === 0 ? '' : `, or ${dollars(usdByBatch)} by batch jobs`
  const receivers = isKeptWarm && second !== undefined ? [first, second] : [first]
  const again = reEmbed === undefined ? '' : `, with all of ${printable(reEmbed)} again`
  console.print(`would be ${receivers.map(receiver).join(', and ')}${again}: ${tokensText(report)}${byBatch}`)
}

function receiver(provider: EmbeddingProvider): string {
  const { space, traits } = provider
  return `${traits.isLocal ? `embedded by ${space.provider}` : `sent to ${hostOf(provider)}`} (${space.model})`
}

function printVectors(console: Console, { vectors, tokens, usd }: SyncReport): void {
  for (const { space, filled, missing, failed } of vectors) {
    const rest = [missing > 0 ? `${missing} missing` : '', failed > 0 ? `${failed} refused` : ''].filter((part) => part !== '')
    console.print(`vectors of ${space.provider} (${space.model}): ${[`${filled} there`, ...rest].join(', ')}`)
  }
  if (tokens > 0) console.print(`sent: ${tokens.toLocaleString('en')} tokens${usd === undefined ? '' : `, ${dollars(usd)}`}`)
}

function nameFiles(console: Console, title: string, files: readonly { readonly path: string; readonly reason: string }[]): void {
  for (const { path, reason } of files.slice(0, NAMED_FILES))
    console.print(`  ${title}: ${isolate(printableName(path))} (${reason})`)
  if (files.length > NAMED_FILES) console.print(`  ${title}: ${files.length - NAMED_FILES} more; mnemark status --json names all`)
}
